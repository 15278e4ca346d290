#include "candidates/band_plan.h"

#include <algorithm>
#include <cmath>

namespace leitong::candidates {
namespace {

// Without a goal. Chance agreements a row grow in proportion to the rows; while these are few, short bands find the copies with scattered
// edits too, whose similarity is little above the threshold, for a tenth of the join's time (docs/accuracy.md).
struct PlanByRows {
  std::uint64_t up_to;
  unsigned slots;
};
constexpr PlanByRows plans_by_rows[] = {{300'000, 3}, {3'000'000, 4}, {30'000'000, 5}, {~0ULL, 6}};

constexpr unsigned most_slots = 16;  // of a band: longer ones than this find copies alone

// Of a sum of n independent bits, each set with probability p: that it is at most k.
double binomial_at_most(unsigned n, double p, unsigned k) {
  if (p <= 0 || k >= n) return 1;
  double sum = 0;
  for (unsigned i = 0; i <= k; ++i)
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * std::log(p) + (n - i) * std::log1p(-p));
  return std::min(sum, 1.0);
}

}  // namespace

// An edited share e of the tokens changes 2e of the unigrams' union and 4e of the bigrams': with s = (2 - 3e) / (2 + 3e) of both together,
// the bigrams' alone is (1 - 2e) / (1 + 2e).
double bigram_similarity(double similarity) { return std::max(0.0, (7 * similarity - 1) / (7 - similarity)); }

double band_recall(double j, unsigned bands, unsigned rows_per_band) {
  return 1 - std::pow(1 - std::pow(j, static_cast<double>(rows_per_band)), static_cast<double>(bands));
}

double predicted_recall(double similarity, const BandPlan& plan, const SketchShape& shape) {
  const double j = bigram_similarity(similarity), agree = j + (1 - j) / shape.values;
  return band_recall(agree, plan.bands, plan.slots) * binomial_at_most(shape.slots, (1 - j) / 2, shape.max_distance);
}

std::optional<BandPlan> plan_bands(std::uint64_t rows, const std::optional<RecallGoal>& goal, const SketchShape& shape) {
  if (!goal) {
    const PlanByRows* plan = plans_by_rows;
    while (rows > plan->up_to) ++plan;
    return BandPlan{shape.slots / plan->slots, plan->slots};
  }
  for (unsigned slots = most_slots; slots >= 1; --slots) {
    BandPlan plan{shape.slots / slots, slots};
    if (predicted_recall(goal->similarity, plan, shape) < goal->recall) continue;
    while (plan.bands > 1 && predicted_recall(goal->similarity, {plan.bands - 1, slots}, shape) >= goal->recall) --plan.bands;
    return plan;
  }
  return std::nullopt;
}

}  // namespace leitong::candidates
