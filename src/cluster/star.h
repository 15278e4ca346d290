// Pairs to groups: greedy stars in keep order.
//
// Records are visited best first (by the keep policy). One that is not yet in a group becomes the kept record of a new group and takes
// every record that is joined to it by an edge and is still free. So every removed record has an edge to the one that is kept in its place:
// nothing is removed for resembling something that was itself removed, which is how transitive closure merges whole families.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace leitong::cluster {

struct Edge {
  std::uint32_t a = 0, b = 0;  // rows
  float similarity = 0;
};

// rank[i]: position of row rows[i] in keep order. Returns for each of `rows` the row that is kept in its place (itself if kept). O(E log
// E). `rows` sorted, distinct, holding every row of an edge.
[[nodiscard]] std::vector<std::uint32_t> stars(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> rank,
                                               std::span<const Edge> edges);

}  // namespace leitong::cluster
