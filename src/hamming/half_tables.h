// Which tables find all pairs of 64-bit rows within k ≤ 3 bits.
//
// Two rows within 3 bits have a half of 32 bits in which they differ in at most one bit: two in both would make four. Such halves agree in
// one of their two blocks of 16 bits (the key) and differ in at most one bit of the other (the filter). So there is one table for each
// block, and in it only one of 4,000 random pairs passes. In general the halves' radii are such that (low + 1) + (high + 1) = k + 1.
//
// Each pair is reported once, by the first table that finds it: the low half's before the high half's, and of a half's two tables the
// first takes filters that are equal or near, the second those that are near only.
#pragma once

#include <cstdint>
#include <vector>

namespace leitong::hamming {

constexpr unsigned most_half_k = 3;

struct HalfTable {
  unsigned key_word, filter_word;  // 16 bits of the value each: 0 lowest … 3 highest
  bool near;                       // filters that differ in one bit are wanted
  bool equal;                      // equal filters are wanted
  int skip_low;                    // pairs within so many bits of the low half were found by an earlier table; -1: none

  [[nodiscard]] unsigned key_at() const { return 16 * key_word; }
  [[nodiscard]] std::uint64_t filter_mask() const { return std::uint64_t{0xffff} << (16 * filter_word); }
};

[[nodiscard]] inline std::vector<HalfTable> half_tables(unsigned k) {
  struct Radii {
    int low, high;  // -1: the half is not looked at
  };
  static constexpr Radii radii[most_half_k + 1] = {{0, -1}, {0, 0}, {1, 0}, {1, 1}};
  std::vector<HalfTable> tables;
  const auto add = [&](int radius, unsigned word, int skip_low) {
    if (radius < 0) return;
    tables.push_back({word + 1, word, radius > 0, true, skip_low});
    if (radius > 0) tables.push_back({word, word + 1, true, false, skip_low});
  };
  add(radii[k].low, 0, -1);
  add(radii[k].high, 2, radii[k].low);
  return tables;
}

}  // namespace leitong::hamming
