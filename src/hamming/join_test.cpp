// The join against brute force, on data that is kind, skewed and hostile.
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamming/hamming.h"
#include "hamming/sample_rows_test.h"
#include "leitong/error.h"

namespace leitong::hamming {
namespace {

const Kernels& last_kernels() { return *available_kernels().back(); }

TEST(SelfJoin, MatchesBruteForceAt64BitsForEveryK) {
  for (unsigned k = 0; k <= 12; ++k) {
    for (const Collection& c : collections(1, 1600, k)) {
      const std::vector<HammingPair> want = brute_force(c.values, 1, k);
      for (const Kernels* set : available_kernels()) {
        const std::string what = c.name + " k=" + std::to_string(k) + " " + set->name;
        expect_same(join(*set, c.values, {.words = 1, .k = k, .threads = 1}), want, what);
        expect_same(join(*set, c.values, {.words = 1, .k = k, .threads = 3}), want, what + " threads=3");
      }
    }
  }
}

TEST(SelfJoin, MatchesBruteForceAt128And256Bits) {
  for (const unsigned words : {2U, 4U}) {
    for (const unsigned k : {0U, 3U, 8U, 20U, 40U, 64U}) {
      for (const Collection& c : collections(words, 800, k)) {
        const std::vector<HammingPair> want = brute_force(c.values, words, k);
        for (const Kernels* set : available_kernels()) {
          const std::string what = c.name + " words=" + std::to_string(words) + " k=" + std::to_string(k) + " " + set->name;
          expect_same(join(*set, c.values, {.words = words, .k = k, .threads = 2}), want, what);
        }
      }
    }
  }
}

// Large enough for two-pass partitions, probes and recursion; the oracle is the plain scan kernel with whole rows.
TEST(SelfJoin, MatchesAPlainScanOfManyRows) {
  for (const unsigned k : {0U, 3U, 7U, 9U, 12U}) {
    Generator g(1, 100 + k);
    for (const Collection& c : {Collection{"planted", g.planted(12000, k + 1)},
                                Collection{"flooded", g.flooded(12000, k + 1, 0xfffffU << 20)}, Collection{"skewed", g.skewed(12000, k)}}) {
      std::vector<HammingPair> want;
      std::vector<std::uint32_t> near(c.values.size());
      for (std::uint32_t a = 0; a < c.values.size(); ++a) {
        const auto rest = static_cast<std::uint32_t>(c.values.size() - a - 1);
        const std::uint32_t count = compare(&c.values[a], c.values.data() + a + 1, rest, 1, k, near.data());
        for (std::uint32_t i = 0; i < count; ++i) {
          const std::uint32_t b = a + 1 + near[i];
          want.push_back({a, b, distance(&c.values[a], &c.values[b], 1)});
        }
      }
      expect_same(join(last_kernels(), c.values, {.words = 1, .k = k, .threads = 1}), want, c.name + " k=" + std::to_string(k));
    }
  }
}

TEST(SelfJoin, EveryKernelAndThreadCountGivesTheSameLargeSet) {
  Generator g(1, 5);
  const Values values = g.planted(150000, 4);
  const std::vector<HammingPair> one = join(last_kernels(), values, {.words = 1, .k = 3, .threads = 1});
  EXPECT_GT(one.size(), 25000U);
  for (const HammingPair& p : one) ASSERT_EQ(p.distance, distance(&values[p.a], &values[p.b], 1));
  for (const Kernels* set : available_kernels()) {
    for (const unsigned threads : {1U, 2U}) {
      const std::vector<HammingPair> again = join(*set, values, {.words = 1, .k = 3, .threads = threads});
      EXPECT_EQ(again.size(), one.size()) << set->name << " " << threads;
      EXPECT_EQ(checksum(again), checksum(one)) << set->name << " " << threads;
    }
  }
}

// The same pairs must come out however the rows are numbered: found pairs are mapped back and compared.
TEST(SelfJoin, DoesNotDependOnTheOrderOfRows) {
  Generator g(1, 6);
  const Values values = g.clustered(30000, 3000, 3);
  Values reversed(values.rbegin(), values.rend());
  const auto last = static_cast<std::uint32_t>(values.size() - 1);
  for (const unsigned k : {3U, 6U}) {
    std::vector<HammingPair> back = join(last_kernels(), reversed, {.words = 1, .k = k, .threads = 1});
    for (HammingPair& p : back) p = {last - p.b, last - p.a, p.distance};
    const std::vector<HammingPair> straight = join(last_kernels(), values, {.words = 1, .k = k, .threads = 1});
    EXPECT_EQ(straight.size(), back.size());
    EXPECT_EQ(checksum(straight), checksum(back));
  }
}

TEST(SelfJoin, EqualRowsGiveAllTheirPairs) {
  for (const unsigned words : {1U, 2U, 4U}) {
    for (const unsigned k : {0U, 3U, 12U}) {
      const Values values(std::size_t{600} * words, 0x123456789abcdefU);
      for (const Kernels* set : available_kernels()) {
        const auto pairs = join(*set, values, {.words = words, .k = k, .threads = 1});
        expect_same(pairs, brute_force(values, words, k), "equal rows");
        EXPECT_EQ(pairs.size(), 600U * 599 / 2);
      }
    }
  }
}

TEST(SelfJoin, FewRows) {
  for (const unsigned k : {0U, 3U, 12U}) {
    EXPECT_TRUE(join(last_kernels(), {}, {.words = 1, .k = k, .threads = 4}).empty());
    EXPECT_TRUE(join(last_kernels(), {5}, {.words = 1, .k = k, .threads = 4}).empty());
    expect_same(join(last_kernels(), {5, 5}, {.words = 1, .k = k, .threads = 4}), {{0, 1, 0}}, "two equal rows");
    EXPECT_TRUE(join(last_kernels(), {0, ~std::uint64_t{0}}, {.words = 1, .k = k, .threads = 4}).empty());
  }
  expect_same(join(last_kernels(), {0, 0, 7, 7}, {.words = 2, .k = 6, .threads = 1}), {{0, 1, 6}}, "two wide rows");
}

TEST(SelfJoin, AnyKAtWideRowsUpToAllBits) {
  Generator g(2, 11);
  const Values values = g.uniform(200);
  for (const unsigned k : {60U, 100U, 127U, 128U, 1000U}) {
    expect_same(join(last_kernels(), values, {.words = 2, .k = k, .threads = 1}), brute_force(values, 2, k), "k=" + std::to_string(k));
  }
}

// Rows that share one block: a scan of the flooded bucket would be 2·10^10 comparisons.
TEST(SelfJoin, AFloodedBlockIsNotQuadratic) {
  Generator g(1, 12);
  const Values values = g.flooded(200000, 3, 0xffff0000U);
  const auto pairs = join(last_kernels(), values, {.words = 1, .k = 3, .threads = 2});
  EXPECT_GT(pairs.size(), 40000U);
  for (const HammingPair& p : pairs) ASSERT_EQ(p.distance, distance(&values[p.a], &values[p.b], 1));
  std::vector<HammingPair> wider = join(last_kernels(), values, {.words = 1, .k = 4});  // by the other engine
  std::erase_if(wider, [](const HammingPair& p) { return p.distance > 3; });
  EXPECT_EQ(checksum(pairs), checksum(wider));
}

TEST(SelfJoin, WideRowsThatShareAWordAreNotQuadratic) {
  Generator g(2, 13);
  const Values values = g.flooded(60000, 3, ~std::uint64_t{0});
  for (const unsigned threads : {1U, 2U}) {
    const auto pairs = join(last_kernels(), values, {.words = 2, .k = 3, .threads = threads});
    EXPECT_GT(pairs.size(), 10000U);
    for (const HammingPair& p : pairs) ASSERT_EQ(p.distance, distance(&values[2 * p.a], &values[2 * p.b], 2));
  }
}

TEST(SelfJoin, RefusesWhatItCannotDo) {
  const auto sink = [](std::span<const HammingPair>) {};
  const Values values(12);
  EXPECT_THROW(hamming_self_join(values, {.words = 1, .k = 13, .threads = 1}, sink), Error);
  EXPECT_THROW(hamming_self_join(values, {.words = 3, .k = 3, .threads = 1}, sink), Error);
  EXPECT_THROW(hamming_self_join(values, {.words = 0, .k = 3, .threads = 1}, sink), Error);
  EXPECT_THROW(hamming_self_join(std::span(values).first(3), {.words = 2, .k = 3, .threads = 1}, sink), Error);
  EXPECT_NO_THROW(hamming_self_join(values, {.words = 2, .k = 13, .threads = 1}, sink));
}

TEST(SelfJoin, AnExceptionOfTheSinkReachesTheCaller) {
  const Values values(3000, 1);
  for (const unsigned threads : {1U, 2U}) {
    const auto sink = [](std::span<const HammingPair>) { throw std::runtime_error("full"); };
    EXPECT_THROW(hamming_self_join(values, {.words = 1, .k = 3, .threads = threads}, sink), std::runtime_error);
  }
}

// The pairs of two sides by the definition.
std::vector<HammingPair> brute_force_of_two(const Values& left, const Values& right, unsigned words, unsigned k) {
  Values both = left;
  both.insert(both.end(), right.begin(), right.end());
  const auto split = static_cast<std::uint32_t>(left.size() / words);
  std::vector<HammingPair> pairs;
  for (const HammingPair& pair : brute_force(both, words, k)) {
    if (pair.a < split && pair.b >= split) pairs.push_back({pair.a, pair.b - split, pair.distance});
  }
  return pairs;
}

std::vector<HammingPair> join_of_two(const Values& left, const Values& right, const HammingJoinOptions& options) {
  std::vector<HammingPair> pairs;
  hamming_join(left, right, options, [&](std::span<const HammingPair> batch) { pairs.insert(pairs.end(), batch.begin(), batch.end()); });
  return pairs;
}

TEST(Join, OfTwoSidesMatchesBruteForce) {
  for (const unsigned words : {1U, 2U}) {
    for (const unsigned k : {0U, 3U, 6U}) {
      for (const Collection& c : collections(words, 1500, k)) {
        const std::size_t cut = c.values.size() / words / 3 * words;
        const Values left(c.values.begin(), c.values.begin() + static_cast<std::ptrdiff_t>(cut));
        const Values right(c.values.begin() + static_cast<std::ptrdiff_t>(cut), c.values.end());
        const std::vector<HammingPair> want = brute_force_of_two(left, right, words, k);
        for (const unsigned threads : {1U, 3U}) {
          const HammingJoinOptions options{.words = words, .k = k, .threads = threads};
          expect_same(join_of_two(left, right, options), want, c.name + " k=" + std::to_string(k));
          EXPECT_EQ(hamming_count(left, right, options), want.size()) << c.name;
        }
      }
    }
  }
  EXPECT_TRUE(join_of_two({}, {1, 2}, {}).empty());
  EXPECT_TRUE(join_of_two({1, 2}, {}, {}).empty());
  EXPECT_EQ(hamming_count(Values{1, 2}, Values{}, {}), 0U);
}

// Thousands of equal rows on each side: pairs within a side would be 10^8.
TEST(Join, FloodsWithinASideAreNotListed) {
  Generator g(1, 21);
  Values left = g.uniform(20000), right = g.uniform(20000);
  for (std::size_t i = 0; i < 15000; ++i) left[i] = 7;
  right[3] = 7;
  right[4] = 15;
  for (std::size_t i = 100; i < 15000; ++i) right[i] = ~std::uint64_t{0};
  const auto pairs = join_of_two(left, right, {});
  EXPECT_EQ(pairs.size(), 30000U);
  EXPECT_EQ(hamming_count(left, right, {}), 30000U);
}

TEST(Count, OfAFloodIsMadeByClasses) {
  Generator g(1, 22);
  Values values = g.uniform(300000);
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] = 5;
  values[1] = 4;  // one bit from 150,000 rows
  for (const unsigned k : {0U, 1U, 3U}) {
    const std::uint64_t equal = std::uint64_t{150000} * 149999 / 2;
    EXPECT_EQ(hamming_count(values, {.k = k}), equal + (k == 0 ? 0 : 150000)) << k;
  }
}

TEST(Clusters, AreTheComponentsOfThePairs) {
  for (const unsigned words : {1U, 4U}) {
    for (const Collection& c : collections(words, 1500, 2)) {
      const auto rows = static_cast<std::uint32_t>(c.values.size() / words);
      std::vector<std::uint32_t> want(rows);
      std::iota(want.begin(), want.end(), 0U);
      const std::vector<HammingPair> pairs = brute_force(c.values, words, 2);
      for (bool changed = true; changed;) {  // smallest label of neighbours, until nothing changes
        changed = false;
        for (const HammingPair& pair : pairs) {
          const std::uint32_t least = std::min(want[pair.a], want[pair.b]);
          changed |= want[pair.a] != least || want[pair.b] != least;
          want[pair.a] = want[pair.b] = least;
        }
      }
      EXPECT_EQ(hamming_clusters(c.values, {.words = words, .k = 2}), want) << c.name;
    }
  }
}

TEST(Clusters, OfAFlood) {
  Generator g(1, 23);
  Values values = g.uniform(50000);
  for (std::size_t i = 9; i < values.size(); i += 3) values[i] = 0;
  values[2] = 1;
  const auto labels = hamming_clusters(values, {});
  EXPECT_EQ(labels[2], 2U);
  EXPECT_EQ(labels[9], 2U);
  EXPECT_EQ(labels[49998], 2U);
  EXPECT_EQ(labels[3], 3U);
}

TEST(Classes, HoldEveryRowOnceAndInOrder) {
  for (const unsigned words : {1U, 2U, 4U}) {
    Generator g(words, 31);
    Values values = g.uniform(5000);
    for (std::size_t i = 0; i < 5000; ++i) {  // 50 values, and rows that differ in the last word only
      if (i % 3 != 0)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i % 50 * words), words,
                    values.begin() + static_cast<std::ptrdiff_t>(i * words));
      if (i % 7 == 0) values[i * words + words - 1] ^= 1;
    }
    const HammingClasses classes = hamming_classes(values, words);
    std::vector<bool> seen(5000);
    ASSERT_EQ(classes.values.size(), classes.classes() * words);
    for (std::size_t c = 0; c < classes.classes(); ++c) {
      std::uint32_t last = 0;
      for (const std::uint32_t row : classes.rows_of(c)) {
        EXPECT_FALSE(seen[row]);
        EXPECT_GE(row, last);
        seen[row] = true;
        last = row;
        EXPECT_TRUE(std::equal(values.begin() + static_cast<std::ptrdiff_t>(row * words),
                               values.begin() + static_cast<std::ptrdiff_t>((row + 1) * words),
                               classes.values.begin() + static_cast<std::ptrdiff_t>(c * words)));
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 5000);
    Values distinct = classes.values;
    EXPECT_EQ(hamming_classes(distinct, words).classes(), classes.classes());
  }
  EXPECT_EQ(hamming_classes({}).classes(), 0U);
  EXPECT_THROW((void)hamming_classes(Values(3), 0), Error);
  EXPECT_THROW((void)hamming_classes(Values(3), 2), Error);
}

