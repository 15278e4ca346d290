// The public index against the definition: look-ups of every width and radius, growth, nearest rows, ids.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <tuple>

#include "hamming/index_log.h"
#include "leitong/error.h"
#include "leitong/hamming_index.h"

namespace leitong {
namespace {

using Values = std::vector<std::uint64_t>;
using Matches = std::vector<HammingMatch>;
using Random = std::mt19937_64;

unsigned distance(const std::uint64_t* a, const std::uint64_t* b, unsigned words) {
  unsigned sum = 0;
  for (unsigned w = 0; w < words; ++w) sum += static_cast<unsigned>(std::popcount(a[w] ^ b[w]));
  return sum;
}

Matches in_order(Matches matches) {
  std::sort(matches.begin(), matches.end(),
            [](const HammingMatch& a, const HammingMatch& b) { return std::tie(a.distance, a.id) < std::tie(b.distance, b.id); });
  return matches;
}

Matches by_definition(const Values& values, const Values& ids, unsigned words, const std::uint64_t* query, unsigned k) {
  Matches out;
  for (std::size_t i = 0; i < values.size() / words; ++i) {
    const unsigned d = distance(values.data() + i * words, query, words);
    if (d <= k) out.push_back({ids.empty() ? i : ids[i], d});
  }
  return in_order(std::move(out));
}

enum class Kind { uniform, clustered, flooded, flooded_twice, one_value, low_bits };

void flip(std::uint64_t* row, unsigned words, std::uint64_t bits, Random& random) {
  for (; bits > 0; --bits) row[random() % words] ^= std::uint64_t{1} << (random() % 64);
}

Values rows_of(Kind kind, std::size_t n, unsigned words) {
  Random random(static_cast<std::uint64_t>(kind) + 1);
  Values values(n * words);
  for (auto& v : values) v = random();
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t* row = values.data() + i * words;
    if (kind == Kind::clustered || (i > 0 && random() % 3 == 0)) {
      std::copy_n(values.data() + (kind == Kind::clustered ? i % 10 : random() % i) * words, words, row);
      flip(row, words, random() % (kind == Kind::clustered ? 10 : 3), random);
    }
    if (kind == Kind::flooded) row[0] |= std::uint64_t{0xffff} << 48;
    if (kind == Kind::flooded_twice) row[0] |= 0xffff00000000ffff;
    if (kind == Kind::flooded_twice && words > 1) row[1] = 7;
    if (kind == Kind::one_value) std::copy_n(values.data(), words, row);
    if (kind == Kind::low_bits) {
      for (unsigned w = 0; w < words; ++w) row[w] &= 0xfff;
    }
  }
  return values;
}

Values queries_near(const Values& values, unsigned words, unsigned k, std::size_t count, Random& random) {
  Values queries;
  for (std::size_t q = 0; q < count; ++q) {
    const std::size_t row = random() % (values.size() / words);
    for (unsigned w = 0; w < words; ++w) queries.push_back(values[row * words + w]);
    flip(queries.data() + q * words, words, random() % (k + 2), random);
  }
  for (unsigned w = 0; w < words; ++w) queries.push_back(random());
  return queries;
}

void expect_all(const HammingIndex& index, const Values& values, const Values& ids, const Values& queries, unsigned k) {
  const unsigned words = index.options().words;
  HammingMatches got;
  index.find_batch(queries, k, got);
  ASSERT_EQ(got.ends.size(), queries.size() / words);
  for (std::size_t q = 0; q < got.ends.size(); ++q) {
    const auto of = got.of(q);
    ASSERT_EQ(Matches(of.begin(), of.end()), by_definition(values, ids, words, queries.data() + q * words, k))
        << "k " << k << " query " << q;
  }
  const auto first = std::span(queries).first(words);
  EXPECT_EQ(index.find(first, k), by_definition(values, ids, words, first.data(), k));
}

class Data : public ::testing::TestWithParam<std::tuple<Kind, unsigned>> {};

TEST_P(Data, FindsWhatTheDefinitionFinds) {
  const auto [kind, words] = GetParam();
  const Values values = rows_of(kind, words == 1 ? 1000 : 2100, words);  // enough for indexes
  Random random(77);
  for (const unsigned built_for : {3U, 12U}) {
    const HammingIndex index(values, {}, {.words = words, .k = built_for});
    for (unsigned k = 0; k <= 14; ++k) expect_all(index, values, {}, queries_near(values, words, k, k < 8 ? 34 : 3, random), k);
    for (const unsigned k : {20U, 33U, 64 * words}) expect_all(index, values, {}, queries_near(values, words, k, 2, random), k);
  }
}
INSTANTIATE_TEST_SUITE_P(, Data,
                         ::testing::Combine(::testing::Values(Kind::uniform, Kind::clustered, Kind::flooded, Kind::flooded_twice,
                                                              Kind::one_value, Kind::low_bits),
                                            ::testing::Values(1U, 2U, 4U)));

// Enough rows that the indexes of words pay where the radius is wide, too.
TEST(HammingIndex, WideRowsAreLookedUpByWords) {
  for (const unsigned words : {2U, 4U}) {
    for (const Kind kind : {Kind::uniform, Kind::flooded_twice}) {
      const Values values = rows_of(kind, 30000, words);
      Random random(8);
      const HammingIndex index(values, {}, {.words = words, .k = 8});
      for (const unsigned k : {0U, 2U, 3U, 5U, 7U, 8U}) {
        EXPECT_NE(index.plan(k).find("word"), std::string::npos) << index.plan(k);
        expect_all(index, values, {}, queries_near(values, words, k, 5, random), k);
      }
      EXPECT_NE(index.plan(60).find("compared"), std::string::npos) << index.plan(60);
    }
  }
}

TEST(HammingIndex, ThreadsChangeNothing) {
  const Values values = rows_of(Kind::uniform, 5000, 1);
  Random random(5);
  const Values queries = queries_near(values, 1, 3, 3000, random);
  HammingMatches one, many;
  HammingIndex(values, {}, {.threads = 1}).find_batch(queries, 3, one);
  HammingIndex(values, {}, {.threads = 3}).find_batch(queries, 3, many);
  EXPECT_EQ(one.matches, many.matches);
  EXPECT_EQ(one.ends, many.ends);
}

TEST(HammingIndex, IdsAreAnyNumbersAndMayRepeat) {
  const Values values = {5, 7, 5, 5};
  const Values ids = {900, ~std::uint64_t{0}, 800, 900};
  const HammingIndex index(values, ids);
  EXPECT_EQ(index.find(5, 1), (Matches{{800, 0}, {900, 0}, {900, 0}, {~std::uint64_t{0}, 1}}));
}

TEST(HammingIndex, EmptyAndSingle) {
  HammingIndex index({.words = 2, .k = 3});
  const Values query = {1, 2};
  EXPECT_TRUE(index.find(query, 128).empty());
  EXPECT_TRUE(index.nearest(query, 3).empty());
  EXPECT_EQ(index.rows(), 0U);
  index.compact();
  index.add(9, query);
  EXPECT_EQ(index.find(query, 0), (Matches{{9, 0}}));
  EXPECT_EQ(index.nearest(query, 3), (Matches{{9, 0}}));
  index.compact();
  EXPECT_EQ(index.find(query, 0), (Matches{{9, 0}}));
  EXPECT_TRUE(index.nearest(query, 0).empty());
}

TEST(HammingIndex, NearestAreTheFirstOfAllByDistance) {
  for (const unsigned words : {1U, 2U}) {
    for (const Kind kind : {Kind::uniform, Kind::one_value, Kind::clustered}) {
      const Values values = rows_of(kind, 3000, words);
      const HammingIndex index(values, {}, {.words = words});
      for (const std::size_t count : {1U, 7U, 100U, 2999U, 3000U, 5000U}) {
        const std::uint64_t* query = values.data() + 5 * words;
        Matches expected = by_definition(values, {}, words, query, 64 * words);
        if (expected.size() > count) expected.resize(count);
        EXPECT_EQ(index.nearest({query, words}, count), expected);
      }
    }
  }
}

// As many nearest as are asked for, where they are near, where they are far, and where many are as far as the last one.
TEST(HammingIndex, NearestOfManyRows) {
  for (const unsigned words : {1U, 4U}) {
    for (const Kind kind : {Kind::uniform, Kind::flooded_twice, Kind::low_bits}) {
      const Values values = rows_of(kind, 20000, words);
      HammingIndex index(values, {}, {.words = words});
      Random random(3);
      Values queries = queries_near(values, words, 5, 4, random);
      const auto check = [&](std::uint64_t first_id) {
        for (std::size_t q = 0; q < queries.size() / words; ++q) {
          Matches expected = by_definition(values, {}, words, queries.data() + q * words, 64 * words);
          std::erase_if(expected, [&](const HammingMatch& m) { return m.id < first_id; });
          for (const std::size_t count : {1U, 3U, 50U, 6000U}) {
            const auto got = index.nearest(std::span(queries).subspan(q * words, words), count);
            EXPECT_EQ(got, Matches(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(count)));
          }
        }
      };
      check(0);
      for (std::uint64_t id = 0; id < 3000; ++id) index.erase(id);  // some of it in the log, some beside a run
      check(3000);
    }
  }
}

// More matches than a chunk should bring.
TEST(HammingIndex, ManyMatchesOfManyQueries) {
  const Values values(3000, 5);
  const HammingIndex index(values, {}, {});
  HammingMatches got;
  index.find_batch(Values(500, 4), 1, got);
  ASSERT_EQ(got.ends.size(), 500U);
  for (std::size_t q = 0; q < 500; ++q) {
    ASSERT_EQ(got.of(q).size(), values.size());
    EXPECT_EQ(got.of(q)[7], (HammingMatch{7, 1}));
    EXPECT_EQ(got.of(q)[2999], (HammingMatch{2999, 1}));
  }
}

// Queries that a word's index has very many candidates for, among others.
TEST(HammingIndex, WordsThatManyRowsShare) {
  for (const unsigned words : {2U, 4U}) {
    Values values = rows_of(Kind::uniform, 30000, words);
    for (std::size_t i = 0; i < 3000; ++i) {  // too few for the words to be called useless
      for (unsigned w = 0; w < words; ++w) {
        if ((i + w) % 3 != 0) values[i * words + w] = 77 + (i % 7 == 0 ? 256 : 0);
      }
    }
    const HammingIndex index(values, {}, {.words = words, .k = 7});
    Random random(4);
    Values queries = queries_near(values, words, 4, 30, random);
    for (std::size_t q = 0; q < 10; ++q)
      for (unsigned w = 0; w < words; ++w) queries[3 * q * words + w] = 77;
    for (const unsigned k : {0U, 3U, 7U, 10U}) {
      EXPECT_TRUE(k > 7 || index.plan(k).find("word") != std::string::npos) << index.plan(k);
      expect_all(index, values, {}, queries, k);
    }
  }
}

TEST(HammingIndex, RefusesWhatHasNoMeaning) {
  const auto code_of = [](auto call) {
    try {
      call();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::io;
  };
  EXPECT_EQ(code_of([] { HammingIndex({.words = 3}); }), ErrorCode::usage);
  EXPECT_EQ(code_of([] { HammingIndex({.k = 65}); }), ErrorCode::usage);
  EXPECT_EQ(code_of([] { HammingIndex({.threads = 0}); }), ErrorCode::usage);
  HammingIndex index({.words = 2});
  const Values three = {1, 2, 3};
  HammingMatches out;
  EXPECT_EQ(code_of([&] { (void)index.find(three, 1); }), ErrorCode::usage);
  EXPECT_EQ(code_of([&] { (void)index.find(std::span(three).first(2), 129); }), ErrorCode::usage);
  EXPECT_EQ(code_of([&] { index.find_batch(three, 1, out); }), ErrorCode::usage);
  EXPECT_EQ(code_of([&] { index.add(1, three); }), ErrorCode::usage);
  EXPECT_EQ(code_of([&] { index.add(three, three); }), ErrorCode::usage);
}

// Adds, erases, merges and look-ups in random order against a plain table of rows.
TEST(HammingIndex, GrowsAndShrinksLikeATable) {
  for (const unsigned words : {1U, 2U}) {
    Random random(words);
    const Values pool = rows_of(Kind::uniform, 400, words);
    HammingIndex index({.words = words, .k = 3});
    std::multimap<std::uint64_t, std::vector<std::uint64_t>> model;
    const auto check = [&] {
      Values values, ids;
      for (const auto& [id, row] : model) {
        ids.push_back(id);
        values.insert(values.end(), row.begin(), row.end());
      }
      const Values queries = queries_near(pool, words, 3, 5, random);
      if (ids.empty()) return;
      expect_all(index, values, ids, queries, 3);
      Matches nearest = by_definition(values, ids, words, queries.data(), 64 * words);
      nearest.resize(std::min<std::size_t>(nearest.size(), 20));
      EXPECT_EQ(index.nearest(std::span(queries).first(words), 20), nearest);
      EXPECT_LE(ids.size(), index.rows());
    };
    for (int step = 0; step < 40000; ++step) {
      const std::uint64_t id = random() % 3000, dice = random() % 1000;
      if (dice < 600) {
        const std::size_t row = random() % 400;
        std::vector<std::uint64_t> value(pool.begin() + static_cast<std::ptrdiff_t>(row * words),
                                         pool.begin() + static_cast<std::ptrdiff_t>((row + 1) * words));
        flip(value.data(), words, random() % 3, random);
        index.add(id, value);
        model.emplace(id, value);
      } else if (dice < 990) {
        index.erase(id);
        model.erase(id);
      } else if (dice < 991 && step % 7 == 0) {
        Values ids, values;
        for (std::uint64_t i = 0; i < 3000; ++i) {
          ids.push_back(10000 + i % 2000);
          std::vector<std::uint64_t> value(words);
          for (auto& v : value) v = random();
          values.insert(values.end(), value.begin(), value.end());
          model.emplace(ids.back(), value);
        }
        index.add(ids, values);
      } else if (dice == 999 && step % 5 == 0) {
        index.compact();
        EXPECT_EQ(index.rows(), model.size());
      }
      if (step % 1000 == 0) check();
    }
    check();
    index.compact();
    EXPECT_EQ(index.rows(), model.size());
    check();
  }
}

// Logs of many rows are followed by chains: spread values, near ones, and so many of one block that chains are given up.
TEST(IndexLog, LooksUpWhatComparingAllFinds) {
  std::mt19937_64 random(5);
  const auto near = [&](std::uint64_t value) {
    for (std::uint64_t flips = random() % 4; flips > 0; --flips) value ^= 1ULL << random() % 64;
    return value;
  };
  for (const std::uint64_t alike : {0ULL, 0xffffULL, 0xffffffffULL, ~0ULL}) {  // bits that all values share
    hamming::IndexLog small(1), chained(1, hamming::IndexLog::Form::chained);
    ASSERT_GT(chained.room(), small.room());
    std::vector<std::uint64_t> values;
    for (std::uint32_t row = 0; row < chained.room(); ++row) {
      values.push_back(row % 3 == 0 && row > 0 ? near(values[random() % row]) : random() & ~alike);
      chained.add(row, &values.back());
      if (row % 1000 == 7) chained.erase(values.size() / 2);
      if (row < small.room()) small.add(row, &values.back());
      if (row % 4096 != 0 && row + 1 != chained.room()) continue;
      // What a reader saw before rows came stays what it is.
      const hamming::IndexLog::View now = chained.view(), views[] = {now, {now.rows / 2, now.erased}, {now.rows, 0}};
      for (const auto& view : views) {
        for (unsigned i = 0; i < 40; ++i) {
          const std::uint64_t query = i % 2 == 0 ? near(values[random() % values.size()]) : random() & ~alike;
          const unsigned k = i % 5;
          std::vector<hamming::Found> found;
          chained.find(view, std::span(&query, 1), k, found);
          Matches got, expected;
          for (const auto& f : found) got.push_back({f.id, f.distance});
          std::vector<std::uint64_t> kept, ids, erased;
          chained.collect(view, kept, ids, erased);
          for (std::size_t r = 0; r < ids.size(); ++r)
            if (const auto bits = static_cast<unsigned>(std::popcount(query ^ values[ids[r]])); bits <= k)
              expected.push_back({ids[r], bits});
          std::sort(got.begin(), got.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
          EXPECT_EQ(got, expected) << "k " << k << ", " << view.rows << " rows";
        }
      }
    }
  }
}

// One id, erased over and over, must not fill the log or its hash table's chain.
TEST(IndexLog, ErasingAgainIsNothing) {
  const std::uint64_t value = 1;
  HammingIndex index;
  hamming::IndexLog log(1);
  EXPECT_FALSE(log.is_erased(5));
  log.erase(5);
  EXPECT_TRUE(log.is_erased(5));
  log.add(6, &value);
  EXPECT_TRUE(log.is_erased(5));
  EXPECT_FALSE(log.is_erased(6));
  log.add(5, &value);
  EXPECT_FALSE(log.is_erased(5));
  log.erase(5);
  EXPECT_TRUE(log.is_erased(5));
  for (int i = 0; i < 100000; ++i) index.erase(i % 2 == 0 ? 5 : 0);
  index.add(5, value);
  EXPECT_EQ(index.find(1, 0), (Matches{{5, 0}}));
  index.erase(5);
  index.erase(5);
  EXPECT_TRUE(index.find(1, 0).empty());
}

}  // namespace
}  // namespace leitong
