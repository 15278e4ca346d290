#include "similarity/common_substring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "leitong/profile.h"
#include "similarity/suffix_array.h"

namespace leitong::similarity {
namespace {

// The textbook table.
std::uint32_t oracle(const std::u32string& a, const std::u32string& b) {
  std::uint32_t longest = 0;
  std::vector<std::uint32_t> row(b.size() + 1, 0);
  for (const char32_t c : a) {
    for (std::size_t j = b.size(); j > 0; --j) {
      row[j] = c == b[j - 1] ? row[j - 1] + 1 : 0;
      longest = std::max(longest, row[j]);
    }
  }
  return longest;
}

std::u32string random_text(std::mt19937_64& random, std::size_t size, std::uint64_t alphabet) {
  std::u32string text(size, U'a');
  for (auto& c : text) c = static_cast<char32_t>(U'a' + random() % alphabet);
  return text;
}

// Texts that share pieces: each is put together from a few phrases and random characters.
std::u32string phrases_text(std::mt19937_64& random, const std::vector<std::u32string>& phrases, std::size_t pieces,
                            std::uint64_t alphabet) {
  std::u32string text;
  for (std::size_t i = 0; i < pieces; ++i) {
    text += random() % 2 == 0 ? phrases[random() % phrases.size()] : random_text(random, random() % 9, alphabet);
  }
  return text;
}

std::u32string periodic(std::size_t size, std::size_t period) {
  std::u32string text(size, U'a');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char32_t>(U'a' + i % period);
  return text;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(SuffixArray, AgreesWithSorting) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 4000; ++round) {
    const auto alphabet = static_cast<std::uint32_t>(1 + random() % 6);
    std::vector<std::uint32_t> text(random() % 60);
    const std::size_t period = 1 + random() % 8;
    for (std::size_t i = 0; i < text.size(); ++i) {
      text[i] = round % 3 == 0 && i >= period ? text[i - period] : static_cast<std::uint32_t>(random() % alphabet);
    }
    std::vector<std::uint32_t> truth(text.size());
    std::iota(truth.begin(), truth.end(), 0U);
    std::sort(truth.begin(), truth.end(), [&](std::uint32_t x, std::uint32_t y) {
      return std::lexicographical_compare(text.begin() + x, text.end(), text.begin() + y, text.end());
    });
    ASSERT_EQ(suffix_array(text, alphabet), truth);
  }
}

TEST(CommonSubstring, SmallAgainstTheTable) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 6000; ++round) {
    const std::uint64_t alphabet = 1 + random() % 5;
    const std::u32string a = random_text(random, random() % 30, alphabet);
    const std::u32string b = random_text(random, random() % 30, alphabet);
    const CommonSubstring got = common_substring(a, b);
    ASSERT_TRUE(got.exact);
    ASSERT_EQ(got.length, oracle(a, b));
  }
}

// The way of long texts, on short ones: nothing may be sorted at once. Exact values are; others are no more than the truth.
TEST(CommonSubstring, TheLongWayAgainstTheTable) {
  std::mt19937_64 random(3);
  int exact = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::uint64_t alphabet = round % 3 == 0 ? 2 : round % 3 == 1 ? 26 : 5000;
    std::vector<std::u32string> phrases;
    for (int i = 0; i < 3; ++i) phrases.push_back(random_text(random, 1 + random() % 120, alphabet));
    const std::u32string a = phrases_text(random, phrases, random() % 12, alphabet);
    const std::u32string b =
        round % 5 == 0 ? random_text(random, random() % 300, alphabet) : phrases_text(random, phrases, random() % 12, alphabet);
    const std::size_t sorted = std::size_t{1} << random() % 11;
    const CommonSubstring got = common_substring(a, b, sorted);
    const std::uint32_t truth = oracle(a, b);
    if (got.exact) {
      ASSERT_EQ(got.length, truth) << "round " << round << ", sorted " << sorted;
    } else {
      ASSERT_LE(got.length, truth) << "round " << round << ", sorted " << sorted;
    }
    exact += got.exact ? 1 : 0;
  }
  EXPECT_GT(exact, 1000);
  EXPECT_LT(exact, 3000) << "the bound was never met: the test does not test it";
}

