#include "stages/candidate_plan.h"

#include <fmt/format.h>

#include "leitong/error.h"

namespace leitong::stages {

candidates::BandPlan candidate_plan(std::uint64_t rows, const std::optional<RecallGoal>& goal) {
  const auto plan = candidates::plan_bands(rows, goal, sketch_shape);
  if (plan) return *plan;
  throw Error(
      ErrorCode::usage,
      fmt::format(
          "no bands of the sketches find {} of the pairs of similarity {}: {:.3f} is the most; ask for that, or for a higher similarity",
          goal->recall, goal->similarity, candidates::predicted_recall(goal->similarity, {sketch_shape.slots, 1}, sketch_shape)));
}

void check_goal(const std::optional<RecallGoal>& goal, const std::optional<unsigned>& k) {
  if (!goal) return;
  if (k) throw Error(ErrorCode::usage, "--recall and --similarity choose bands; a distance -k uses none: give one or the other");
  (void)candidate_plan(0, goal);
}

}  // namespace leitong::stages
