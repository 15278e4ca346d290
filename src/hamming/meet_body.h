// The join of halves over lines of sixteen filters, for files that are compiled for AVX2 or wider: private to each of them. What costs here
// is branches that nobody can predict, not arithmetic: so every row compares whole lines, empty places included, notes itself without a
// branch, and what it met is found out afterwards, for the few that met somebody.
#pragma once

#include <immintrin.h>

#include "hamming/meet_kernels.h"

namespace leitong::hamming {
namespace {  // NOLINT(google-build-namespaces): each instruction set has its copy

using Vector = __m256i;
using Byte = unsigned char;

inline Vector line_filters(const MeetLine& line) noexcept { return _mm256_load_si256(reinterpret_cast<const Vector*>(line.filter)); }
inline std::uint32_t word_at(const Byte* row, unsigned offset) noexcept {
  std::uint16_t word;
  __builtin_memcpy(&word, row + offset, sizeof word);
  return word;
}
inline Vector spread_word(std::uint32_t word) noexcept { return _mm256_set1_epi16(static_cast<short>(word)); }

// Zero in the lanes where two filters of opposite parity differ in one bit.
inline Vector but_one_bit(Vector a, Vector b) noexcept {
  const Vector x = _mm256_xor_si256(a, b);
  return _mm256_and_si256(x, _mm256_add_epi16(x, _mm256_set1_epi16(-1)));
}

// Where a row stands and what it looks for, by the layout.
template <unsigned Subs>
struct Classes {
  unsigned key_offset, filter_offset, key_shift;
  std::uint32_t key_mask;

  explicit Classes(const MeetLayout& layout) noexcept
      : key_offset(2 * layout.key_word),
        filter_offset(2 * layout.filter_word),
        key_shift(layout.key_shift),
        key_mask((1U << layout.key_bits) - 1) {}

  [[nodiscard]] std::uint32_t of(const Byte* row, std::uint32_t filter) const noexcept {
    std::uint32_t c = (word_at(row, key_offset) >> key_shift & key_mask) << Subs;
    if constexpr (Subs > 0) c |= filter >> (16 - Subs);
    return c << 1 | (static_cast<std::uint32_t>(_mm_popcnt_u32(filter)) & 1);
  }
  static std::uint32_t across(std::uint32_t own, unsigned sub) noexcept { return own ^ 1 ^ (2U << sub); }
  static std::uint32_t flip(unsigned sub) noexcept { return 1U << (16 - Subs + sub); }
};

// Fills the places of a class's line with a filter that no row looks for there: of the wrong parity, so that it differs from those who want
// an equal one, and from those of the other parity in an even number of bits; and with another sub bit, so that the number is not zero.
// Without sub bits it may be zero: reports know the counts.
template <unsigned Subs>
inline void clear_lines(const MeetScan& s) noexcept {
  for (std::uint32_t c = 0, end = 2U << (s.layout->key_bits + Subs); c < end; ++c) {
    std::uint32_t filter = 0;
    if constexpr (Subs > 0) filter = ((c >> 1 & ((1U << Subs) - 1)) ^ 1) << (16 - Subs);
    filter |= (static_cast<std::uint32_t>(_mm_popcnt_u32(filter)) ^ c ^ 1) & 1;
    _mm256_store_si256(reinterpret_cast<Vector*>(s.lines[c].filter), spread_word(filter));
  }
}

template <bool Near, bool Equal, unsigned Subs>
void meet_rows(MeetScan* s) noexcept {
  clear_lines<Subs>(*s);
  const Classes<Subs> classes(*s->layout);
  const auto* row = reinterpret_cast<const Byte*>(s->values);
  MeetLine* const lines = s->lines;
  std::uint8_t* const counts = s->counts;
  std::uint16_t* const noted = s->noted;
  std::uint32_t notes = 0, lefts = 0;
  const Vector zero = _mm256_setzero_si256();
  for (std::uint32_t i = 0, n = s->n; i < n; ++i, row += sizeof(std::uint64_t)) {
    const std::uint32_t filter = word_at(row, classes.filter_offset);
    const std::uint32_t own = classes.of(row, filter);
    const Vector query = spread_word(filter);
    Vector met = _mm256_set1_epi16(-1);  // zero in the lanes of near rows
    if constexpr (Near) {
      met = but_one_bit(query, line_filters(lines[own ^ 1]));
      for (unsigned b = 0; b < Subs; ++b) {
        const Vector flipped = _mm256_xor_si256(query, spread_word(classes.flip(b)));
        met = _mm256_min_epu16(met, _mm256_xor_si256(flipped, line_filters(lines[classes.across(own, b)])));
      }
    }
    if constexpr (Equal) met = _mm256_min_epu16(met, _mm256_xor_si256(query, line_filters(lines[own])));
    const auto mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(met, zero)));
    noted[notes] = static_cast<std::uint16_t>(i);
    notes += mask != 0 ? 1 : 0;
    const std::uint32_t count = counts[own];
    if (__builtin_expect(count < line_rows, 1)) {
      lines[own].filter[count] = static_cast<std::uint16_t>(filter);
      lines[own].row[count] = static_cast<std::uint16_t>(i);
      counts[own] = static_cast<std::uint8_t>(count + 1);
    } else {
      s->left[lefts++] = static_cast<std::uint16_t>(i);
      notes -= mask != 0 ? 1 : 0;
    }
  }
  s->notes = notes;
  s->lefts = lefts;
}

