#include "segment/ik.h"

#include <gtest/gtest.h>

#include "text/utf16.h"

namespace leitong::segment {
namespace {

IkWords small_words() {
  IkWords words;
  words[0] = {u"研究", u"研究生", u"生命", u"命", u"起源"};
  words[1] = {u"王"};
  words[2] = {u"个", u"公斤"};
  words[3] = {u"斯基"};
  words[4] = {u"的"};
  words[5] = {u"the"};
  return words;
}

std::string show(const IkTokens& tokens) {
  std::string out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const IkToken& t = tokens.tokens[i];
    out += text::to_utf8(tokens[i]) + "/" + std::to_string(t.begin) + "/" + std::to_string(t.end) + "/" +
           std::to_string(static_cast<int>(t.type)) + " ";
  }
  return out;
}

std::string cut(const IkDictionary& dictionary, std::u16string_view text) {
  IkTokens tokens;
  segment_ik(dictionary, text, tokens);
  return show(tokens);
}

std::string cut_small(std::u16string_view text) { return cut(IkDictionary::from_bytes(compile_ik(small_words()), "words"), text); }

TEST(Ik, PartialOverlapsStay) { EXPECT_EQ(cut_small(u"研究生命起源"), "研究生/0/3/0 生命/2/4/0 起源/4/6/0 "); }

TEST(Ik, NumbersAndLetters) { EXPECT_EQ(cut_small(u"3.5公斤 A--b the"), "3.5/0/3/10 公斤/3/5/11 a--b/6/10/20 "); }

TEST(Ik, EmptyAndWordless) {
  EXPECT_EQ(cut_small(u""), "");
  EXPECT_EQ(cut_small(u"， ！\xD800"), "");
}

TEST(Ik, FullWidthCapitalsStay) { EXPECT_EQ(cut_small(u"ＡＢ"), "AB/0/2/20 "); }

TEST(Ik, LastUnitOfAFullWindowIsLost) {
  const std::u16string text(3072, u'命');
  IkTokens tokens;
  segment_ik(IkDictionary::from_bytes(compile_ik(small_words()), "words"), text, tokens);
  EXPECT_LE(tokens.size(), text.size());
  EXPECT_LE(tokens.tokens.back().end, text.size());
}

}  // namespace
}  // namespace leitong::segment
