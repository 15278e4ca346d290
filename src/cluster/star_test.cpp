#include "cluster/star.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>

namespace leitong::cluster {
namespace {

using Edges = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // (better, worse), ascending
using Kept = std::map<std::uint32_t, std::uint32_t>;              // removed -> kept in its place

Kept stars(std::uint64_t records, const Edges& edges) {
  Stars stars(records);
  Kept kept;
  for (const auto& [better, worse] : edges)
    if (stars.takes(better, worse)) {
      EXPECT_FALSE(kept.contains(worse)) << "removed once";
      kept[worse] = better;
    }
  return kept;
}

// 0 - 1 - 2 - 3 with the best at an end: 0 takes 1; 2 resembles only the removed 1 and the worse 3, so it stays and takes 3.
TEST(Stars, AChainIsNotMerged) { EXPECT_EQ(stars(4, {{0, 1}, {1, 2}, {2, 3}}), (Kept{{1, 0}, {3, 2}})); }

TEST(Stars, TheBestOfAGroupStays) { EXPECT_EQ(stars(3, {{0, 1}, {0, 2}, {1, 2}}), (Kept{{1, 0}, {2, 0}})); }

TEST(Stars, WhatTwoWouldTakeGoesToTheBetter) { EXPECT_EQ(stars(4, {{0, 3}, {1, 2}, {1, 3}}), (Kept{{3, 0}, {2, 1}})); }

// As the definition says it: record after record, each with all its neighbours at hand.
Kept oracle(std::uint32_t records, const Edges& edges) {
  Kept kept;
  for (std::uint32_t centre = 0; centre < records; ++centre)
    for (std::uint32_t other = 0; other < records && !kept.contains(centre); ++other) {
      const bool joined = edges.contains({centre, other}) || edges.contains({other, centre});
      bool free = other != centre && !kept.contains(other);
      for (const auto& [removed, by] : kept) free = free && by != other;
      if (joined && free) kept[other] = centre;
    }
  return kept;
}

TEST(Stars, RandomGraphsAsByDefinition) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    const auto records = static_cast<std::uint32_t>(2 + random() % 30);
    Edges edges;
    for (std::uint64_t i = random() % (2 * records + 1); i > 0; --i) {
      const auto a = static_cast<std::uint32_t>(random() % records), b = static_cast<std::uint32_t>(random() % records);
      if (a != b) edges.insert({std::min(a, b), std::max(a, b)});
    }
    const Kept kept = stars(records, edges);
    ASSERT_EQ(kept, oracle(records, edges));
    for (const auto& [removed, by] : kept) ASSERT_FALSE(kept.contains(by)) << "what is kept in place of another stays itself";
    for (const auto& [a, b] : edges) ASSERT_TRUE(kept.contains(a) || kept.contains(b)) << "no two that stay resemble each other";
  }
}

}  // namespace
}  // namespace leitong::cluster
