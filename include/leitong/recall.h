// What candidates are to find.
#pragma once

namespace leitong {

// What the candidate stage is to find: of the pairs of at least `similarity` (multiset Jaccard of words and word pairs), the share
// `recall`.
struct RecallGoal {
  double similarity = 0.8, recall = 0.99;  // each above 0 and below 1
};

}  // namespace leitong
