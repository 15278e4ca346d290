// The shortest chain of accepted pairs between two records of a cluster.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "stages/pair_reader.h"

namespace leitong::deduplication {

// Breadth-first search over the edges between `members` (ascending): one pass over the edge file for each step of the chain, and one more
// for each step back. Among equally short chains, going back from `to`, each step takes the most similar pair, then the one with the
// smaller row. Every edge of the result continues the one before, whichever of its ends comes first. The result is empty if there is no
// chain or if from == to. Memory: two bytes a member.
[[nodiscard]] std::vector<stages::PairRow> edge_chain(const storage::TableReader& edges, std::uint64_t rows,
                                                      const std::vector<std::uint32_t>& members, std::uint32_t from, std::uint32_t to,
                                                      const std::function<void()>& before_block);

}  // namespace leitong::deduplication
