// All pairs of fingerprints within k bits of each other, exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace leitong {

struct HammingPair {
  std::uint32_t a, b;  // rows, a < b
  std::uint32_t distance;
};

struct HammingJoinOptions {
  unsigned words = 1;  // 64-bit words a fingerprint: 1, 2 or 4
  unsigned k = 3;      // 0..12 at one word; any k at two or four
  unsigned threads = 1;
};

// Calls `sink` with batches of pairs until every pair of rows within k bits was given once. The order of pairs is the same on every run
// with one thread and unspecified otherwise; sink calls never overlap. `values` holds rows × words words, at most 2^32 - 1 rows.
// Equal rows: a class of m equal fingerprints gives m(m-1)/2 pairs, so collapse equal rows first where they may be many.
// Sources: Manku, Jain, Das Sarma 2007; general pigeonhole of Qin et al. (GPH, 2018). docs/hamming.md.
// Throws Error(usage) for a k or width outside the ranges above.
void hamming_self_join(std::span<const std::uint64_t> values, const HammingJoinOptions& options,
                       const std::function<void(std::span<const HammingPair>)>& sink);

}  // namespace leitong
