// Merges edges that no text confirms with the verified edges.
#pragma once

#include <cstdint>
#include <functional>

#include "stages/pair_reader.h"
#include "storage/table.h"

namespace leitong::stages {

using NextPair = std::function<bool(PairRow&)>;  // false at the end

// Writes the edges of `verified` and the pairs that `unverified` returns to `writer`, an edge file that the caller finishes. Both inputs
// ascend by (a, b); a pair that is in both is taken from `verified`. Returns how many pairs were added. Holds one block of each in memory.
std::uint64_t merge_edges(const storage::TableReader& verified, const NextPair& unverified, storage::TableWriter& writer);

}  // namespace leitong::stages
