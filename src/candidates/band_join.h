// Rows that agree on a band of their MinHash sketch, filtered by the distance of their bit sketches, to candidate pairs.
//
// Each band gives every row a 32-bit key; rows with equal keys are compared. One band is in memory at a time (keys, a radix partition of
// them), beside the bit sketches and the keys of the last few bands: a pair that agreed there was given then and is skipped, which keeps
// the repeats few. What remains of repeats is the caller's to drop (ExternalSort, unique).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace leitong::candidates {

struct BandInput {
  std::uint64_t rows = 0;  // at most 2^32 - 2
  unsigned bands = 0;
  std::function<void(unsigned band, std::span<std::uint32_t> keys)> keys;  // keys of all `active` rows, in order of `active`
  std::span<const std::uint32_t> active;                                   // rows that take part, ascending
  std::span<const std::uint64_t> bits;                                     // rows of `active` × words, same order
  unsigned words = 5;                                                      // 64-bit words of a bit sketch
  unsigned max_distance = 0;                                               // pairs further apart are dropped
  std::uint32_t old_rows = 0;                                              // rows below this one are not compared with each other
  // Rows in one group beyond `group_limit` are not all compared with each other: each row then meets the group's first `pivots` rows and
  // the next `window` rows, so that a key shared by a million rows costs a million, not a million million, comparisons. Such rows are
  // marked in `bounded`.
  std::uint32_t group_limit = 512, pivots = 16, window = 48;
  unsigned threads = 1;
};

struct Candidate {
  std::uint32_t a = 0, b = 0;  // rows, a < b
  std::uint32_t distance = 0;  // of the bit sketches
};

// Memory: 8 bytes a row for the partition, 20 for the keys of this band and the last four; where groups were bounded up to 20 more.
// `sink` may be called from another thread than the caller's; its calls never overlap. What `keys` or `sink` throws is thrown on.
// `bounded`: resized to active.size(), 1 for a row that met the limit in some band. Deterministic, whatever the threads.
void band_join(const BandInput& input, const std::function<void(std::span<const Candidate>)>& sink, std::vector<std::uint8_t>& bounded);

}  // namespace leitong::candidates
