#include "similarity/feature_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "processor/instruction_set.h"
#include "similarity/feature_buckets.h"

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

#if defined(__x86_64__)
TEST(FeatureBuckets, VariantsAgree) {
  const processor::Features has = processor::features();
  std::vector<const FeatureBuckets*> others;
  if (processor::fits_avx2(has)) others.push_back(&feature_buckets_avx2);
  if (processor::fits_avx512(has)) others.push_back(&feature_buckets_avx512);
  std::mt19937_64 random(8);
  for (std::size_t n = 0; n < 2000; n = n < 20 ? n + 1 : n * 2) {
    std::vector<std::uint32_t> keys(n), wanted(n + 1);
    for (auto& key : keys) key = static_cast<std::uint32_t>(random());
    for (auto& key : wanted) key = n != 0 && random() % 2 == 0 ? keys[random() % n] : static_cast<std::uint32_t>(random());
    const auto result = [&](const FeatureBuckets& buckets) {
      constexpr unsigned shift = 24;
      std::vector<std::uint32_t> places(8U << 8U), rest(n);
      std::vector<std::uint8_t> filled(1U << 8U);
      rest.resize(buckets.fill(places.data(), filled.data(), shift, keys.data(), n, rest.data()));
      return std::tuple(places, filled, rest, buckets.count(places.data(), shift, wanted.data(), wanted.size()));
    };
    for (const FeatureBuckets* other : others) ASSERT_EQ(result(*other), result(feature_buckets_portable)) << n;
  }
  if (!processor::fits_avx512(has)) GTEST_SKIP() << "this processor lacks AVX-512: its buckets were not compared";
}
#endif

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
