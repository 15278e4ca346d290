// The inner loop of look-ups, one for each instruction set. Plain data and function pointers only: this header is included by leaf files
// that are compiled with wider instruction sets, so it must not bring in any inline code.
#pragma once

#include <cstdint>

namespace leitong::hamming {

// A range of filters to read: those whose distance from `filter` is least … most are hits.
struct Probe {
  std::uint32_t first, count;  // rows of the table
  std::uint32_t tag;           // query × 4 + table
  std::uint16_t key, filter;
  std::uint16_t least, most;
};
struct ProbeHit {
  std::uint32_t tag, row;
  std::uint16_t key, filter;  // the row's
};
struct ProbeScan {
  const std::uint16_t* filters[4];  // by table; 62 readable bytes must follow the last
  const Probe* probes;
  std::uint32_t count;
  std::uint32_t next, place;  // first probe still to do, and its first row still to read; moved by the scan
  ProbeHit* out;
  std::uint32_t capacity;  // at least probe_slice
};
constexpr std::uint32_t probe_slice = 8192;  // filters read before the room is looked at again

// Returns the number of hits; stops before `count` probes are done if `out` might not hold what comes next.
using ProbeFunction = std::uint32_t (*)(ProbeScan*) noexcept;

struct ProbeKernels {
  const char* name;
  ProbeFunction probe;
};
extern const ProbeKernels portable_probe_kernels;
#if defined(__x86_64__)
extern const ProbeKernels avx2_probe_kernels;
#endif

}  // namespace leitong::hamming