// Bit `slot` of the result: lane `slot` is zero and not empty.
inline std::uint64_t met_slots(Vector met, std::uint32_t count) noexcept {
  const Vector lanes = _mm256_cmpeq_epi16(met, _mm256_setzero_si256());
  const __m128i packed = _mm_packs_epi16(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(packed)) & ((1U << count) - 1);
}

constexpr std::uint32_t at_once = 4;

struct Met {
  std::uint16_t row, other;
};

// Whom a row met, from all lines that it looked at: four lines a word, so that there is one loop of unknown length for four.
template <bool Near, bool Equal, unsigned Subs>
inline std::uint32_t read_lines(const MeetScan& s, const Classes<Subs>& classes, std::uint32_t i, Met* out) noexcept {
  constexpr unsigned line_count = (Near ? 1 + Subs : 0) + (Equal ? 1 : 0);
  const auto* row = reinterpret_cast<const Byte*>(s.values + i);
  const std::uint32_t filter = word_at(row, classes.filter_offset);
  const std::uint32_t own = classes.of(row, filter);
  const Vector query = spread_word(filter);
  std::uint64_t slots[(line_count + 3) / 4] = {};
  std::uint32_t from[(line_count + 3) / 4 * 4] = {};
  unsigned line = 0;
  const auto look = [&](std::uint32_t c, Vector met) noexcept {
    slots[line / 4] |= met_slots(met, s.counts[c]) << (16 * (line % 4));
    from[line++] = c;
  };
  if constexpr (Near) {
    look(own ^ 1, but_one_bit(query, line_filters(s.lines[own ^ 1])));
    for (unsigned b = 0; b < Subs; ++b) {
      const std::uint32_t c = classes.across(own, b);
      look(c, _mm256_xor_si256(_mm256_xor_si256(query, spread_word(classes.flip(b))), line_filters(s.lines[c])));
    }
  }
  if constexpr (Equal) look(own, _mm256_xor_si256(query, line_filters(s.lines[own])));
  std::uint32_t found = 0;
  for (unsigned w = 0; w < (line_count + 3) / 4; ++w) {
    std::uint64_t left = slots[w];
    const auto count = static_cast<std::uint32_t>(_mm_popcnt_u64(left));
    // Four at a time, what is too many is overwritten: how many there are is a guess that a loop of one would lose each time.
    for (std::uint32_t n = 0; n < count; n += at_once) {
      for (std::uint32_t m = n; m < n + at_once; ++m, left = _blsr_u64(left)) {
        const auto bit = static_cast<unsigned>(_tzcnt_u64(left)) & 63;
        out[found + m] = {static_cast<std::uint16_t>(i), s.lines[from[4 * w + bit / 16]].row[bit % 16]};
      }
    }
    found += count;
  }
  return found;
}

