#include "similarity/feature_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace leitong::similarity {
namespace {

TEST(FeatureTable, CountsWhatASortedSetCounts) {
  std::mt19937_64 random(7);
  FeatureTable table;
  for (int round = 0; round < 200; ++round) {
    std::set<std::uint32_t> a, b;
    const std::uint32_t range = 1 + static_cast<std::uint32_t>(random() % 4000);
    // Spread over the top bits or packed into the low ones, where all fall into one bucket.
    const unsigned shift = round % 2 == 0 ? 20 : 0;
    for (std::uint64_t i = random() % 3000; i > 0; --i) a.insert(static_cast<std::uint32_t>(random() % range) << shift);
    for (std::uint64_t i = random() % 3000; i > 0; --i) b.insert(static_cast<std::uint32_t>(random() % range) << shift);
    std::vector<std::uint32_t> va(a.begin(), a.end()), vb(b.begin(), b.end()), common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    std::shuffle(va.begin(), va.end(), random);
    std::shuffle(vb.begin(), vb.end(), random);
    table.set(va);
    ASSERT_EQ(table.count(vb), common.size()) << "round " << round;
  }
}

TEST(FeatureTable, ANumberThatIsThereTwiceIsFoundOnceForEachThatLooksForIt) {
  FeatureTable table;
  std::vector<std::uint32_t> many(20);
  for (std::uint32_t i = 0; i < 20; ++i) many[i] = i / 2;  // ten numbers in one bucket: some in the rest
  table.set(many);
  EXPECT_EQ(table.count(many), 20U);
  const std::vector<std::uint32_t> once = {0, 1, 8, 9, 10};
  EXPECT_EQ(table.count(once), 4U);
}

TEST(FeatureTable, EmptySets) {
  FeatureTable table;
  const std::vector<std::uint32_t> some = {0, 1, 2};
  EXPECT_EQ(table.count(some), 0U);
  table.set({});
  EXPECT_EQ(table.count(some), 0U);
  table.set(some);
  EXPECT_EQ(table.count({}), 0U);
  EXPECT_EQ(table.count(some), 3U);
}

}  // namespace
}  // namespace leitong::similarity
