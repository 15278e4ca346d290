// What every exact join of feature sets by prefixes must agree on: the order of features, the lengths of prefixes, the signatures, and what
// counts as a flood. Private to this room.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "candidates/signature_filter.h"

namespace leitong::candidates {

// Bounds are loosened by this, so that rounding never costs a pair; what is given is decided by the similarity.
inline constexpr double slack = 1e-9;
inline constexpr unsigned least_counter_bits = 8, most_counter_bits = 20;
inline constexpr std::uint32_t flood_sample = 256;  // pairs

inline std::uint64_t scrambled(std::uint32_t feature) { return (feature + 1ULL) * 0x9E3779B97F4A7C15U; }

// Counters of feature frequencies are 2^bits, for so many features in all sets together.
inline unsigned counter_bits(std::uint64_t features) {
  return std::clamp(static_cast<unsigned>(std::bit_width(features)), least_counter_bits, most_counter_bits);
}
inline std::size_t counter_of(std::uint32_t feature, unsigned bits) { return scrambled(feature) >> (64 - bits); }

// The global order of features: rarest first, then by number.
inline std::uint64_t order_of(std::uint32_t count, std::uint32_t feature) { return std::uint64_t{count} << 32U | feature; }

// Features of a prefix when at least `share` of the set is common.
inline std::size_t prefix_length(std::size_t size, double share) {
  const auto overlap = static_cast<std::size_t>(std::max(1.0, std::ceil(share * static_cast<double>(size) - slack)));
  return size - std::min(overlap, size) + 1;
}
// Of the prefix that suffices when the set is the smaller of a pair, or as large.
inline std::size_t short_prefix_length(std::size_t size, double threshold) { return prefix_length(size, 2 * threshold / (1 + threshold)); }

// Whether a set is large enough to be similar to one of `size` features.
inline bool fits(std::size_t smaller, std::size_t size, double threshold) {
  return static_cast<double>(smaller) >= threshold * static_cast<double>(size) - slack;
}

// Most bits in which the signatures of two sets may differ, the larger of which has `size` features: a differing bit needs a differing
// feature, and at most (1 - t) / (1 + t) of the features of both together differ.
inline unsigned most_different(std::size_t size, double threshold) {
  return static_cast<unsigned>((1 - threshold) / (1 + threshold) * 2.0 * static_cast<double>(size) + slack);
}

inline Signature signature_of(std::span<const std::uint32_t> set) {
  Signature signature{};
  for (const std::uint32_t feature : set) {
    const std::uint64_t bit = scrambled(feature) >> 20U & 511U;
    signature.words[bit / 64] ^= std::uint64_t{1} << (bit % 64);
  }
  return signature;
}

// Features that two sorted sets have in common.
inline std::size_t common_features(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint32_t p = a[i], q = b[j];
    common += p == q ? 1 : 0;
    i += p <= q ? 1 : 0;
    j += q <= p ? 1 : 0;
  }
  return common;
}

// Whether, by a sample of its pairs, so many of a group of sets are similar that each would be given more than half of `flood_limit` pairs.
// A function of the group's sets in their order of sizes alone: similar(x, y) is asked of places in it.
template <typename Similar>
bool is_flood(std::size_t sets, std::uint32_t flood_limit, const Similar& similar) {
  if (sets <= flood_limit) return false;
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < flood_sample; ++i) {
    const std::size_t x = (scrambled(2 * i) >> 32U) * sets >> 32U, y = (scrambled(2 * i + 1) >> 32U) * sets >> 32U;
    if (x != y && similar(x, y)) ++found;
  }
  return found * sets / flood_sample > flood_limit;  // each of them is given from one of its two sides
}

}  // namespace leitong::candidates
