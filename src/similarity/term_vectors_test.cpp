#include "similarity/term_vectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "leitong/profile.h"

namespace leitong::similarity {
namespace {

using Tokens = std::vector<std::uint64_t>;

// The textbook: maps of counts, floating point throughout.
TermMeasures oracle(const Tokens& a, const Tokens& b) {
  std::map<std::uint64_t, std::pair<double, double>> counts;
  for (const auto token : a) counts[token].first += 1;
  for (const auto token : b) counts[token].second += 1;
  double dot = 0, aa = 0, bb = 0, squares = 0, both = 0;
  for (const auto& [token, xy] : counts) {
    dot += xy.first * xy.second;
    aa += xy.first * xy.first;
    bb += xy.second * xy.second;
    squares += (xy.first - xy.second) * (xy.first - xy.second);
    both += xy.first > 0 && xy.second > 0 ? 1 : 0;
  }
  TermMeasures result;
  if (counts.empty()) return {1, 1, 0, 0};
  result.jaccard = both / static_cast<double>(counts.size());
  result.cosine = aa == 0 || bb == 0 ? 0 : dot / (std::sqrt(aa) * std::sqrt(bb));
  result.euclid = std::sqrt(squares);
  double unit = 0;  // scaled vectors, subtracted
  for (const auto& [token, xy] : counts) {
    const double difference = (aa == 0 ? 0 : xy.first / std::sqrt(aa)) - (bb == 0 ? 0 : xy.second / std::sqrt(bb));
    unit += difference * difference;
  }
  result.unit_euclid = aa == 0 || bb == 0 ? std::sqrt(2.0) : std::sqrt(unit);
  return result;
}

TEST(TermMeasures, AgreeWithTheTextbook) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 5000; ++round) {
    Tokens a(random() % 30), b(random() % 30);
    const std::uint64_t alphabet = 1 + random() % 20;
    for (auto& token : a) token = random() % alphabet;
    for (auto& token : b) token = random() % alphabet;
    const TermMeasures got = term_measures(a, b);
    const TermMeasures truth = oracle(a, b);
    ASSERT_DOUBLE_EQ(got.jaccard, truth.jaccard);
    ASSERT_NEAR(got.cosine, truth.cosine, 1e-12);
    ASSERT_DOUBLE_EQ(got.euclid, truth.euclid);
    ASSERT_NEAR(got.unit_euclid, truth.unit_euclid, 1e-6);  // the root magnifies what the textbook rounds off near 0
    ASSERT_LE(got.cosine, 1);
  }
}

TEST(TermMeasures, ByHand) {
  const TermMeasures m = leitong::term_measures("a a b", "A b b c", Profile{});  // (2, 1, 0) and (1, 2, 1)
  EXPECT_DOUBLE_EQ(m.jaccard, 2.0 / 3);
  EXPECT_DOUBLE_EQ(m.cosine, 4 / std::sqrt(5.0 * 6));
  EXPECT_DOUBLE_EQ(m.euclid, std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(m.unit_euclid, std::sqrt(2 - 8 / std::sqrt(30.0)));
}

TEST(TermMeasures, Edges) {
  const Tokens none, some{1, 1, 2}, twice{1, 1, 2, 1, 1, 2}, others{3, 4};
  EXPECT_EQ(term_measures(none, none).cosine, 1);
  EXPECT_EQ(term_measures(none, none).euclid, 0);
  EXPECT_EQ(term_measures(none, some).cosine, 0);
  EXPECT_EQ(term_measures(none, some).jaccard, 0);
  EXPECT_DOUBLE_EQ(term_measures(some, none).euclid, std::sqrt(5.0));
  EXPECT_EQ(term_measures(some, some).cosine, 1);
  EXPECT_EQ(term_measures(some, some).unit_euclid, 0);
  EXPECT_EQ(term_measures(some, twice).cosine, 1) << "a text and itself twice point the same way";
  EXPECT_DOUBLE_EQ(term_measures(some, twice).euclid, std::sqrt(5.0));
  EXPECT_EQ(term_measures(some, others).cosine, 0);
  EXPECT_DOUBLE_EQ(term_measures(some, others).unit_euclid, std::sqrt(2.0));
}

TEST(TermMeasures, CountsBeyond32Bits) {
  const Tokens a(5'000'000, 7), b(4'000'000, 7);  // squares of 2.5e13
  const TermMeasures m = term_measures(a, b);
  EXPECT_EQ(m.cosine, 1);
  EXPECT_EQ(m.euclid, 1'000'000);
}

}  // namespace
}  // namespace leitong::similarity
