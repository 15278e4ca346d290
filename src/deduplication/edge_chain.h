// The shortest chain of accepted pairs between two records of a cluster.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "stages/pair_reader.h"

namespace leitong::deduplication {

// Breadth first over the edges between `members` (ascending), one pass over the edge file for each link, and one more for each to go back.
// Of equally short chains: going back from `to`, the most similar pair at each step, then the one with the lesser row. Every edge of the
// result leads on from the one before, whichever of its ends comes first; empty if there is no chain, or from == to. Memory: two bytes a
// member.
[[nodiscard]] std::vector<stages::PairRow> edge_chain(const storage::TableReader& edges, std::uint64_t rows,
                                                      const std::vector<std::uint32_t>& members, std::uint32_t from, std::uint32_t to,
                                                      const std::function<void()>& before_block);

}  // namespace leitong::deduplication
