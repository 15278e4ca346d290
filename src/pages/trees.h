// Boosted trees over rows of whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "pages/features.h"
#include "pages/model_table.h"

namespace leitong::pages {

// The score of each row, in 1/256 of a logarithm of odds: the sum of a leaf of each tree, rounded down. Fills `scores`, which is as long as
// `rows`. Sums of integers: the same on every machine. Time: rows x trees x depth.
void score(const Trees& trees, std::span<const Number* const> rows, std::span<std::int32_t> scores);

}  // namespace leitong::pages
