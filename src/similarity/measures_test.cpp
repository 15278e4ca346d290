#include "similarity/measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>

namespace leitong::similarity {
namespace {

using Tokens = std::vector<std::uint64_t>;

Tokens random_tokens(std::mt19937_64& random, std::size_t size, std::uint64_t alphabet) {
  Tokens tokens(size);
  for (auto& token : tokens) token = random() % alphabet;
  return tokens;
}

// b made from a by `edits` random insertions, deletions and substitutions.
Tokens edited(std::mt19937_64& random, Tokens tokens, std::size_t edits, std::uint64_t alphabet) {
  for (std::size_t i = 0; i < edits; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(random() % (tokens.size() + 1));
    const auto kind = random() % 3;
    if (kind == 0 || tokens.empty()) {
      tokens.insert(tokens.begin() + std::min<std::ptrdiff_t>(at, std::ssize(tokens)), random() % alphabet);
    } else if (kind == 1) {
      tokens.erase(tokens.begin() + std::min<std::ptrdiff_t>(at, std::ssize(tokens) - 1));
    } else {
      tokens[static_cast<std::size_t>(std::min<std::ptrdiff_t>(at, std::ssize(tokens) - 1))] = random() % alphabet;
    }
  }
  return tokens;
}

// The textbook tables.
std::uint32_t oracle_lcs(const Tokens& a, const Tokens& b) {
  std::vector<std::uint32_t> row(b.size() + 1, 0);
  for (const auto token : a) {
    std::uint32_t corner = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t above = row[j];
      row[j] = token == b[j - 1] ? corner + 1 : std::max(row[j], row[j - 1]);
      corner = above;
    }
  }
  return row.back();
}

std::uint32_t oracle_edit(const Tokens& a, const Tokens& b) {
  std::vector<std::uint32_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<std::uint32_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::uint32_t corner = row[0];
    row[0] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t above = row[j];
      row[j] = std::min({corner + (a[i - 1] == b[j - 1] ? 0U : 1U), row[j] + 1, row[j - 1] + 1});
      corner = above;
    }
  }
  return row.back();
}

void expect_exact_up_to(std::optional<std::uint32_t> got, std::uint32_t truth, std::uint32_t differences, std::uint32_t bound) {
  if (differences <= bound) {
    ASSERT_TRUE(got.has_value()) << "differences " << differences << ", bound " << bound;
    ASSERT_EQ(*got, truth);
  } else {
    ASSERT_FALSE(got.has_value()) << "differences " << differences << ", bound " << bound;
  }
}

void check_distances(const Tokens& a, const Tokens& b, std::mt19937_64& random) {
  const std::uint32_t lcs = oracle_lcs(a, b);
  const auto indels = static_cast<std::uint32_t>(a.size() + b.size() - 2 * lcs);
  const std::uint32_t edits = oracle_edit(a, b);
  const auto any = static_cast<std::uint32_t>(random() % (a.size() + b.size() + 1));
  for (const std::uint32_t bound : {indels, any, std::uint32_t{0}, 0xffffffffU})
    expect_exact_up_to(lcs_length(a, b, bound), lcs, indels, bound);
  if (indels > 0) expect_exact_up_to(lcs_length(a, b, indels - 1), lcs, indels, indels - 1);
  for (const std::uint32_t bound : {edits, any, std::uint32_t{0}, 0xffffffffU})
    expect_exact_up_to(edit_distance(a, b, bound), edits, edits, bound);
  if (edits > 0) expect_exact_up_to(edit_distance(a, b, edits - 1), edits, edits, edits - 1);
}