TEST(CommonSubstring, PeriodsTheLongWay) {
  for (const std::size_t p : {1U, 2U, 3U, 7U}) {
    for (const std::size_t q : {1U, 2U, 3U, 6U}) {
      const std::u32string a = U"x" + periodic(300 + p, p), b = periodic(400, q) + U"y";
      const CommonSubstring got = common_substring(a, b, 128);
      if (got.exact) {
        EXPECT_EQ(got.length, oracle(a, b)) << p << ", " << q;
      } else {
        EXPECT_LE(got.length, oracle(a, b)) << p << ", " << q;
      }
    }
  }
}

TEST(CommonSubstring, Edges) {
  const Profile profile;
  EXPECT_EQ(leitong::common_substring("", "", profile).share, 1);
  EXPECT_EQ(leitong::common_substring("", "a", profile).share, 0);
  EXPECT_EQ(leitong::common_substring(" \n", "", profile).share, 1) << "white space at the ends is none of the text";
  EXPECT_EQ(leitong::common_substring("abc", "abc", profile).length, 3U);
  EXPECT_EQ(leitong::common_substring("abc", "xyz", profile).length, 0U);
  const CommonSubstring turned = leitong::common_substring("今天ＡＢＣ天气", "昨天abc  天", profile);
  EXPECT_EQ(turned.length, 4U) << "天abc, whatever the width and case";
  EXPECT_DOUBLE_EQ(turned.share, 4.0 / 7);
  EXPECT_EQ(leitong::common_substring("a\xff\xff"
                                      "b",
                                      "a\xfe\xfd"
                                      "b",
                                      profile)
                .length,
            4U)
      << "invalid bytes are U+FFFD";
  EXPECT_EQ(leitong::common_substring("\xe6\xb1", "\xe6", profile).length, 1U);
}

TEST(CommonSubstring, TenMillionEqualCharacters) {
  const std::size_t size = 10'000'000;
  const auto start = std::chrono::steady_clock::now();
  const std::u32string same(size, U'a');
  EXPECT_EQ(common_substring(same, same).length, size);
  const std::u32string shorter = U"x" + std::u32string(size / 2, U'a') + U"y";
  const CommonSubstring constant = common_substring(same, shorter);
  EXPECT_GE(constant.length, size / 4);
  EXPECT_LE(constant.length, size / 2);
  RecordProperty("milliseconds", static_cast<int>(seconds_since(start) * 1000));
  EXPECT_LT(seconds_since(start), 400);  // half a second; a quadratic way would take days. No measure of speed: a loaded machine must pass.
}

TEST(CommonSubstring, LongerThanCanBeSortedAtOnce) {
  constexpr std::size_t size = 2'500'000;
  static_assert(2 * size > sorted_characters);
  std::mt19937_64 random(4);
  const std::u32string a = random_text(random, size, 3000);
  std::u32string edited = a;
  for (int i = 0; i < 1000; ++i) edited[random() % size] = U'#';
  const CommonSubstring near = common_substring(a, edited);
  EXPECT_TRUE(near.exact);
  std::size_t run = 0, longest = 0;
  for (std::size_t i = 0; i < size; ++i) longest = std::max(longest, run = a[i] == edited[i] ? run + 1 : 0);
  EXPECT_EQ(near.length, longest);

  std::u32string other = random_text(random, size, 3000);  // with a passage of the first text
  std::copy(a.begin() + 1'000'003, a.begin() + 1'000'103, other.begin() + 1'654'321);
  const CommonSubstring passage = common_substring(a, other);
  EXPECT_TRUE(passage.exact);
  EXPECT_GE(passage.length, 100U);
  EXPECT_LE(passage.length, 103U);
}

}  // namespace
}  // namespace leitong::similarity
