// The bands that the join takes, and what they find.
#pragma once

#include <cstdint>
#include <optional>

#include "candidates/band_plan.h"
#include "fingerprint/minhash.h"
#include "leitong/recall.h"

namespace leitong::stages {

// Of the second sketch. A pair whose bit sketches are further apart than 120 is dropped: estimated similarity of bigrams below .25.
inline constexpr candidates::SketchShape sketch_shape = {fingerprint::slot_count, 256, 120};

// For so many rows. Throws Error(usage) if no bands reach the goal, whatever the rows.
[[nodiscard]] candidates::BandPlan candidate_plan(std::uint64_t rows, const std::optional<RecallGoal>& goal);

// Throws Error(usage) if a goal cannot be had: not with a distance, and not beyond what the sketches tell apart.
void check_goal(const std::optional<RecallGoal>& goal, const std::optional<unsigned>& k);

}  // namespace leitong::stages
