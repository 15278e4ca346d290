// How many bands of how many slots nominate candidates, and what share of the pairs of a similarity that finds.
//
// Three things decide it. The slots sample the uncommon bigrams, while a similarity is that of unigrams and bigrams together
// (bigram_similarity). All slots of at least one band must agree (Broder 1997; Leskovec, Rajaraman, Ullman, Mining of Massive Datasets,
// 3.4). And the bit sketches must not be further apart than the filter lets pass (a binomial tail). Chance agreements grow with the number
// of rows and fall with the length of a band, so a long band is the better one as long as it finds enough.
#pragma once

#include <cstdint>
#include <optional>

#include "leitong/recall.h"

namespace leitong::candidates {

struct BandPlan {
  unsigned bands = 0, slots = 0;  // slots of a band
};

struct SketchShape {
  unsigned slots = 0;         // of a sketch
  unsigned values = 0;        // of a slot, so that two slots agree by chance once in so many
  unsigned max_distance = 0;  // of the bit sketches, one bit a slot
};

// Similarity of the bigrams of two texts, if their unigrams and bigrams together have this similarity and the tokens in which they differ
// stand apart: each then breaks two bigrams. Edits that stand together break fewer, so that this errs towards less.
[[nodiscard]] double bigram_similarity(double similarity);

// Probability that at least one of `bands` bands of `rows_per_band` slots agrees, for texts of Jaccard similarity j.
[[nodiscard]] double band_recall(double j, unsigned bands, unsigned rows_per_band);

// The share of pairs of this similarity that become candidates. O(shape.slots).
[[nodiscard]] double predicted_recall(double similarity, const BandPlan& plan, const SketchShape& shape);

// With a goal the longest bands that reach it, as few of them as do; nothing if none does. Without: by the number of rows alone.
[[nodiscard]] std::optional<BandPlan> plan_bands(std::uint64_t rows, const std::optional<RecallGoal>& goal, const SketchShape& shape);

}  // namespace leitong::candidates
