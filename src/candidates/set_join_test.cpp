#include "candidates/set_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "candidates/signature_filter.h"
#include "leitong/error.h"
#include "processor/instruction_set.h"

namespace leitong::candidates {
namespace {

struct Data {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint64_t> offsets = {0};
  std::vector<std::uint32_t> features;
  std::vector<std::uint8_t> is_short;
  double threshold = 0.5;

  void add(std::vector<std::uint32_t> set, bool is_short_set) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    features.insert(features.end(), set.begin(), set.end());
    offsets.push_back(features.size());
    rows.push_back(static_cast<std::uint32_t>(rows.size() * 2 + 5));
    is_short.push_back(is_short_set ? 1 : 0);
  }
  [[nodiscard]] std::span<const std::uint32_t> set(std::size_t i) const {
    return std::span(features).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
  [[nodiscard]] SetInput input() const {
    SetInput input;
    input.rows = rows;
    input.offsets = offsets;
    input.features = features;
    input.is_short = is_short;
    input.threshold = threshold;
    return input;
  }
};

// Sets with Zipf-like features; every third is an edited copy of an earlier one.
Data skewed(std::size_t count, std::size_t most, double vocabulary, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto feature = [&] { return static_cast<std::uint32_t>(std::pow(vocabulary, uniform(random))) * 2654435761U; };
  Data data;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> set;
    if (i % 3 == 2) {
      const auto old = data.set(random() % i);
      set.assign(old.begin(), old.end());
      for (auto& f : set)
        if (uniform(random) < 0.15) f = feature();
    } else {
      const std::size_t size = random() % (most + 1);
      while (set.size() < size) set.push_back(feature());
    }
    data.add(set, random() % 4 != 0);
  }
  return data;
}

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, float>;

Pairs brute_force(const Data& data) {
  Pairs pairs;
  std::vector<std::uint32_t> common;
  for (std::size_t i = 0; i < data.rows.size(); ++i)
    for (std::size_t j = i + 1; j < data.rows.size(); ++j) {
      const auto a = data.set(i), b = data.set(j);
      if (a.empty() || b.empty() || (data.is_short[i] == 0 && data.is_short[j] == 0)) continue;
      common.clear();
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
      const double similarity = static_cast<double>(common.size()) / static_cast<double>(a.size() + b.size() - common.size());
      if (similarity >= data.threshold) pairs[{data.rows[i], data.rows[j]}] = static_cast<float>(similarity);
    }
  return pairs;
}

Pairs joined(const SetInput& input, std::vector<std::uint8_t>& bounded) {
  Pairs pairs;
  set_join(
      input,
      [&](std::span<const SetPair> batch) {
        for (const SetPair& pair : batch) {
          EXPECT_LT(pair.a, pair.b);
          EXPECT_TRUE((pairs.emplace(std::pair(pair.a, pair.b), pair.similarity).second)) << "given twice";
        }
      },
      bounded);
  return pairs;
}

TEST(SetJoin, AgreesWithBruteForce) {
  for (const std::size_t most : {1, 5, 30, 200})
    for (const double threshold : {0.1, 0.3, 0.5, 2.0 / 3, 0.8, 1.0}) {
      Data data = skewed(500, most, most < 10 ? 40 : 3000, static_cast<unsigned>(most));
      data.threshold = threshold;
      SetInput input = data.input();
      std::vector<std::uint8_t> bounded;
      const Pairs pairs = joined(input, bounded);
      EXPECT_TRUE(pairs == brute_force(data)) << most << " " << threshold;
      EXPECT_GT(pairs.size(), threshold < 0.7 ? 50U : 0U);
      EXPECT_EQ(bounded, std::vector<std::uint8_t>(data.rows.size(), 0));
    }
}

TEST(SetJoin, ThreadsGiveTheSamePairsInTheSameOrder) {
  Data data = skewed(6000, 40, 2000, 11);
  data.threshold = 0.4;
  const auto in_order = [&](unsigned threads, std::uint32_t limit) {
    SetInput input = data.input();
    input.threads = threads;
    input.group_limit = limit;
    std::vector<std::uint8_t> bounded;
    std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> pairs;
    set_join(
        input,
        [&](std::span<const SetPair> batch) {
          for (const SetPair& pair : batch) pairs.emplace_back(pair.a, pair.b, pair.similarity);
        },
        bounded);
    return std::pair(pairs, bounded);
  };
  for (const std::uint32_t limit : {100U, 100'000U}) {
    const auto one = in_order(1, limit);
    EXPECT_GT(one.first.size(), 100U);
    for (const unsigned threads : {2U, 3U, 8U}) EXPECT_TRUE(in_order(threads, limit) == one) << threads;
  }
}

TEST(SetJoin, AFailingSinkEndsAllThreads) {
  Data data = skewed(6000, 40, 2000, 12);
  data.threshold = 0.3;
  SetInput input = data.input();
  input.threads = 3;
  std::vector<std::uint8_t> bounded;
  EXPECT_THROW(set_join(input, [](std::span<const SetPair>) { throw Error(ErrorCode::interrupted, "stop"); }, bounded), Error);
}

TEST(SetJoin, BoundedGroupsGiveTrueDistinctPairsAndMarkTheirRows) {
  Data data = skewed(3000, 12, 60, 7);
  const Pairs all = brute_force(data);
  std::size_t last = 0;
  for (const std::uint32_t limit : {10U, 100U, 1000U, 10000U}) {
    SetInput input = data.input();
    input.group_limit = limit;
    std::vector<std::uint8_t> bounded;
    const Pairs pairs = joined(input, bounded);
    for (const auto& [rows, similarity] : pairs) {
      const auto found = all.find(rows);
      ASSERT_NE(found, all.end());
      EXPECT_EQ(found->second, similarity);
    }
    // What is missing is explained: both rows are marked.
    for (const auto& [rows, similarity] : all)
      if (!pairs.contains(rows)) {
        EXPECT_EQ(bounded[(rows.first - 5) / 2] + bounded[(rows.second - 5) / 2], 2);
      }
    EXPECT_GE(pairs.size(), last);
    last = pairs.size();
  }
  EXPECT_EQ(last, all.size());
}

TEST(SetJoin, EqualSetsInABoundedGroupMeetPivotsAndWindow) {
  Data data;
  for (int i = 0; i < 50; ++i) data.add({1, 2, 3}, true);
  SetInput input = data.input();
  input.group_limit = 20;
  input.pivots = 3;
  input.window = 4;
  std::vector<std::uint8_t> bounded;
  const Pairs pairs = joined(input, bounded);
  Pairs expected;
  for (std::uint32_t x = 0; x < 50; ++x)
    for (std::uint32_t y = x + 1; y < 50; ++y)
      if (x < 3 || y - x <= 4) expected[{x * 2 + 5, y * 2 + 5}] = 1;
  EXPECT_TRUE(pairs == expected);
  EXPECT_EQ(bounded, std::vector<std::uint8_t>(50, 1));
}

TEST(SetJoin, ManyEqualSetsAreLinear) {
  Data data;
  for (int i = 0; i < 20'000; ++i) data.add({10, 20, 30, 40}, true);
  std::vector<std::uint8_t> bounded;
  std::size_t given = 0;
  set_join(data.input(), [&](std::span<const SetPair> batch) { given += batch.size(); }, bounded);
  EXPECT_LE(given, 20'000U * 64);
  EXPECT_GE(given, 20'000U * 60);
}

TEST(SetJoin, EmptyInputAndEmptySets) {
  Data data;
  std::vector<std::uint8_t> bounded;
  EXPECT_TRUE(joined(data.input(), bounded).empty());
  data.add({}, true);
  data.add({}, true);
  data.add({7}, true);
  EXPECT_TRUE(joined(data.input(), bounded).empty());
  data.add({7}, false);
  EXPECT_EQ(joined(data.input(), bounded).size(), 1U);
}

TEST(SetJoin, WrongInputIsRefused) {
  Data data;
  data.add({1}, true);
  std::vector<std::uint8_t> bounded;
  SetInput input = data.input();
  input.threshold = 0;
  EXPECT_THROW(joined(input, bounded), Error);
  input = data.input();
  input.offsets = input.offsets.first(1);
  EXPECT_THROW(joined(input, bounded), Error);
}

TEST(SignatureFilter, VariantsAgree) {
#if defined(__x86_64__)
  const processor::Features has = processor::features();
  if (!processor::fits_avx2(has)) GTEST_SKIP() << "this processor lacks AVX2 and AVX-512: nothing was compared";
  std::vector<SignatureFilter> others{filter_signatures_avx2};
  if (processor::fits_avx512(has)) others.push_back(filter_signatures_avx512);
  std::mt19937_64 random(5);
  std::vector<Signature> signatures(1000);
  for (auto& s : signatures)
    for (auto& word : s.words) word = random();
  for (const unsigned most : {0U, 200U, 240U, 256U, 270U, 512U})
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 63U, 1000U})
      for (const SignatureFilter filter : others) {
        std::vector<std::uint32_t> one(count), other(count);
        one.resize(filter_signatures_portable(signatures.data(), count, signatures[3], most, one.data()));
        other.resize(filter(signatures.data(), count, signatures[3], most, other.data()));
        ASSERT_EQ(one, other) << most << " " << count;
      }
  if (!processor::fits_avx512(has)) GTEST_SKIP() << "this processor lacks AVX-512: its filter was not compared; that of AVX2 agrees";
#else
  GTEST_SKIP() << "one variant only";
#endif
}

// Notices of a few kinds that differ in a number each: with all pairs, twice the records have four times of them.
TEST(SetJoin, PairsOfNearIdenticalSetsGrowWithTheirNumber) {
  const auto notices = [](std::uint32_t count) {
    Data data;
    data.threshold = 0.6;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::vector<std::uint32_t> set;
      for (std::uint32_t f = 0; f < 12; ++f) set.push_back(f * 1000003);
      for (std::uint32_t f = 0; f < 3; ++f) set.push_back(500000000 + 3 * (i % (count / 100)) + f);  // a hundred of a kind
      set.push_back(1000000000 + i);
      data.add(set, true);
    }
    SetInput input = data.input();
    input.group_limit = 300, input.flood_limit = 50, input.pivots = 4, input.window = 8;
    std::vector<std::uint8_t> bounded;
    const Pairs pairs = joined(input, bounded);
    EXPECT_EQ(bounded, std::vector<std::uint8_t>(count, 1));
    input.threads = 3;
    EXPECT_TRUE(joined(input, bounded) == pairs);
    return pairs.size();
  };
  const std::size_t few = notices(400), many = notices(1600);
  EXPECT_GT(few, 1000U);
  EXPECT_LT(many, 6 * few);
}

// Sets that share a feature and little else are no flood: all their pairs are looked at.
TEST(SetJoin, AGroupOfUnlikeSetsIsNoFlood) {
  std::mt19937 random(5);
  Data data;
  for (std::uint32_t i = 0; i < 1500; ++i) {
    std::vector<std::uint32_t> set = {7};
    while (set.size() < 6) set.push_back(static_cast<std::uint32_t>(random() % 2000) * 2654435761U);
    data.add(set, true);
  }
  data.threshold = 0.4;
  const SetInput input = data.input();
  std::vector<std::uint8_t> bounded;
  EXPECT_TRUE(joined(input, bounded) == brute_force(data));
  EXPECT_EQ(bounded, std::vector<std::uint8_t>(data.rows.size(), 0));
}

TEST(SetJoin, CanBeStopped) {
  struct Stopped {};
  Data data = skewed(2000, 20, 100, 3);
  SetInput input = data.input();
  input.threads = 2;
  input.stop = [] { throw Stopped(); };
  std::vector<std::uint8_t> bounded;
  EXPECT_THROW(joined(input, bounded), Stopped);
}

}  // namespace
}  // namespace leitong::candidates
