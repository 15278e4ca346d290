#include "similarity/common_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "processor/instruction_set.h"
#include "similarity/anchored_order.h"
#include "similarity/measures.h"

namespace leitong::similarity {
namespace {

bool reaches(CommonOrder& order, const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, std::uint64_t needed) {
  order.set(a);
  return order.reaches(b, needed);
}

std::uint64_t plain_lcs(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::uint64_t> row(b.size() + 1, 0);
  for (const std::uint32_t x : a) {
    std::uint64_t diagonal = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint64_t above = row[j];
      row[j] = x == b[j - 1] ? diagonal + 1 : std::max(row[j], row[j - 1]);
      diagonal = above;
    }
  }
  return row.back();
}

TEST(CommonOrder, IsTheLongestCommonSubsequence) {
  std::mt19937 engine(3);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  CommonOrder order;
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t alphabet = 1 + random() % (round % 2 == 0 ? 5 : 200);
    std::vector<std::uint32_t> a(random() % 300), b(random() % 300);
    for (auto& x : a) x = random() % alphabet;
    if (round % 3 == 0) b = a;  // an edited copy
    for (auto& x : b)
      if (round % 3 != 0 || random() % 6 == 0) x = random() % alphabet;
    const std::uint64_t length = plain_lcs(a, b);
    ASSERT_TRUE(reaches(order, a, b, length)) << round;
    ASSERT_FALSE(reaches(order, a, b, length + 1)) << round;
    ASSERT_TRUE(reaches(order, b, a, length)) << round;
    ASSERT_FALSE(reaches(order, b, a, length + 1)) << round;
  }
}

// Bands of one word to several vectors, begun and ended at every place in them.
TEST(CommonOrder, EachInstructionSetGivesTheSame) {
  std::vector<OrderRowsFunction> kernels = {order_rows_portable};
#if defined(__x86_64__)
  if (processor::fits_avx512(processor::features())) kernels.push_back(order_rows_avx512);
#endif
  std::mt19937 engine(13);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int round = 0; round < 150; ++round) {
    const std::uint32_t alphabet = 1 + random() % (round % 2 == 0 ? 4 : 900);
    std::vector<std::uint32_t> a(1 + random() % 1500), b(1 + random() % 1500);
    for (auto& x : a) x = random() % alphabet;
    if (round % 3 != 0) b = a;  // an edited copy
    for (auto& x : b)
      if (round % 3 == 0 || random() % 8 == 0) x = random() % alphabet;
    const std::uint64_t length = plain_lcs(a, b);
    for (const OrderRowsFunction kernel : kernels) {
      CommonOrder order(kernel);
      ASSERT_TRUE(reaches(order, a, b, length)) << round;
      ASSERT_FALSE(reaches(order, a, b, length + 1)) << round;
    }
  }
}

// Carries that run through all words of a row, and stop at each of them.
TEST(OrderRows, CarriesRunThroughWholeVectors) {
#if defined(__x86_64__)
  if (!processor::fits_avx512(processor::features())) GTEST_SKIP() << "no AVX-512 here";
  std::mt19937_64 random(17);
  constexpr std::size_t words = 21;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::uint64_t> masks(2 * words + OrderRows::padding), row(words + OrderRows::padding);
    for (auto& word : row) word = random() % 3 == 0 ? random() : ~std::uint64_t{0};
    for (std::size_t w = 0; w < words; ++w) masks[words + w] = random() % 4 == 0 ? random() : random() % 2;
    const std::size_t first = random() % words, end = first + 1 + random() % (words - first);
    const std::vector<std::uint32_t> numbers = {1, 0, 1};
    std::vector<std::uint64_t> plain = row, wide = row;
    order_rows_portable({plain.data(), first, end, masks.data(), words, numbers.data(), numbers.size()});
    order_rows_avx512({wide.data(), first, end, masks.data(), words, numbers.data(), numbers.size()});
    ASSERT_TRUE(std::equal(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(end), wide.begin())) << round;
  }
#endif
}

TEST(CommonOrder, EndsAndEmptiness) {
  CommonOrder order;
  const std::vector<std::uint32_t> none, one = {0}, two = {0, 0xffffffffU};
  EXPECT_TRUE(reaches(order, none, none, 0));
  EXPECT_FALSE(reaches(order, none, one, 1));
  EXPECT_TRUE(reaches(order, one, two, 1));
  EXPECT_FALSE(reaches(order, one, two, 2));
  EXPECT_TRUE(reaches(order, two, two, 2));
}

