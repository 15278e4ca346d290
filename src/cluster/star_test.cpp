#include "cluster/star.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include "leitong/error.h"

namespace leitong::cluster {
namespace {

using Rows = std::vector<std::uint32_t>;

TEST(Stars, NoRows) { EXPECT_TRUE(stars({}, {}, {}).empty()); }

TEST(Stars, WithoutEdgesEveryRowStays) {
  const Rows rows{3, 5, 9};
  const Rows rank{2, 0, 1};
  EXPECT_EQ(stars(rows, rank, {}), rows);
}

// 1 - 2 - 3 - 4 with the best at an end: 1 takes 2; 3 resembles only the removed 2 and the worse 4, so it stays and takes 4.
TEST(Stars, AChainIsNotMerged) {
  const Rows rows{1, 2, 3, 4};
  const Rows rank{0, 1, 2, 3};
  const std::vector<Edge> edges{{1, 2, 1}, {2, 3, 1}, {3, 4, 1}};
  EXPECT_EQ(stars(rows, rank, edges), (Rows{1, 1, 3, 3}));
}

TEST(Stars, TheBestOfAGroupStays) {
  const Rows rows{10, 20, 30};
  const Rows rank{2, 0, 1};
  const std::vector<Edge> edges{{10, 20, 1}, {10, 30, 1}, {20, 30, 1}};
  EXPECT_EQ(stars(rows, rank, edges), (Rows{20, 20, 20}));
}

TEST(Stars, AnUnknownRowIsAnError) {
  const Rows rows{1, 2};
  const Rows rank{0, 1};
  const std::vector<Edge> edges{{1, 7, 1}};
  EXPECT_THROW((void)stars(rows, rank, edges), Error);
  EXPECT_THROW((void)stars(rows, Rows{0}, {}), Error);
}

struct Graph {
  Rows rows, rank;
  std::vector<Edge> edges;
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
};

Graph random_graph(std::mt19937_64& random) {
  Graph graph;
  const std::size_t size = 1 + random() % 30;
  std::uint32_t row = 0;
  for (std::size_t i = 0; i < size; ++i) graph.rows.push_back(row += 1 + static_cast<std::uint32_t>(random() % 5));
  graph.rank.resize(size);
  std::iota(graph.rank.begin(), graph.rank.end(), 0);
  std::shuffle(graph.rank.begin(), graph.rank.end(), random);
  for (std::size_t i = random() % (2 * size + 1); i > 0; --i) {
    const std::uint32_t a = graph.rows[random() % size];
    const std::uint32_t b = graph.rows[random() % size];
    graph.edges.push_back({a, b, 0.5F});  // loops and repeated edges included
    graph.joined.insert({a, b});
    graph.joined.insert({b, a});
  }
  return graph;
}

TEST(Stars, Properties) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    Graph graph = random_graph(random);
    const Rows kept = stars(graph.rows, graph.rank, graph.edges);
    std::vector<std::size_t> at(graph.rows.back() + 1);
    for (std::size_t i = 0; i < graph.rows.size(); ++i) at[graph.rows[i]] = i;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const std::size_t centre = at[kept[i]];
      ASSERT_EQ(kept[centre], kept[i]) << "what is kept in place of another is itself kept";
      if (centre != i) {
        ASSERT_TRUE(graph.joined.count({graph.rows[i], kept[i]})) << "a removed row has an edge to the kept one";
        ASSERT_LT(graph.rank[centre], graph.rank[i]);
      }
    }
    for (const auto& [a, b] : graph.joined) {  // nothing that stays could have been removed for another that stays
      if (a != b) {
        ASSERT_FALSE(kept[at[a]] == a && kept[at[b]] == b);
      }
    }
    for (int permutation = 0; permutation < 3; ++permutation) {
      std::shuffle(graph.edges.begin(), graph.edges.end(), random);
      for (Edge& edge : graph.edges) {
        if (random() % 2 == 0) std::swap(edge.a, edge.b);
      }
      ASSERT_EQ(stars(graph.rows, graph.rank, graph.edges), kept);
    }
  }
}

}  // namespace
}  // namespace leitong::cluster
