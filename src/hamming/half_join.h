// The join of 64-bit fingerprints, or of one word of wider ones, for k of 0 to 3, by halves (half_tables.h). One side with itself, or two.
//
// For each table the rows are moved into parts by the upper bits of the key, and each part is joined in the cache (half_part.h). A part is
// the work of one thread. Where the budget does not hold the rows of all parts, it is done slice by slice: a slice is a run of parts, and
// costs one more pass over the rows, which may be a mapped file. So nothing is ever written to disk, and pairs come in the same order
// whatever the threads and the budget are.
#pragma once

#include <cstdint>

#include "hamming/bit_order.h"
#include "hamming/kernels.h"
#include "hamming/word_column.h"
#include "leitong/hamming.h"

namespace leitong::hamming {

// Pairs of two sides, or, if `right` has no rows, of `left` with itself. options.k is at most 3, options.words is not looked at; `order` is
// that of the larger side (bit_order.h).
void half_join(const Kernels& kernels, const WordColumn& left, const WordColumn& right, const ChosenOrder& order,
               const HammingJoinOptions& options, const HammingPairSink& sink);

// Nanoseconds a row of such a join of evenly spread rows on one thread, by the model.
[[nodiscard]] double half_join_cost(std::uint64_t n, unsigned k);

// Whether blocks of 16 bits tell n rows apart so well that halves pay. Where whole blocks are the same in all rows they do not: the general
// join cuts what is left as it needs.
[[nodiscard]] bool halves_pay(std::uint64_t n, const Spread& spread);

// Bytes beside the rows that a join of n rows takes without a budget.
[[nodiscard]] std::uint64_t half_join_bytes(std::uint64_t n, unsigned threads);

}  // namespace leitong::hamming