TEST(CommonOrder, LongSequencesGoByTheirDifferences) {
  CommonOrder order;
  std::mt19937 engine(5);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  std::vector<std::uint32_t> a(70000);
  for (auto& x : a) x = random();
  auto b = a;
  for (std::size_t i = 100; i < b.size(); i += 1000) b[i] = random();  // 70 substitutions
  EXPECT_TRUE(reaches(order, a, b, 70000 - 70));
  EXPECT_FALSE(reaches(order, a, b, 70000 - 69));
}

using Sequence = std::vector<std::uint32_t>;

Sequence random_tokens(std::size_t count, std::uint32_t vocabulary, std::mt19937& engine) {
  Sequence tokens(count);
  for (auto& token : tokens) token = static_cast<std::uint32_t>(engine()) % vocabulary * 0x9e3779b1U;
  return tokens;
}

// Each token is replaced, dropped or followed by another with that chance.
Sequence edited(const Sequence& tokens, double share, std::uint32_t vocabulary, std::mt19937& engine) {
  std::uniform_real_distribution<double> chance(0, 1);
  Sequence out;
  for (const std::uint32_t token : tokens) {
    const bool is_edited = chance(engine) < share;
    const auto kind = static_cast<std::uint32_t>(engine()) % 3;
    if (!is_edited || kind == 2) out.push_back(token);
    if (is_edited && kind != 1) out.push_back(static_cast<std::uint32_t>(engine()) % vocabulary * 0x9e3779b1U);
  }
  return out;
}

std::uint64_t exact_length(const Sequence& a, const Sequence& b) {
  const std::vector<std::uint64_t> left(a.begin(), a.end()), right(b.begin(), b.end());
  return lcs_length(left, right, static_cast<std::uint32_t>(a.size() + b.size())).value();
}

TEST(AnchoredOrder, IsNeverTooLongAndALittleTooShort) {
  std::mt19937 engine(7);
  AnchoredOrder anchored;
  for (const std::uint32_t vocabulary : {2U, 1000U, 17576U})
    for (const double share : {0.0, 0.02, 0.1, 0.3, 0.5}) {
      const Sequence a = random_tokens(12000, vocabulary, engine), b = edited(a, share, vocabulary, engine);
      const std::uint64_t exact = exact_length(a, b), found = anchored.length(a, b);
      EXPECT_LE(found, exact) << vocabulary << " " << share;
      EXPECT_GE(static_cast<double>(found), (vocabulary < 100 ? 0.9 : 0.98) * static_cast<double>(exact)) << vocabulary << " " << share;
    }
}

TEST(AnchoredOrder, FindsWhatWasInsertedCutOffOrMoved) {
  std::mt19937 engine(8);
  AnchoredOrder anchored;
  const Sequence a = random_tokens(20000, 5000, engine), strange = random_tokens(7000, 5000, engine);
  Sequence b = a, moved(a.begin() + 10000, a.end());
  b.insert(b.begin() + 4000, strange.begin(), strange.end());
  moved.insert(moved.end(), a.begin(), a.begin() + 10000);
  EXPECT_EQ(anchored.length(a, b), a.size());
  EXPECT_EQ(anchored.length(a, Sequence(a.begin() + 9000, a.end())), 11000U);
  EXPECT_GE(anchored.length(a, moved), 10000U);
  EXPECT_LE(anchored.length(a, moved), exact_length(a, moved));
  EXPECT_EQ(anchored.length(a, {}), 0U);
}

TEST(CommonOrder, IsExactBelowItsBoundAndNeverTooGenerousAboveIt) {
  std::mt19937 engine(9);
  CommonOrder exact, bounded({}, 1);
  for (const double share : {0.05, 0.2, 0.4}) {
    const Sequence a = random_tokens(3000, 3000, engine), b = edited(a, share, 3000, engine);
    const std::uint64_t length = plain_lcs(a, b);
    EXPECT_TRUE(reaches(exact, a, b, length));
    EXPECT_FALSE(reaches(exact, a, b, length + 1));
    EXPECT_FALSE(reaches(bounded, a, b, length + 1));
    EXPECT_TRUE(reaches(bounded, a, b, length * 98 / 100)) << share;
  }
}

// What took many minutes: a tenth of the differences times the length, in table cells.
TEST(CommonOrder, WorkOfLongTextsIsBoundedAndCanBeStopped) {
  struct Stopped {};
  std::mt19937 engine(10);
  const Sequence a = random_tokens(400000, 17576, engine), b = edited(a, 0.25, 17576, engine), other = random_tokens(400000, 17576, engine);
  CommonOrder order;
  EXPECT_TRUE(reaches(order, a, b, a.size() * 3 / 4));
  EXPECT_FALSE(reaches(order, a, other, a.size() * 3 / 4));
  CommonOrder stopped([] { throw Stopped(); });
  EXPECT_THROW((void)reaches(stopped, a, b, a.size() * 3 / 4), Stopped);
}

}  // namespace
}  // namespace leitong::similarity
