#include "candidates/band_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>

#include "candidates/pair_distance.h"
#include "leitong/error.h"
#include "processor/instruction_set.h"

namespace leitong::candidates {
namespace {

struct Data {
  std::uint64_t rows = 0;
  unsigned bands = 8, words = 5, max_distance = 60;
  std::vector<std::uint32_t> active;
  std::vector<std::vector<std::uint32_t>> keys;  // band × active
  std::vector<std::uint64_t> bits;

  [[nodiscard]] BandInput input() const {
    BandInput input;
    input.rows = rows;
    input.bands = bands;
    input.keys = [this](unsigned band, std::span<std::uint32_t> out) { std::copy(keys[band].begin(), keys[band].end(), out.begin()); };
    input.active = active;
    input.bits = bits;
    input.words = words;
    input.max_distance = max_distance;
    return input;
  }
  [[nodiscard]] std::uint32_t distance(std::size_t i, std::size_t j) const {
    int sum = 0;
    for (unsigned w = 0; w < words; ++w) sum += std::popcount(bits[i * words + w] ^ bits[j * words + w]);
    return static_cast<std::uint32_t>(sum);
  }
};

// Clusters of `family` rows that keep each key with probability `keep` and flip few bits; other keys are drawn from `key_space`.
Data clustered(std::size_t count, std::size_t family, double keep, std::uint32_t key_space, unsigned words = 5) {
  std::mt19937_64 random(count * 31 + family);
  Data data;
  data.words = words;
  data.rows = count * 3;
  for (std::uint32_t i = 0; i < count; ++i) data.active.push_back(i * 3 + static_cast<std::uint32_t>(random() % 3));
  data.keys.assign(data.bands, std::vector<std::uint32_t>(count));
  data.bits.resize(count * words);
  // Members of a family lie far apart.
  const std::size_t families = (count + family - 1) / family;
  std::vector<std::uint64_t> base(words);
  for (std::size_t f = 0; f < families; ++f) {
    std::vector<std::uint32_t> family_keys(data.bands);
    for (auto& key : family_keys) key = static_cast<std::uint32_t>(random()) % key_space;
    for (auto& word : base) word = random();
    for (std::size_t i = f; i < count; i += families) {
      for (unsigned b = 0; b < data.bands; ++b)
        data.keys[b][i] =
            static_cast<double>(random() % 1000) < keep * 1000 ? family_keys[b] : static_cast<std::uint32_t>(random()) % key_space;
      for (unsigned w = 0; w < words; ++w) {
        const std::uint64_t few = random() & random() & random() & random();  // NOLINT(misc-redundant-expression): four draws
        data.bits[i * words + w] = base[w] ^ few;
      }
    }
  }
  return data;
}

struct Result {
  std::vector<Candidate> given;
  std::vector<std::uint8_t> bounded;
};

Result joined(const BandInput& input) {
  Result result;
  band_join(
      input, [&](std::span<const Candidate> batch) { result.given.insert(result.given.end(), batch.begin(), batch.end()); },
      result.bounded);
  return result;
}

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

// What the header promises, by brute force: every pair that meets in a group of some band, within the distance.
Pairs expected_pairs(const Data& data, const BandInput& input, std::vector<std::uint8_t>& bounded) {
  Pairs pairs;
  bounded.assign(data.active.size(), 0);
  for (unsigned band = 0; band < data.bands; ++band) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
    for (std::uint32_t i = 0; i < data.active.size(); ++i) groups[data.keys[band][i]].push_back(i);
    for (const auto& [key, group] : groups) {
      const bool has_new = data.active[group.back()] >= input.old_rows;
      const bool limited = group.size() > input.group_limit && has_new;
      for (std::size_t x = 0; x < group.size(); ++x) {
        if (limited) bounded[group[x]] = 1;
        for (std::size_t y = x + 1; y < group.size(); ++y) {
          if (data.active[group[y]] < input.old_rows) continue;
          if (limited && x >= input.pivots && y - x > input.window) continue;
          const std::uint32_t distance = data.distance(group[x], group[y]);
          if (distance <= data.max_distance) pairs[{data.active[group[x]], data.active[group[y]]}] = distance;
        }
      }
    }
  }
  return pairs;
}

void expect_exact(const Data& data, const BandInput& input) {
  std::vector<std::uint8_t> bounded;
  const Pairs expected = expected_pairs(data, input, bounded);
  const Result result = joined(input);
  Pairs pairs;
  for (const Candidate& c : result.given) {
    ASSERT_LT(c.a, c.b);
    pairs[{c.a, c.b}] = c.distance;
  }
  EXPECT_EQ(pairs.size(), expected.size());
  EXPECT_TRUE(pairs == expected);
  EXPECT_EQ(result.bounded, bounded);
}

TEST(BandJoin, AgreesWithBruteForce) {
  for (const std::size_t count : {2, 3, 50, 700, 9000})
    for (const double keep : {0.3, 0.9}) {
      const Data data = clustered(count, 6, keep, 1U << 30U);
      expect_exact(data, data.input());
    }
  const Data crowded = clustered(1500, 4, 0.5, 300);  // many unrelated rows in each group
  expect_exact(crowded, crowded.input());
}

TEST(BandJoin, EveryWidthOfBits) {
  for (const unsigned words : {1, 2, 4, 5, 7}) {
    Data data = clustered(600, 5, 0.7, 100, words);
    data.max_distance = 12 * words;
    expect_exact(data, data.input());
  }
}

TEST(BandJoin, BoundedGroupsMeetPivotsAndWindow) {
  for (const std::uint32_t limit : {2U, 20U, 100U})
    for (const std::uint32_t pivots : {0U, 1U, 5U})
      for (const std::uint32_t window : {0U, 1U, 7U}) {
        const Data data = clustered(900, 90, 0.6, 40);
        BandInput input = data.input();
        input.group_limit = limit;
        input.pivots = pivots;
        input.window = window;
        expect_exact(data, input);
      }
}

TEST(BandJoin, OldRowsAreNotComparedWithEachOther) {
  const Data data = clustered(2000, 6, 0.6, 40);
  for (const std::uint64_t old : {1UL, 500UL, 2999UL, data.rows - 1, data.rows}) {
    BandInput input = data.input();
    input.old_rows = static_cast<std::uint32_t>(old);
    expect_exact(data, input);
    input.group_limit = 20, input.pivots = 3, input.window = 5;
    expect_exact(data, input);
  }
}

TEST(BandJoin, FewRepeats) {
  const Data data = clustered(4000, 8, 0.9, 1U << 30U);
  const Result result = joined(data.input());
  std::set<std::pair<std::uint32_t, std::uint32_t>> distinct;
  for (const Candidate& c : result.given) distinct.insert({c.a, c.b});
  EXPECT_LT(result.given.size(), distinct.size() * 102 / 100);
}

TEST(BandJoin, TheSameWhateverTheThreads) {
  const Data data = clustered(70'000, 5, 0.6, 1U << 20U);
  BandInput input = data.input();
  const Result one = joined(input);
  EXPECT_GT(one.given.size(), 20'000U);
  for (const unsigned threads : {2U, 3U, 8U}) {
    input.threads = threads;
    const Result many = joined(input);
    ASSERT_EQ(many.given.size(), one.given.size());
    EXPECT_TRUE(std::equal(many.given.begin(), many.given.end(), one.given.begin(),
                           [](const Candidate& x, const Candidate& y) { return x.a == y.a && x.b == y.b && x.distance == y.distance; }));
    EXPECT_EQ(many.bounded, one.bounded);
  }
}

TEST(BandJoin, OneKeyForAllIsLinear) {
  Data data = clustered(40'000, 1, 1, 1);
  data.max_distance = 320;
  for (const unsigned threads : {1U, 2U}) {
    BandInput input = data.input();
    input.threads = threads;
    std::size_t given = 0;
    std::vector<std::uint8_t> bounded;
    band_join(input, [&](std::span<const Candidate> batch) { given += batch.size(); }, bounded);
    // Every band has the same group, so what the first gave is given again only after the four remembered bands, which give nothing new.
    EXPECT_GE(given, 40'000U * 60);
    EXPECT_LE(given, 40'000U * 64 * 2);
    EXPECT_TRUE(std::all_of(bounded.begin(), bounded.end(), [](std::uint8_t b) { return b == 1; }));
  }
}

TEST(BandJoin, NothingAndOneRow) {
  for (const std::size_t count : {0, 1}) {
    const Data data = clustered(count, 1, 1, 1);
    const Result result = joined(data.input());
    EXPECT_TRUE(result.given.empty());
    EXPECT_EQ(result.bounded, std::vector<std::uint8_t>(count, 0));
  }
}

TEST(BandJoin, WrongInputIsRefused) {
  const Data data = clustered(10, 1, 1, 1);
  BandInput input = data.input();
  input.words = 4;
  EXPECT_THROW(joined(input), Error);
  input = data.input();
  input.rows = 5;
  EXPECT_THROW(joined(input), Error);
}

TEST(BandJoin, ExceptionsPassThrough) {
  const Data data = clustered(70'000, 5, 0.6, 1U << 20U);
  for (const unsigned threads : {1U, 4U}) {
    BandInput input = data.input();
    input.threads = threads;
    std::vector<std::uint8_t> bounded;
    EXPECT_THROW(band_join(input, [](std::span<const Candidate>) { throw Error(ErrorCode::interrupted, "stop"); }, bounded), Error);
    input.keys = [](unsigned, std::span<std::uint32_t>) { throw Error(ErrorCode::io, "gone"); };
    EXPECT_THROW(joined(input), Error);
  }
}

TEST(PairDistances, VariantsAgree) {
#if defined(__x86_64__)
  const processor::Features has = processor::features();
  if (!processor::fits_avx2(has)) GTEST_SKIP() << "this processor lacks AVX2 and AVX-512: nothing was compared";
  std::mt19937_64 random(5);
  for (const unsigned words : {1U, 2U, 3U, 4U, 5U, 8U}) {
    std::vector<std::uint64_t> bits(words * 100);
    for (auto& word : bits) word = random();
    std::vector<RowPair> pairs(333);
    for (auto& pair : pairs) pair = {static_cast<std::uint32_t>(random() % 100), static_cast<std::uint32_t>(random() % 100)};
    std::vector<std::uint32_t> one(pairs.size()), other(pairs.size());
    pair_distances_portable(bits.data(), words, pairs.data(), pairs.size(), one.data());
    pair_distances_avx2(bits.data(), words, pairs.data(), pairs.size(), other.data());
    EXPECT_EQ(one, other);
    if (!processor::fits_avx512(has)) continue;
    std::fill(other.begin(), other.end(), 0);
    pair_distances_avx512(bits.data(), words, pairs.data(), pairs.size(), other.data());
    EXPECT_EQ(one, other);
  }
  if (!processor::fits_avx512(has)) GTEST_SKIP() << "this processor lacks AVX-512: its distances were not compared; those of AVX2 agree";
#else
  GTEST_SKIP() << "one variant only";
#endif
}

}  // namespace
}  // namespace leitong::candidates
