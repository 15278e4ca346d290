#include "cluster/star.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "leitong/error.h"

namespace leitong::cluster {
namespace {

// Neighbours of each row in compressed form: those of row i are targets[starts[i] .. starts[i + 1]), all as positions in `rows`.
struct Neighbours {
  std::vector<std::size_t> starts;
  std::vector<std::uint32_t> targets;
};

std::uint32_t position_of(std::span<const std::uint32_t> rows, std::uint32_t row) {
  const auto at = std::lower_bound(rows.begin(), rows.end(), row);
  if (at == rows.end() || *at != row) {
    throw Error(ErrorCode::format,
                "an edge names row " + std::to_string(row) + ", which is not among the rows to be grouped; make the edge file again");
  }
  return static_cast<std::uint32_t>(at - rows.begin());
}

Neighbours neighbours_of(std::span<const std::uint32_t> rows, std::span<const Edge> edges) {
  Neighbours result;
  result.starts.assign(rows.size() + 1, 0);
  for (const Edge& edge : edges) {
    ++result.starts[position_of(rows, edge.a) + 1];
    ++result.starts[position_of(rows, edge.b) + 1];
  }
  for (std::size_t i = 0; i < rows.size(); ++i) result.starts[i + 1] += result.starts[i];
  result.targets.resize(2 * edges.size());
  std::vector<std::size_t> next(result.starts.begin(), result.starts.end() - 1);
  for (const Edge& edge : edges) {
    const std::uint32_t a = position_of(rows, edge.a);
    const std::uint32_t b = position_of(rows, edge.b);
    result.targets[next[a]++] = b;
    result.targets[next[b]++] = a;
  }
  return result;
}

}  // namespace

std::vector<std::uint32_t> stars(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> rank, std::span<const Edge> edges) {
  if (rank.size() != rows.size()) throw Error(ErrorCode::usage, "stars: there must be one rank for each row");
  const Neighbours neighbours = neighbours_of(rows, edges);
  std::vector<std::uint32_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return rank[x] != rank[y] ? rank[x] < rank[y] : x < y; });
  std::vector<std::uint32_t> kept(rows.begin(), rows.end());
  std::vector<bool> grouped(rows.size(), false);
  for (const std::uint32_t centre : order) {
    if (grouped[centre]) continue;
    grouped[centre] = true;
    for (std::size_t i = neighbours.starts[centre]; i < neighbours.starts[centre + 1]; ++i) {
      const std::uint32_t member = neighbours.targets[i];
      if (grouped[member]) continue;
      grouped[member] = true;
      kept[member] = rows[centre];
    }
  }
  return kept;
}

}  // namespace leitong::cluster