template <bool Near, bool Equal, unsigned Subs>
std::uint32_t report_rows(MeetReport* r) noexcept {
  constexpr std::uint32_t met_size = 1024;
  Met met[met_size + at_once];
  const MeetScan& s = *r->scan;
  const Classes<Subs> classes(*s.layout);
  const int k = r->k, skip_low = r->skip_low;
  const unsigned key_at = r->key_at;
  const bool all = r->all;
  std::uint32_t found = 0;
  while (r->next < r->last) {
    const std::uint32_t left = r->capacity - found;
    const std::uint32_t room = left < met_size ? left : met_size;
    if (room < most_met) break;
    std::uint32_t count = 0;
    for (; r->next < r->last && count + most_met <= room; ++r->next) {
      count += read_lines<Near, Equal, Subs>(s, classes, r->rows[r->next], met + count);
    }
    for (std::uint32_t m = 0; m < count; ++m) {  // written always, kept if all holds: nobody can predict which do
      const std::uint32_t i = met[m].row, j = met[m].other;
      const std::uint64_t x = s.values[i] ^ s.values[j];
      const int distance = static_cast<int>(_mm_popcnt_u64(x));
      r->out[found] = {j < i ? j : i, j < i ? i : j, static_cast<std::uint32_t>(distance)};
      const bool wanted = (j < i) | all, close = distance <= k, same_key = (x >> key_at & 0xffff) == 0,
                 unseen = static_cast<int>(_mm_popcnt_u32(static_cast<std::uint32_t>(x))) > skip_low;
      found += static_cast<std::uint32_t>(wanted) & static_cast<std::uint32_t>(close) & static_cast<std::uint32_t>(same_key) &
               static_cast<std::uint32_t>(unseen);
    }
  }
  return found;
}

// One function for each layout: near and equal, near, equal; by the number of sub bits.
template <bool Near, bool Equal>
constexpr MeetFunction meet_functions[most_sub_bits + 1] = {
    meet_rows<Near, Equal, 0>,  meet_rows<Near, Equal, 1>,  meet_rows<Near, Equal, 2>, meet_rows<Near, Equal, 3>, meet_rows<Near, Equal, 4>,
    meet_rows<Near, Equal, 5>,  meet_rows<Near, Equal, 6>,  meet_rows<Near, Equal, 7>, meet_rows<Near, Equal, 8>, meet_rows<Near, Equal, 9>,
    meet_rows<Near, Equal, 10>, meet_rows<Near, Equal, 11>, meet_rows<Near, Equal, 12>};
template <bool Near, bool Equal>
constexpr ReportFunction report_functions[most_sub_bits + 1] = {
    report_rows<Near, Equal, 0>, report_rows<Near, Equal, 1>, report_rows<Near, Equal, 2>,  report_rows<Near, Equal, 3>,
    report_rows<Near, Equal, 4>, report_rows<Near, Equal, 5>, report_rows<Near, Equal, 6>,  report_rows<Near, Equal, 7>,
    report_rows<Near, Equal, 8>, report_rows<Near, Equal, 9>, report_rows<Near, Equal, 10>, report_rows<Near, Equal, 11>,
    report_rows<Near, Equal, 12>};

template <bool Near, bool Equal>
void meet_by_sub_bits(MeetScan* s) noexcept {
  meet_functions<Near, Equal>[s->layout->sub_bits](s);
}
template <bool Near, bool Equal>
std::uint32_t report_by_sub_bits(MeetReport* r) noexcept {
  return report_functions<Near, Equal>[r->scan->layout->sub_bits](r);
}

}  // namespace
}  // namespace leitong::hamming
