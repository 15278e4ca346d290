#include "text/utf16.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

namespace leitong::text {
namespace {

TEST(Utf16, SurrogatesSurvive) {
  const std::u16string units = u"a\xD800中\xDC00\xD83D\xDE02é\xDBFF";
  EXPECT_EQ(to_utf16(to_utf8(units)), units);
  EXPECT_EQ(to_utf16("\xF0\x9F\x98\x82\xC3\xA9"), u"\xD83D\xDE02é");
  EXPECT_EQ(to_utf16("a\xFF\xE4\xB8z\xC0\x80\xF4\x90"), u"a\xFFFD\xFFFDz\xFFFD\xFFFD\xFFFD\xFFFD");
}

// The standard's table of well-formed sequences, and surrogates; what fits none of them is cut as it names it: maximal parts.
std::u16string plain_utf16(std::string_view s) {
  struct Form {
    int first_low, first_high, second_low, second_high, bytes;
  };
  constexpr Form forms[] = {{0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
                            {0xE1, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4},
                            {0xF4, 0xF4, 0x80, 0x8F, 4}};
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<int>(static_cast<unsigned char>(s[i])) : -1; };
  std::u16string out;
  for (std::size_t at = 0; at < s.size();) {
    const auto* form = std::find_if(std::begin(forms), std::end(forms),
                                    [&](const Form& f) { return byte(at) >= f.first_low && byte(at) <= f.first_high; });
    std::size_t good = 1;
    if (form == std::end(forms)) {
      out += u'\xFFFD';
      ++at;
      continue;
    }
    for (const auto bytes = static_cast<std::size_t>(form->bytes); good < bytes; ++good) {
      const int low = good == 1 ? form->second_low : 0x80, high = good == 1 ? form->second_high : 0xBF;
      if (byte(at + good) < low || byte(at + good) > high) break;
    }
    if (good < static_cast<std::size_t>(form->bytes)) {
      out += u'\xFFFD';
    } else {
      auto point = static_cast<char32_t>(good == 1 ? byte(at) : byte(at) & (0x7F >> good));
      for (std::size_t i = 1; i < good; ++i) point = point << 6 | static_cast<char32_t>(byte(at + i) & 63);
      if (point >= 0x10000) out += static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10));
      out += static_cast<char16_t>(point < 0x10000 ? point : 0xDC00 + ((point - 0x10000) & 0x3FF));
    }
    at += good;
  }
  return out;
}

TEST(Utf16, EqualsThePlainWay) {
  std::mt19937 random(3);
  const std::string_view parts[] = {"a",
                                    "bcdefghijk",
                                    "中",
                                    "文字的长串",
                                    "é",
                                    "\xF0\x9F\x98\x82",
                                    "\xED\xA0\x80",
                                    "\xE0\x80",
                                    "\xE0\xA0",
                                    "\xE4\xB8",
                                    "\xF0\x9F\x98",
                                    "\xFF",
                                    "\x80",
                                    "\xE0\x80\x80",
                                    "\xC2",
                                    "\xF4\x90",
                                    "\xEF\xBF\xBF",
                                    "ＡＢ，　",
                                    "\0"};
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (auto count = random() % 12; count > 0; --count) {
      text += parts[random() % std::size(parts)];
      if (random() % 16 == 0) text += static_cast<char>(random() % 256);
    }
    std::u16string out = u"x";
    append_utf16(text, out);
    ASSERT_EQ(out, u"x" + plain_utf16(text)) << testing::PrintToString(text);
  }
}

TEST(Utf16, WithoutSurrogates) {
  EXPECT_EQ(without_surrogates("a\xED\xA0\x80한\xED\xBF\xBF"), "a\xEF\xBF\xBD한\xEF\xBF\xBD");
  EXPECT_EQ(without_surrogates("\xED"), "\xED");
  EXPECT_EQ(without_surrogates("\xED\xA0"), "\xED\xA0");
}

}  // namespace
}  // namespace leitong::text
