#include "text/normalize.h"

#include <gtest/gtest.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <cstdint>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "text/normal_form.h"
#include "text/simplify.h"
#include "text/utf8.h"

namespace leitong::text {
namespace {

std::string utf8_of(const std::u32string& points) {
  std::string out;
  for (const char32_t c : points) append_utf8(c, out);
  return out;
}

std::string icu_casefold(const std::string& utf8) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFKCCasefoldInstance(status);
  const icu::UnicodeString result = normalizer->normalize(icu::UnicodeString::fromUTF8(utf8), status);
  EXPECT_TRUE(U_SUCCESS(status));
  std::string out;
  result.toUTF8String(out);
  return out;
}

bool is_scalar(char32_t c) { return c < 0xD800 || (c > 0xDFFF && c < 0x110000); }

TEST(Normalize, EveryCodePointAsIcuDoes) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (!is_scalar(c)) continue;
    const std::string text = utf8_of({c});
    ASSERT_EQ(nfkc_casefold(text), icu_casefold(text)) << std::hex << static_cast<std::uint32_t>(c);
  }
}

TEST(Normalize, EveryCodePointBetweenNeighboursAsIcuDoes) {
  // A letter and a low mark before, a high mark and a vowel after: reordering and composition on both sides.
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (!is_scalar(c) || (c > 0x31350 && c < 0xE0000) || c > 0xE0FFF) continue;
    const std::string text = utf8_of({U'a', 0x0323, c, 0x0301, 0x0327, 0x1161, 0x11A8});
    ASSERT_EQ(nfkc_casefold(text), icu_casefold(text)) << std::hex << static_cast<std::uint32_t>(c);
  }
}

TEST(Normalize, RandomStringsAsIcuDoes) {
  std::mt19937_64 random(20221);
  std::vector<char32_t> marks, odd;
  for (char32_t c = 0x80; c < 0x20000; ++c) {
    if (!is_scalar(c)) continue;
    if (u_getCombiningClass(static_cast<UChar32>(c)) != 0) marks.push_back(c);
    const std::string text = utf8_of({c});
    if (icu_casefold(text) != text) odd.push_back(c);
  }
  const auto pick = [&](const std::vector<char32_t>& pool) { return pool[random() % pool.size()]; };
  for (int round = 0; round < 60000; ++round) {
    std::u32string points;
    for (std::size_t size = random() % 12 + 1; points.size() < size;) {
      switch (random() % 7) {
        case 0:
          points.push_back(static_cast<char32_t>(random() % 0x80));
          break;
        case 1:
          points.push_back(pick(odd));
          break;
        case 2:
          points.push_back(0x1100 + static_cast<char32_t>(random() % 0x100));
          break;
        case 3:
          points.push_back(0xAC00 + static_cast<char32_t>(random() % 11172));
          break;
        case 4:
          points.push_back(0x41 + static_cast<char32_t>(random() % 0x200));
          break;
        default:
          points.push_back(pick(marks));
      }
    }
    const std::string text = utf8_of(points);
    ASSERT_EQ(nfkc_casefold(text), icu_casefold(text)) << round;
    ASSERT_EQ(nfkc_casefold(nfkc_casefold(text)), nfkc_casefold(text)) << round;
  }
}

TEST(Normalize, LongRunsOfMarksAsIcuDoes) {
  std::mt19937_64 random(3);
  const std::u32string marks = U"\u0301\u0323\u0327\u0345\u05B0\u3099\u0315\u0334\u0302\u0308";
  for (int round = 0; round < 300; ++round) {
    std::u32string points = U"o";
    for (std::size_t size = random() % 80; points.size() < size;) points += marks[random() % marks.size()];
    const std::string text = utf8_of(points + U"z");
    ASSERT_EQ(nfkc_casefold(text), icu_casefold(text)) << round;
  }
}

