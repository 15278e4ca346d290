// The join of fingerprints of any width and any k: plan (plan.h), partition in parallel, hand ranges of buckets to the threads.
#pragma once

#include <cstdint>
#include <span>

#include "hamming/kernels.h"
#include "leitong/hamming.h"

namespace leitong::hamming {

// All pairs of rows within options.k bits; or, if `split` is not 0, those of a row before `split` (pair.a) and one from there on (pair.b,
// counted from there). options.memory is not looked at.
void general_join(const Kernels& kernels, std::span<const std::uint64_t> values, std::uint32_t split, const HammingJoinOptions& options,
                  const HammingPairSink& sink);

// Bytes beside the rows that such a join takes, about: without directories (up to 64 MiB) and what floods add.
[[nodiscard]] std::uint64_t general_join_bytes(std::uint64_t n, unsigned words);

}  // namespace leitong::hamming