// Values made so that all of them want one slot of a hash table.
TEST(Classes, OfRowsThatWereChosenToCollide) {
  Values values;
  const auto unmixed = [](std::uint64_t key) {  // what classes.cpp does to a value, undone
    std::uint64_t inverse = 1;
    for (int i = 0; i < 6; ++i) inverse *= 2 - 0x9e3779b97f4a7c15U * inverse;
    return (key ^ key >> 32) * inverse;
  };
  std::uint64_t inverse = 1;
  for (int i = 0; i < 6; ++i) inverse *= 2 - 0xbf58476d1ce4e5b9U * inverse;
  for (std::uint64_t low = 0; values.size() < 20000; ++low) {
    const std::uint64_t key = (low & 0xffffffffffffU) * inverse;  // its product has a small upper part
    if (key >> 55 == 5) values.push_back(unmixed(key));           // and all stand in one part
    if (low % 3 == 0 && !values.empty()) values.push_back(values[values.size() / 2]);
  }
  const HammingClasses classes = hamming_classes(values);
  Values sorted = values;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  Values distinct = classes.values;
  std::sort(distinct.begin(), distinct.end());
  EXPECT_EQ(distinct, sorted);
  for (std::size_t c = 0; c < classes.classes(); ++c) {
    for (const std::uint32_t row : classes.rows_of(c)) EXPECT_EQ(values[row], classes.values[c]);
  }
}

