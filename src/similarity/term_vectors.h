// Two texts as vectors of term frequencies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "leitong/similarity.h"

namespace leitong::similarity {

// Of tokens as numbers, in any order; two texts without tokens are equal. O(n log n + m log m).
[[nodiscard]] TermMeasures term_measures(std::vector<std::uint64_t> a, std::vector<std::uint64_t> b);

}  // namespace leitong::similarity
