// The inner loops of the join of halves, one set for each instruction set. Plain data and function pointers only: this header is included
// by leaf files that are compiled with wider instruction sets, so it must not bring in any inline code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong::hamming {

constexpr std::uint32_t line_rows = 16;

// The rows of one class seen so far: their filters, and their places in the part. What lies behind the class's count is no row.
struct alignas(64) MeetLine {
  std::uint16_t filter[line_rows];
  std::uint16_t row[line_rows];
};

// How rows of a part fall into classes. The class of a row is its key, the upper bits of its filter (`sub_bits`), and the filter's parity
// (lowest bit): a filter that differs in one bit is in the class of the other parity, and if the bit is one of the upper ones, in the class
// that differs there, too, and then the rest is equal.
struct MeetLayout {
  unsigned key_word, filter_word;  // which 16 bits of a value: 0 lowest … 3 highest
  unsigned key_shift, key_bits;    // the part of the key that rows of a part may differ in
  unsigned sub_bits;               // at most most_sub_bits
  bool near, equal;                // wanted: filters that differ in one bit; equal filters
};
constexpr unsigned most_sub_bits = 12;

// Rows of a part meet the rows before them: each looks at the lines of the classes where near rows stand, then joins its own.
struct MeetScan {
  const std::uint64_t* values;
  std::uint32_t n;  // at most 65,535
  const MeetLayout* layout;
  MeetLine* lines;       // 2^(key_bits + sub_bits + 1)
  std::uint8_t* counts;  // as many, zero at first
  std::uint16_t* noted;  // out: rows that may have met a near row (empty places included). Room for n + 1
  std::uint16_t* left;   // out: rows whose line was full, so that nobody saw them; never among the noted. Room for n
  std::uint32_t notes, lefts;
};
using MeetFunction = void (*)(MeetScan* scan) noexcept;

// Pairs (a, b), a < b, of some rows of a part with rows that stand in lines: with earlier ones, which they met, or with all. Stops where
// `out` might not hold what comes next.
struct MeetPair {
  std::uint32_t a, b, distance;
};
struct MeetReport {
  const MeetScan* scan;
  const std::uint16_t* rows;
  std::uint32_t next, last;  // of rows
  bool all;
  unsigned key_at;  // lowest bit of the 16 bits that must agree
  int k, skip_low;  // at most k bits in all, and more than skip_low in the low half
  MeetPair* out;
  std::uint32_t capacity;  // at least most_met
};
constexpr std::uint32_t most_met = line_rows * (most_sub_bits + 2);  // pairs of one row
using ReportFunction = std::uint32_t (*)(MeetReport* report) noexcept;

struct MeetKernels {
  const char* name;
  MeetFunction meet;
  ReportFunction report;
};

extern const MeetKernels portable_meet_kernels;
#if defined(__x86_64__)
extern const MeetKernels avx2_meet_kernels;
extern const MeetKernels avx512_meet_kernels;
#endif

}  // namespace leitong::hamming