// In a budget that holds a part of the rows only: the same pairs, from the general join too.
TEST(Join, ABudgetChangesNothing) {
  for (const unsigned words : {1U, 2U}) {
    Generator g(words, 41);
    const Values values = g.planted(200000, 3);
    for (const unsigned k : {3U, 4U}) {
      const HammingJoinOptions free{.words = words, .k = k}, tight{.words = words, .k = k, .threads = 2, .memory = 1};
      const auto one = join(last_kernels(), values, free), other = join(last_kernels(), values, tight);
      EXPECT_EQ(one.size(), other.size());
      EXPECT_EQ(checksum(one), checksum(other));
      if (words == 1 && k == 3) {  // by halves: in the same order, too
        EXPECT_EQ(one, other);
      }
    }
  }
}

// Rows whose blocks are uneven: buckets of many sizes, each with a plan of its own.
TEST(Join, ThreadsDoNotChangeTheOrder) {
  for (const unsigned k : {3U, 4U, 6U}) {
    Generator g(1, 42);
    Values values = g.planted(60000, 3);
    std::mt19937_64 random(43);
    for (auto& v : values) {
      for (unsigned block = 0; block < 4; ++block) {
        if (random() % 3 == 0) v &= ~(std::uint64_t{0xfff} << (16 * block));
      }
    }
    const auto one = join(last_kernels(), values, {.k = k});
    for (int round = 0; round < 3; ++round) EXPECT_EQ(one, join(last_kernels(), values, {.k = k, .threads = 4}));
    EXPECT_EQ(one, join(portable_kernels, values, {.k = k, .threads = 2}));
  }
}