// The runs cover both sequences in order, alternate, and what they call the same is. Returns the number of equal tokens.
std::uint64_t check_runs(const Tokens& a, const Tokens& b, const std::vector<TokenRun>& runs) {
  std::uint32_t at_a = 0;
  std::uint32_t at_b = 0;
  std::uint64_t same = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const TokenRun& run = runs[r];
    EXPECT_EQ(run.a_begin, at_a);
    EXPECT_EQ(run.b_begin, at_b);
    EXPECT_TRUE(run.a_end > run.a_begin || run.b_end > run.b_begin);
    if (r > 0) {
      EXPECT_NE(run.same, runs[r - 1].same);
    }
    if (run.same) {
      EXPECT_TRUE(std::equal(a.begin() + run.a_begin, a.begin() + run.a_end, b.begin() + run.b_begin, b.begin() + run.b_end));
      same += run.a_end - run.a_begin;
    }
    at_a = run.a_end;
    at_b = run.b_end;
  }
  EXPECT_EQ(at_a, a.size());
  EXPECT_EQ(at_b, b.size());
  return same;
}

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

TEST(Overlap, AgreesWithSets) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::set<std::uint64_t> x;
    std::set<std::uint64_t> y;
    for (std::uint64_t i = random() % 40; i > 0; --i) x.insert(random() % 50);
    for (std::uint64_t i = random() % 40; i > 0; --i) y.insert(random() % 50);
    const Tokens a(x.begin(), x.end());
    const Tokens b(y.begin(), y.end());
    Tokens both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    const Overlap result = overlap(a, b);
    ASSERT_EQ(result.common, both.size());
    ASSERT_EQ(result.a, a.size());
    ASSERT_EQ(result.b, b.size());
  }
}

TEST(Overlap, Ratios) {
  EXPECT_DOUBLE_EQ((Overlap{2, 4, 3}).jaccard(), 0.4);
  EXPECT_DOUBLE_EQ((Overlap{2, 4, 3}).containment(), 2.0 / 3);
  EXPECT_DOUBLE_EQ((Overlap{0, 0, 0}).jaccard(), 0);
  EXPECT_DOUBLE_EQ((Overlap{0, 0, 5}).containment(), 0);
  EXPECT_DOUBLE_EQ((Overlap{7, 7, 7}).jaccard(), 1);
}

TEST(Distances, SmallAgainstTables) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 6000; ++round) {
    const std::uint64_t alphabet = 1 + random() % 5;
    const Tokens a = random_tokens(random, random() % 14, alphabet);
    const Tokens b = random() % 2 == 0 ? random_tokens(random, random() % 14, alphabet) : edited(random, a, random() % 5, alphabet);
    check_distances(a, b, random);
    if (HasFatalFailure()) return;
  }
}

// Long enough for several strips of 64 rows, dissimilar enough that the diagonal method gives up.
TEST(Distances, LongAgainstTables) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t alphabet = round % 3 == 0 ? 2 : round % 3 == 1 ? 30 : 100000;
    const Tokens a = random_tokens(random, 100 + random() % 900, alphabet);
    const Tokens b = round % 2 == 0 ? random_tokens(random, 100 + random() % 900, alphabet) : edited(random, a, random() % 600, alphabet);
    check_distances(a, b, random);
    if (HasFatalFailure()) return;
  }
}

TEST(Distances, PeriodicAgainstTables) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 60; ++round) {
    Tokens a(300 + random() % 300);
    Tokens b(300 + random() % 300);
    const std::uint64_t p = 1 + random() % 7;
    const std::uint64_t q = 1 + random() % 7;
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = i % p;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = i % q;
    check_distances(a, b, random);
    if (HasFatalFailure()) return;
  }
}

