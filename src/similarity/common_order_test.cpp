#include "similarity/common_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

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

}  // namespace
}  // namespace leitong::similarity
