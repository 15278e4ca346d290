// Exact join of short texts: all pairs of feature sets with Jaccard similarity >= t, of which at least one set is short.
//
// Prefix filter (Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007): with features ordered rarest first, two sets of similarity >=
// t share a feature among the first |x| - ceil(t|x|) + 1 of each; and sizes must be within a factor t. Found pairs are verified by merging,
// so what is given is exact.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace leitong::candidates {

struct SetInput {
  std::span<const std::uint32_t> rows;     // row number of each set, ascending
  std::span<const std::uint64_t> offsets;  // rows.size() + 1; set i = features[offsets[i], offsets[i+1]), sorted, distinct
  std::span<const std::uint32_t> features;
  std::span<const std::uint8_t> is_short;  // a pair is wanted if at least one side is short
  double threshold = 0.5;
  // As in BandInput: a prefix feature shared by more sets than this does not make all pairs; such rows are marked in `bounded`. Neither
  // does one of more than `flood_limit` sets that are so alike that, by a sample of its pairs, a set would be given more than
  // `flood_limit` / 2 of them: near-identical texts by the thousand, whose pairs grow with the square.
  std::uint32_t group_limit = 4096, flood_limit = 512, pivots = 16, window = 48;
  unsigned threads = 1;
  std::function<void()> stop = {};  // called now and then, on any thread; may throw
};

struct SetPair {
  std::uint32_t a = 0, b = 0;  // rows, a < b
  float similarity = 0;
};

// Each pair once, in the same order on any number of threads. The sink is called by one thread at a time. A set without features matches
// nothing. At most 2^31 - 1 sets. Memory: 16 bytes for each prefix feature that more than one set has, 48 for each set, 4 for each counter
// of feature frequencies and thread (at most 4 MiB each).
void set_join(const SetInput& input, const std::function<void(std::span<const SetPair>)>& sink, std::vector<std::uint8_t>& bounded);

}  // namespace leitong::candidates
