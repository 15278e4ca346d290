// The join against brute force, on data that is kind, skewed and hostile.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamming/hamming.h"
#include "leitong/error.h"

namespace leitong::hamming {
namespace {

using Values = std::vector<std::uint64_t>;

bool before(const HammingPair& x, const HammingPair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

std::vector<HammingPair> brute_force(const Values& values, unsigned words, unsigned k) {
  std::vector<HammingPair> pairs;
  const auto n = static_cast<std::uint32_t>(values.size() / words);
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = a + 1; b < n; ++b) {
      unsigned bits = 0;
      for (unsigned w = 0; w < words; ++w) bits += static_cast<unsigned>(std::popcount(values[a * words + w] ^ values[b * words + w]));
      if (bits <= k) pairs.push_back({a, b, bits});
    }
  }
  return pairs;
}

std::vector<HammingPair> join(const Kernels& set, const Values& values, HammingJoinOptions options) {
  std::vector<HammingPair> pairs;
  hamming::join(set, values, {}, options, [&](std::span<const HammingPair> batch) { pairs.insert(pairs.end(), batch.begin(), batch.end()); });
  return pairs;
}

void expect_same(std::vector<HammingPair> got, const std::vector<HammingPair>& want, const std::string& what) {
  std::sort(got.begin(), got.end(), before);
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_TRUE(got[i].a == want[i].a && got[i].b == want[i].b && got[i].distance == want[i].distance)
        << what << ": pair " << i << " is " << got[i].a << "-" << got[i].b << " at " << got[i].distance << ", not " << want[i].a << "-"
        << want[i].b << " at " << want[i].distance;
  }
}

// Order-independent: equal for equal sets of pairs.
std::uint64_t checksum(const std::vector<HammingPair>& pairs) {
  std::uint64_t sum = 0;
  for (const HammingPair& p : pairs) {
    std::uint64_t x = (std::uint64_t{p.a} << 32 | p.b) * 0x9e3779b97f4a7c15U + p.distance;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9U;
    sum += x ^ (x >> 32);
  }
  return sum;
}

class Generator {
 public:
  Generator(unsigned words, std::uint64_t seed) : words_(words), random_(seed) {}

  Values uniform(std::size_t n) {
    Values v(n * words_);
    for (auto& w : v) w = random_();
    return v;
  }
  // Every fourth row is a neighbour of an earlier one, at most `radius` bits away.
  Values planted(std::size_t n, unsigned radius) {
    Values v = uniform(n);
    for (std::size_t i = 4; i < n; i += 4) neighbour(v, random_() % i, i, radius);
    return v;
  }
  // Balls of rows around a few centres.
  Values clustered(std::size_t n, std::size_t centres, unsigned radius) {
    Values v = uniform(n);
    for (std::size_t i = centres; i < n; ++i) neighbour(v, random_() % centres, i, radius);
    return v;
  }
  // Two thirds of the planted rows take a few values of the top 16 bits.
  Values skewed(std::size_t n, unsigned radius) {
    Values v = planted(n, radius);
    for (std::size_t i = 0; i < n; ++i) {
      if (i % 3 != 0) v[i * words_] = (v[i * words_] & 0xffffffffffffU) | (random_() % 3) << 48;
    }
    return v;
  }
  // All rows agree on 16 bits of the first word.
  Values flooded(std::size_t n, unsigned radius, std::uint64_t block) {
    Values v = planted(n, radius);
    for (std::size_t i = 0; i < n; ++i) v[i * words_] &= ~block;
    return v;
  }
  // Only scattered bits are in use.
  Values sparse(std::size_t n, std::uint64_t mask) {
    Values v = uniform(n);
    for (auto& w : v) w &= mask;
    return v;
  }

 private:
  void neighbour(Values& v, std::size_t from, std::size_t to, unsigned radius) {
    std::copy_n(v.begin() + static_cast<std::ptrdiff_t>(from * words_), words_, v.begin() + static_cast<std::ptrdiff_t>(to * words_));
    const std::uint64_t flips = random_() % (radius + 1);
    for (std::uint64_t f = 0; f < flips; ++f) v[to * words_ + random_() % words_] ^= std::uint64_t{1} << (random_() % 64);
  }

  unsigned words_;
  std::mt19937_64 random_;
};

struct Collection {
  std::string name;
  Values values;
};

std::vector<Collection> collections(unsigned words, std::size_t n, unsigned k) {
  Generator g(words, 7 * words + k);
  return {
      {"planted", g.planted(n, k + 2)},
      {"skewed", g.skewed(n, k + 1)},
      {"clustered", g.clustered(n, n / 20 + 1, k / 2 + 1)},
      {"flooded top", g.flooded(n, k + 1, 0xffff000000000000U)},
      {"flooded bottom", g.flooded(n, k + 1, 0xffffU)},
      {"flooded 40 bits", g.flooded(n, k + 1, 0xffffffffffU)},
      {"every third bit", g.sparse(n / 2, 0x9249249249249249U)},
  };
}

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

TEST(SelfJoin, OneThreadGivesTheSameOrderAgain) {
  Generator g(1, 8);
  const Values values = g.skewed(20000, 3);
  const auto first = join(last_kernels(), values, {.words = 1, .k = 3, .threads = 1});
  const auto second = join(last_kernels(), values, {.words = 1, .k = 3, .threads = 1});
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) ASSERT_TRUE(first[i].a == second[i].a && first[i].b == second[i].b);
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

}  // namespace
}  // namespace leitong::hamming
