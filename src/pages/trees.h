// Boosted trees over rows of whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pages/features.h"
#include "pages/model_table.h"

namespace leitong::pages {

// The score of each row, in 1/256 of a logarithm of odds: the sum of a leaf of each tree, rounded down. `stride` numbers lie between the
// beginnings of two rows. Replaces `scores`. Sums of integers: the same on every machine. Time: rows x trees x depth.
void score(const Trees& trees, const Number* rows, std::size_t count, std::size_t stride, std::vector<std::int32_t>& scores);

}  // namespace leitong::pages