TEST(Normalize, LongRunsOfMarksAreLinear) {
  std::u32string points = U"a";
  std::mt19937_64 random(7);
  for (int i = 0; i < 1'000'000; ++i) points.push_back(random() % 2 == 0 ? 0x0301 : 0x0323);
  const std::clock_t begin = std::clock();  // of this process: the machine may be busy
  const std::string out = nfkc_casefold(utf8_of(points));
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 5);
  // All dots below come first and one of them joins the letter; the acute joins a dotted a no more.
  EXPECT_EQ(out.substr(0, 5), "\u1EA1\u0323");
  EXPECT_EQ(out.substr(out.size() - 2), "\u0301");
}

TEST(Normalize, SourcesCoverTheRunThatMadeThem) {
  NormalText text;
  normalize("A\xCC\x8A\xEF\xAC\x81\xFFz", true, text);  // A + ring, the ligature fi, an invalid byte, z
  ASSERT_EQ(text.points, (std::vector<char32_t>{0xE5, 'f', 'i', 0xFFFD, 'z'}));
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected{{0, 3}, {3, 6}, {3, 6}, {6, 7}, {7, 8}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(text.sources[i].begin, expected[i].first) << i;
    EXPECT_EQ(text.sources[i].end, expected[i].second) << i;
  }
}

TEST(Utf8, RepairFollowsTheMaximalSubpartRule) {
  const std::string r = "\uFFFD";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", ""},
      {"plain", "plain"},
      {"\x80", r},
      {"a\xC0\xAF", "a" + r + r},
      {"\xE0\x80\x80", r + r + r},
      {"\xED\xA0\x80", r + r + r},  // a surrogate
      {"\xF0\x9F\x98", r},
      {"\xF0\x9F\x98x", r + "x"},
      {"\xF4\x90\x80\x80", r + r + r + r},
      {"\xF8\x88\x80\x80\x80", r + r + r + r + r},
      {"\xE4\xB8\xE4\xB8\xAD", r + "\u4E2D"},
      {"\xF1\x80\x80\xE1\x80\xC2", r + r + r},
      {std::string("\0\xFF\0", 3), std::string("\0", 1) + r + std::string("\0", 1)},
  };
  for (const auto& [in, out] : cases) {
    EXPECT_EQ(repair_utf8(in), out) << testing::PrintToString(in);
    EXPECT_EQ(is_valid_utf8(in), in == out);
    EXPECT_TRUE(is_valid_utf8(repair_utf8(in)));
  }
}

TEST(Utf8, RandomBytesAreRepairedAsIcuDoes) {
  std::mt19937_64 random(99);
  const std::string pool = "a\x80\xBF\xC2\xC0\xE0\xE4\xED\xEF\xF0\xF4\xF5\xA0\x9F\x90\xB8\xAD";
  for (int round = 0; round < 100000; ++round) {
    std::string bytes;
    for (std::size_t size = random() % 8; bytes.size() < size;) bytes += pool[random() % pool.size()];
    std::string expected;
    icu::UnicodeString::fromUTF8(bytes).toUTF8String(expected);
    ASSERT_EQ(repair_utf8(bytes), expected) << testing::PrintToString(bytes);
  }
}

TEST(Simplify, MapsOneForOneAndSettles) {
  EXPECT_EQ(simplify(U'\u6A02'), U'\u4E50');  // 樂 to 乐
  EXPECT_EQ(simplify(U'\u570B'), U'\u56FD');  // 國 to 国
  EXPECT_EQ(simplify(U'\u4E7E'), U'\u4E7E');  // 乾 is used in simplified text as well
  EXPECT_EQ(simplify(U'\u4E2D'), U'\u4E2D');
  EXPECT_EQ(simplify(U'a'), U'a');
  std::size_t changed = 0;
  for (char32_t c = 0; c < 0x110000; ++c) {
    const char32_t s = simplify(c);
    changed += s != c ? 1 : 0;
    ASSERT_EQ(simplify(s), s);
    if (s != c) {
      ASSERT_EQ(nfkc_casefold(utf8_of({s})), utf8_of({s}));
    }
    if (c >= han_first && c <= han_last) {
      ASSERT_EQ(simplified_han()[c - han_first], s >= han_first && s <= han_last ? s : 0);
    }
  }
  EXPECT_GT(changed, 2500U);
}

}  // namespace
}  // namespace leitong::text
