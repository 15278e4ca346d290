// Chains and look-ups on generated edge files, compared with an implementation that holds everything in memory.
#include "deduplication/edge_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <random>

#include "leitong/error.h"
#include "records/read_input_test.h"
#include "storage/vfs.h"

namespace leitong::deduplication {
namespace {

using Edges = std::map<std::pair<std::uint32_t, std::uint32_t>, stages::PairRow>;

void write(const std::string& path, const Edges& edges, std::uint32_t rows_per_block) {
  storage::Schema schema = stages::pair_schema("edges");
  schema.rows_per_block = rows_per_block;
  storage::TableWriter writer(storage::posix_vfs(), path, schema);
  storage::Block block(schema);
  for (const auto& [ends, edge] : edges) {
    block.put(stages::PairColumns::a, edge.a);
    block.put(stages::PairColumns::b, edge.b);
    block.put(stages::PairColumns::kind, static_cast<std::uint8_t>(edge.kind));
    block.put(stages::PairColumns::value, edge.value);
  }
  if (!edges.empty()) writer.append(block);
  (void)writer.finish("{}");
}

Edges random_edges(std::mt19937_64& random, std::uint32_t rows, std::size_t count) {
  Edges edges;
  for (std::size_t i = 0; i < count; ++i) {
    auto a = static_cast<std::uint32_t>(random() % rows), b = static_cast<std::uint32_t>(random() % rows);
    if (a == b) continue;
    if (a > b) std::swap(a, b);
    edges[{a, b}] = {a, b, random() % 4 == 0 ? stages::PairKind::equal : stages::PairKind::bands, static_cast<float>(random() % 8) / 8};
  }
  return edges;
}

// The number of edges from `from` to every member, over edges between members.
std::map<std::uint32_t, std::size_t> distances(const Edges& edges, const std::vector<std::uint32_t>& members, std::uint32_t from) {
  std::map<std::uint32_t, std::size_t> links = {{from, 0}};
  std::queue<std::uint32_t> open({from});
  const auto is_member = [&](std::uint32_t row) { return std::binary_search(members.begin(), members.end(), row); };
  for (; !open.empty(); open.pop())
    for (const auto& [ends, edge] : edges) {
      const std::uint32_t at = open.front();
      if (edge.a != at && edge.b != at) continue;
      const std::uint32_t other = edge.a == at ? edge.b : edge.a;
      if (is_member(other) && links.try_emplace(other, links[at] + 1).second) open.push(other);
    }
  return links;
}

void expect_chain(const std::vector<stages::PairRow>& chain, const Edges& edges, const std::vector<std::uint32_t>& members,
                  std::uint32_t from, std::uint32_t to) {
  const auto links = distances(edges, members, from);
  const auto found = links.find(to);
  ASSERT_EQ(chain.size(), found == links.end() ? 0 : found->second);
  std::uint32_t at = from;
  for (const stages::PairRow& edge : chain) {
    const auto original = edges.find({edge.a, edge.b});
    ASSERT_NE(original, edges.end());
    EXPECT_EQ(edge.value, original->second.value);
    EXPECT_EQ(edge.kind, original->second.kind);
    ASSERT_TRUE(edge.a == at || edge.b == at);
    at = edge.a == at ? edge.b : edge.a;
    ASSERT_TRUE(std::binary_search(members.begin(), members.end(), at));
  }
  if (!chain.empty()) {
    EXPECT_EQ(at, to);
  }
}

TEST(EdgeChain, IsShortestAndKeepsToTheCluster) {
  const TemporaryDirectory directory;
  std::mt19937_64 random(7);
  for (int round = 0; round < 150; ++round) {
    const auto rows = static_cast<std::uint32_t>(2 + random() % 40);
    const Edges edges = random_edges(random, rows, random() % 70);
    write(directory / "edges", edges, static_cast<std::uint32_t>(1 + random() % 9));
    const auto table = stages::open_stage_file(directory / "edges", "edges");
    std::vector<std::uint32_t> members;
    for (std::uint32_t row = 0; row < rows; ++row)
      if (random() % 5 != 0) members.push_back(row);
    if (members.empty()) members.push_back(0);
    const auto member = [&] { return members[random() % members.size()]; };
    const std::uint32_t from = member(), to = member();
    expect_chain(edge_chain(table, rows, members, from, to, [] {}), edges, members, from, to);
    EXPECT_TRUE(edge_chain(table, rows, members, from, rows + 1, [] {}).empty()) << "no member";
  }
}

TEST(EdgeChain, TheMostSimilarOfEquallyShortOnes) {
  const TemporaryDirectory directory;
  Edges edges;
  const auto add = [&](std::uint32_t a, std::uint32_t b, float value) { edges[{a, b}] = {a, b, stages::PairKind::bands, value}; };
  add(0, 1, 0.9F), add(1, 9, 0.5F), add(0, 2, 0.6F), add(2, 9, 0.75F), add(0, 3, 0.7F), add(3, 9, 0.75F);
  write(directory / "edges", edges, 2);
  const auto table = stages::open_stage_file(directory / "edges", "edges");
  const auto chain = edge_chain(table, 10, {0, 1, 2, 3, 9}, 0, 9, [] {});
  ASSERT_EQ(chain.size(), 2U);
  EXPECT_EQ(chain[0].b, 2U);
  EXPECT_EQ(chain[1].a, 2U);
}

TEST(PairReader, FindsEveryPairAndNoOther) {
  const TemporaryDirectory directory;
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    const Edges edges = random_edges(random, 30, random() % 80);
    write(directory / "edges", edges, static_cast<std::uint32_t>(1 + random() % 7));
    const auto table = stages::open_stage_file(directory / "edges", "edges");
    for (std::uint32_t a = 0; a < 31; ++a)
      for (std::uint32_t b = a + 1; b < 31; ++b) {
        const auto found = stages::find_pair(table, a, b);
        const auto expected = edges.find({a, b});
        ASSERT_EQ(found.has_value(), expected != edges.end()) << a << " " << b;
        if (found) {
          EXPECT_EQ(found->value, expected->second.value);
        }
      }
  }
}

TEST(PairReader, RowsThatAreNotThereAreAnError) {
  const TemporaryDirectory directory;
  write(directory / "edges", {{{3, 8}, {3, 8, stages::PairKind::bands, 1}}}, 4);
  const auto table = stages::open_stage_file(directory / "edges", "edges");
  int seen = 0, blocks = 0;
  stages::for_each_pair(table, 9, [&] { ++blocks; }, [&](const stages::PairRow& pair) { seen += pair.b == 8 ? 1 : 0; });
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(blocks, 1);
  EXPECT_THROW(stages::for_each_pair(table, 8, [] {}, [](const stages::PairRow&) {}), Error);
}

}  // namespace
}  // namespace leitong::deduplication
