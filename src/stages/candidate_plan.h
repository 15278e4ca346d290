// Chooses the bands that the join uses, and says what share of the similar pairs they find.
#pragma once

#include <cstdint>
#include <optional>

#include "candidates/band_plan.h"
#include "fingerprint/minhash.h"
#include "leitong/recall.h"

namespace leitong::stages {

// The shape of the second sketch. Pairs whose bit sketches differ in more than 120 bits (an estimated bigram similarity below .25) are
// dropped.
inline constexpr candidates::SketchShape sketch_shape = {fingerprint::slot_count, 256, 120};

// The plan for this number of rows. Throws Error(usage) if no bands reach the goal for any number of rows.
[[nodiscard]] candidates::BandPlan candidate_plan(std::uint64_t rows, const std::optional<RecallGoal>& goal);

// Throws Error(usage) if the goal is impossible: together with a distance k, or for a similarity that the sketches cannot distinguish.
void check_goal(const std::optional<RecallGoal>& goal, const std::optional<unsigned>& k);

}  // namespace leitong::stages