TEST(Distances, WorstCasesStayFast) {
  constexpr std::size_t size = 100'000;
  Tokens different_a(size);
  Tokens different_b(size);
  Tokens constant(size, 7);
  Tokens shorter_constant(size - 1234, 7);
  Tokens period_two(size);
  Tokens period_three(size);
  for (std::size_t i = 0; i < size; ++i) {
    different_a[i] = i;
    different_b[i] = size + i;
    period_two[i] = i % 2;
    period_three[i] = i % 3;
  }
  constexpr std::uint32_t unbounded = 0xffffffffU;
  const Stopwatch watch;
  EXPECT_EQ(lcs_length(different_a, different_b, unbounded), 0U);
  EXPECT_EQ(edit_distance(different_a, different_b, 5000), std::nullopt);
  EXPECT_EQ(lcs_length(constant, shorter_constant, unbounded), size - 1234);
  EXPECT_EQ(edit_distance(constant, shorter_constant, unbounded), 1234U);
  EXPECT_EQ(lcs_length(period_two, period_three, 50'000), std::nullopt);
  EXPECT_EQ(edit_distance(period_two, period_three, 10'000), std::nullopt);
  EXPECT_EQ(lcs_length(constant, different_a, unbounded), 1U);
  RecordProperty("milliseconds", static_cast<int>(watch.seconds() * 1000));
  // About 0.5 s in a release build; quadratic tables would take hours in the slowest one. No measure of speed: a loaded machine must pass.
  EXPECT_LT(watch.seconds(), 400);
}

TEST(Align, SmallIsShortest) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 6000; ++round) {
    const std::uint64_t alphabet = 1 + random() % 6;
    const Tokens a = random_tokens(random, random() % 16, alphabet);
    const Tokens b = random() % 2 == 0 ? random_tokens(random, random() % 16, alphabet) : edited(random, a, random() % 5, alphabet);
    ASSERT_EQ(check_runs(a, b, align(a, b)), oracle_lcs(a, b));
    if (HasFailure()) return;
  }
}

TEST(Align, LongIsShortestWithinTheLimit) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 40; ++round) {
    const std::uint64_t alphabet = round % 2 == 0 ? 3 : 5000;
    const Tokens a = random_tokens(random, 500 + random() % 500, alphabet);
    const Tokens b = round % 4 < 2 ? random_tokens(random, 500 + random() % 500, alphabet) : edited(random, a, 200, alphabet);
    ASSERT_EQ(check_runs(a, b, align(a, b)), oracle_lcs(a, b));
    if (HasFailure()) return;
  }
}

TEST(Align, MovedBlocksKeepTheLongerOrder) {
  Tokens a(20'000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = i;
  Tokens b(a.begin() + 8000, a.end());  // the first 8,000 tokens moved to the end: more differences than the limit, so patience cuts
  b.insert(b.end(), a.begin(), a.begin() + 8000);
  EXPECT_EQ(check_runs(a, b, align(a, b)), 12'000U);
}

TEST(Align, EmptySides) {
  const Tokens none;
  const Tokens some{1, 2, 3};
  EXPECT_TRUE(align(none, none).empty());
  ASSERT_EQ(align(some, none).size(), 1U);
  EXPECT_FALSE(align(some, none)[0].same);
  EXPECT_EQ(align(none, some)[0].b_end, 3U);
  ASSERT_EQ(align(some, some).size(), 1U);
  EXPECT_TRUE(align(some, some)[0].same);
}

TEST(Align, WorstCasesStayFast) {
  constexpr std::size_t size = 100'000;
  std::mt19937_64 random(7);
  const Tokens binary_a = random_tokens(random, size, 2);
  const Tokens binary_b = random_tokens(random, size, 2);
  const Tokens wide_a = random_tokens(random, size, 30'000);
  const Tokens wide_b = random_tokens(random, size, 30'000);
  Tokens constant(size, 7);
  Tokens shorter(size / 2, 7);
  Tokens period_two(size);
  Tokens period_three(size);
  Tokens different(size);
  for (std::size_t i = 0; i < size; ++i) {
    period_two[i] = i % 2;
    period_three[i] = i % 3;
    different[i] = 1'000'000 + i;
  }
  const Stopwatch watch;
  EXPECT_GT(check_runs(binary_a, binary_b, align(binary_a, binary_b)), size / 2);
  check_runs(wide_a, wide_b, align(wide_a, wide_b));
  EXPECT_EQ(check_runs(constant, shorter, align(constant, shorter)), size / 2);
  check_runs(period_two, period_three, align(period_two, period_three));
  EXPECT_EQ(check_runs(wide_a, different, align(wide_a, different)), 0U);
  RecordProperty("milliseconds", static_cast<int>(watch.seconds() * 1000));
  EXPECT_LT(watch.seconds(), 400);
}

}  // namespace
}  // namespace leitong::similarity