TEST(Join, AnExceptionOfTheSinkEndsALargeJoin) {
  Generator g(1, 44);
  Values values = g.planted(100000, 2);
  for (std::size_t i = 0; i < 20000; ++i) values[5 * i] = 17;  // a flood: 2·10^8 pairs if nobody stops
  for (const unsigned k : {3U, 5U}) {
    for (const unsigned threads : {1U, 2U, 4U}) {
      const auto sink = [](std::span<const HammingPair>) { throw std::runtime_error("full"); };
      EXPECT_THROW(hamming_self_join(values, {.k = k, .threads = threads}, sink), std::runtime_error);
    }
  }
}

// A word that is the same in all rows tells nothing, however few values the others have.
TEST(Join, OfWideRowsLooksAtAWordThatTellsRowsApart) {
  for (const unsigned words : {2U, 4U}) {
    Generator g(words, 45);
    Values values = g.planted(20000, 4);
    for (std::size_t i = 0; i < values.size(); i += words) values[i] = 3;
    const auto pairs = join(last_kernels(), values, {.words = words, .k = 3, .threads = 2});
    const auto want = join(last_kernels(), values, {.words = words, .k = 4});  // by the general join
    std::vector<HammingPair> within;
    for (const HammingPair& pair : want) {
      if (pair.distance <= 3) within.push_back(pair);
    }
    std::sort(within.begin(), within.end(), before);
    EXPECT_GT(within.size(), 1000U);
    expect_same(pairs, within, "words=" + std::to_string(words));
  }
}

TEST(Plan, SaysWhenItIsAScan) {
  EXPECT_NE(hamming_join_plan(1000000, {}).find("4 tables by halves"), std::string::npos);
  EXPECT_NE(hamming_join_plan(1000000, {.k = 6}).find("tables"), std::string::npos);
  EXPECT_NE(hamming_join_plan(1000, {.words = 2, .k = 100}).find("scan"), std::string::npos);
}

}  // namespace
}  // namespace leitong::hamming
