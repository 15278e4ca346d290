#include "similarity/characters.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>

#include "leitong/profile.h"
#include "similarity/measures.h"
#include "text/normalize.h"
#include "text/utf8.h"

namespace leitong::similarity {
namespace {

std::u32string of(std::string_view text, bool fold = false) {
  const auto points = characters(text, fold);
  return {points.begin(), points.end()};
}

std::uint32_t oracle(const std::u32string& a, const std::u32string& b) {
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

TEST(Characters, Normalised) {
  EXPECT_EQ(of("  ＡＢc\t\r\n 汉字　 "), U"abc 汉字");
  EXPECT_EQ(of("漢字", true), U"汉字");
  EXPECT_EQ(of("漢字", false), U"漢字");
  EXPECT_EQ(of("a\xff"
               "b\xe6\xb1"),
            U"a\uFFFDb\uFFFD");
  EXPECT_EQ(of(""), U"");
  EXPECT_EQ(of("\xe2\x80\xa8 x\xc2\x85y\xc2\xa0"), U"x y");
}

// Long texts are normalised in parts: no cut may show.
TEST(Characters, PartsLeaveNoTrace) {
  const std::vector<std::string> units{"e\xcc\x81", "각",      "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8", "汉", "か\xe3\x82\x99", "a", "\xff",
                                       "\xe6\xb1",  "\xcc\x81"};
  std::mt19937_64 random(1);
  for (int round = 0; round < 6; ++round) {
    std::string text;
    while (text.size() < 200'000) text += units[random() % (round < 3 ? units.size() : 3)];
    std::u32string whole;
    const std::string normal = text::nfkc_casefold(text);
    for (std::size_t i = 0; i < normal.size();) {
      const auto c = text::decode_utf8(normal, i);
      whole += c.value;
      i += c.size;
    }
    ASSERT_TRUE(of(text) == whole) << "round " << round;
  }
}

TEST(CharacterEdits, AgreeWithTheTable) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 3000; ++round) {
    const std::uint64_t alphabet = 1 + random() % 6;
    std::u32string a(random() % 90, U'汉'), b(random() % 90, U'汉');
    for (auto& c : a) c += static_cast<char32_t>(random() % alphabet);
    for (auto& c : b) c += static_cast<char32_t>(random() % alphabet);
    const std::uint32_t truth = oracle(a, b);
    const std::size_t longer = std::max(a.size(), b.size());
    const CharacterEdits whole = character_edits(a, b, 0xffffffffU);
    ASSERT_TRUE(whole.exact);
    ASSERT_EQ(whole.distance, truth);
    ASSERT_DOUBLE_EQ(whole.similarity, longer == 0 ? 1 : 1 - static_cast<double>(truth) / static_cast<double>(longer));
    const auto bound = static_cast<std::uint32_t>(random() % 90);
    const CharacterEdits bounded = character_edits(a, b, bound);
    ASSERT_EQ(bounded.exact, truth <= bound);
    ASSERT_LE(bounded.distance, truth);
    ASSERT_GT(bounded.distance + (bounded.exact ? 1 : 0), std::min(bound, truth));
  }
}

// Enough characters for the table of numbers instead of the sorted list.
TEST(CharacterEdits, LongAgreesWithTheTable) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 3; ++round) {
    std::u32string a(4500, U'a'), b(5000, U'a');
    for (auto& c : a) c = static_cast<char32_t>(0x4E00 + random() % 300);
    for (auto& c : b) c = static_cast<char32_t>(0x4E80 + random() % 400);
    ASSERT_EQ(character_edits(a, b, 0xffffffffU).distance, oracle(a, b));
  }
}

TEST(CharacterEdits, Edges) {
  const Profile profile;
  EXPECT_EQ(leitong::character_edits("", "", profile).similarity, 1);
  EXPECT_EQ(leitong::character_edits("", "abc", profile).distance, 3U);
  EXPECT_EQ(leitong::character_edits("", "abc", profile).similarity, 0);
  EXPECT_EQ(leitong::character_edits("谢谢童学们", "謝謝同学们", profile).distance, 3U);
  EXPECT_EQ(leitong::character_edits("abc", "xyz", profile, 1).distance, 2U);
  EXPECT_FALSE(leitong::character_edits("abc", "xyz", profile, 1).exact);
  EXPECT_EQ(leitong::character_edits("abcdef", "x", profile, 1).distance, 5U) << "no fewer than the lengths differ by";
  EXPECT_EQ(leitong::character_edits("a\xff", "a\xfe\x80", profile).distance, 1U) << "one U+FFFD against two";
}

TEST(CharacterEdits, TenMillionCharacters) {
  const auto start = std::chrono::steady_clock::now();
  const std::string same(10'000'000, 'a');
  const Profile profile;
  EXPECT_EQ(leitong::character_edits(same, same, profile).distance, 0U);
  EXPECT_EQ(leitong::character_edits(same, same.substr(777), profile).distance, 777U);
  EXPECT_FALSE(leitong::character_edits(same, std::string(10'000'000, 'b'), profile).exact);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RecordProperty("milliseconds", static_cast<int>(seconds * 1000));
  EXPECT_LT(seconds, 400);
}

}  // namespace
}  // namespace leitong::similarity
