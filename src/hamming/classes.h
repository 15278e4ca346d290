// Whether equal rows are many, for hamming_classes (leitong/hamming.h).
#pragma once

#include <cstdint>
#include <span>

namespace leitong::hamming {

// How many pairs of equal rows there are, about, by a sample of 65,536 rows: 25,000 pairs among 10 M rows show once in it.
[[nodiscard]] double equal_pairs_estimate(std::span<const std::uint64_t> values, unsigned words);

}  // namespace leitong::hamming
