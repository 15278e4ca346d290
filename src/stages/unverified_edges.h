// Edges that no text confirms, put among those that were verified.
#pragma once

#include <cstdint>
#include <functional>

#include "stages/pair_reader.h"
#include "storage/table.h"

namespace leitong::stages {

using NextPair = std::function<bool(PairRow&)>;  // false at the end

// Writes the edges of `verified` and the pairs that `unverified` gives to `writer`, a file of edges that the caller finishes. Both ascend
// by (a, b); of a pair that is in both the verified one stands. Returns how many were added. One block of each is in memory.
std::uint64_t merge_edges(const storage::TableReader& verified, const NextPair& unverified, storage::TableWriter& writer);

}  // namespace leitong::stages
