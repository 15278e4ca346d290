// Rows as arguments, and whether equal ones are many: what joins and hamming_classes (leitong/hamming.h) share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace leitong::hamming {

// Error(usage) unless so many words are whole rows of 1, 2 or 4 words, and not too many.
void check_rows(std::size_t size, unsigned words);

// How many pairs of equal rows there are, about, by a sample that shows some 64 pairs where there is
// one for each row.
[[nodiscard]] double equal_pairs_estimate(std::span<const std::uint64_t> values, unsigned words);

}  // namespace leitong::hamming
