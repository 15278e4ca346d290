#include "text/utf16.h"

#include <gtest/gtest.h>

namespace leitong::text {
namespace {

TEST(Utf16, SurrogatesSurvive) {
  const std::u16string units = u"a\xD800中\xDC00\xD83D\xDE02é\xDBFF";
  EXPECT_EQ(to_utf16(to_utf8(units)), units);
  EXPECT_EQ(to_utf16("\xF0\x9F\x98\x82\xC3\xA9"), u"\xD83D\xDE02é");
  EXPECT_EQ(to_utf16("a\xFF\xE4\xB8z\xC0\x80\xF4\x90"), u"a\xFFFD\xFFFDz\xFFFD\xFFFD\xFFFD\xFFFD");
}

TEST(Utf16, WithoutSurrogates) {
  EXPECT_EQ(without_surrogates("a\xED\xA0\x80한\xED\xBF\xBF"), "a\xEF\xBF\xBD한\xEF\xBF\xBD");
  EXPECT_EQ(without_surrogates("\xED"), "\xED");
  EXPECT_EQ(without_surrogates("\xED\xA0"), "\xED\xA0");
}

}  // namespace
}  // namespace leitong::text
