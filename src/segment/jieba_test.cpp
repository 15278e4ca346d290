#include "segment/jieba.h"

#include <gtest/gtest.h>

#include <random>

#include "leitong/error.h"
#include "segment/keywords.h"
#include "segment/small_jieba.h"

namespace leitong::segment {
namespace {

using Words = std::vector<std::string>;
enum class Way { hmm, plain, all, search };

Words cut(const Jieba& jieba, std::string_view text, Way way) {
  Tokens tokens;
  switch (way) {
    case Way::hmm:
      jieba.cut(text, true, tokens);
      break;
    case Way::plain:
      jieba.cut(text, false, tokens);
      break;
    case Way::all:
      jieba.cut_all(text, tokens);
      break;
    case Way::search:
      jieba.cut_for_search(text, true, tokens);
      break;
  }
  Words words;
  for (std::size_t i = 0; i < tokens.size(); ++i) words.emplace_back(tokens.view(text, i));
  return words;
}

class JiebaTest : public ::testing::Test {
 protected:
  Words hmm(std::string_view text) { return cut(jieba_, text, Way::hmm); }
  Words plain(std::string_view text) { return cut(jieba_, text, Way::plain); }
  Words all(std::string_view text) { return cut(jieba_, text, Way::all); }
  Words search(std::string_view text) { return cut(jieba_, text, Way::search); }
  Jieba jieba_{small_jieba()};
};

TEST_F(JiebaTest, TakesTheMostProbableRoute) {
  EXPECT_EQ(plain("今天天气很好"), (Words{"今天天气", "很好"}));
  EXPECT_EQ(plain("天气很好"), (Words{"天气", "很好"}));
  EXPECT_EQ(plain("中国国家"), (Words{"中国", "国家"}));
}

TEST_F(JiebaTest, TakesTheLongerFirstWordOnATie) { EXPECT_EQ(plain("甲乙丙"), (Words{"甲乙", "丙"})); }

TEST_F(JiebaTest, FindsNamesByTheModel) {
  EXPECT_EQ(hmm("今天王小明了"), (Words{"今天", "王小明", "了"}));
  EXPECT_EQ(plain("今天王小明了"), (Words{"今天", "王", "小", "明", "了"}));
  EXPECT_EQ(hmm("王"), (Words{"王"}));
}

TEST_F(JiebaTest, KeepsLatinWordsAndNumbers) {
  EXPECT_EQ(hmm("abc-12.5%x.y"), (Words{"abc", "-", "12.5%", "x", ".", "y"}));
  EXPECT_EQ(plain("abc-12.5%x.y"), (Words{"abc", "-", "12", ".", "5", "%", "x", ".", "y"}));
  EXPECT_EQ(hmm("1.2.3%%"), (Words{"1.2", ".", "3%", "%"}));
  EXPECT_EQ(hmm("..a"), (Words{"..", "a"}));
  EXPECT_EQ(plain("..a"), (Words{".", ".", "a"}));
  EXPECT_EQ(hmm("C++和C+"), (Words{"C++", "和", "C", "+"}));
  EXPECT_EQ(hmm("用C++11"), (Words{"用", "C++", "11"}));
  EXPECT_EQ(plain("xA股y"), (Words{"x", "A股", "y"}));
}

TEST_F(JiebaTest, KeepsWhatIsOutsideOfBlocks) {
  EXPECT_EQ(hmm("天气，。 \t\r\n\r🙂\u9fd6"), (Words{"天气", "，", "。", " ", "\t", "\r\n", "\r", "🙂", "\u9fd6"}));
  EXPECT_EQ(hmm(""), Words{});
  EXPECT_EQ(hmm(std::string_view("\0a", 2)), (Words{std::string(1, '\0'), "a"}));
}

TEST_F(JiebaTest, TakesEveryBrokenPartForACharacter) {
  EXPECT_EQ(hmm("天\xE5\xA4气\xFFz\xE4"), (Words{"天", "\xE5\xA4", "气", "\xFF", "z", "\xE4"}));
}

TEST_F(JiebaTest, CutAllGivesAllWords) {
  EXPECT_EQ(all("今天天气很好"), (Words{"今天", "今天天气", "天气", "气很", "很好"}));
  EXPECT_EQ(all("中国国家"), (Words{"中国", "中国国家", "国家"}));
}

TEST_F(JiebaTest, CutAllKeepsJiebasOddities) {
  EXPECT_EQ(all("天气\n，"), (Words{"天气", "", "\n", "，"}));
  EXPECT_EQ(all("\n"), (Words{"", "\n", ""}));
  EXPECT_EQ(all("，。\r\n"), (Words{"，。", "\r\n", ""}));
  EXPECT_EQ(all("xT恤衫"), (Words{"T恤", "T恤衫", "x"})) << "what was collected comes after the words found meanwhile";
}

TEST_F(JiebaTest, CutAllJoinsLettersAcrossUserWords) {
  jieba_.add_word("ab", 3);
  jieba_.add_word("abc", 3);
  EXPECT_EQ(all("xabcy天"), (Words{"ab", "abc", "xy", "天"}));
  const std::string text = "xabcy，zabcw";
  Tokens tokens;
  jieba_.cut_all(text, tokens);
  EXPECT_EQ(tokens.joined(), "xyzw");
  EXPECT_EQ(tokens.view(text, tokens.size() - 1), "zw");
}

TEST_F(JiebaTest, CutForSearchAddsShortWords) { EXPECT_EQ(search("今天天气很好"), (Words{"今天", "天气", "今天天气", "很好"})); }

TEST_F(JiebaTest, AddsAndDeletesWords) {
  jieba_.add_word("王小明了", {}, "nr");
  EXPECT_EQ(plain("王小明了"), (Words{"王小明了"}));
  EXPECT_EQ(jieba_.tag("王小明了"), "nr");
  EXPECT_EQ(jieba_.frequency(U"王小"), 0U);
  EXPECT_EQ(jieba_.frequency(U"小明"), std::nullopt);
  jieba_.del_word("很好");
  EXPECT_EQ(plain("很好"), (Words{"很", "好"}));
  jieba_.del_word("王小明");
  EXPECT_EQ(hmm("王小明，"), (Words{"王", "小", "明", "，"})) << "the model may not make it either";
  jieba_.add_word("王小明", 0);
  const std::uint64_t total = jieba_.total();
  jieba_.add_word("很好", 20);
  EXPECT_EQ(jieba_.total(), total + 20);
}

TEST_F(JiebaTest, SuggestsFrequencies) {
  const std::string_view parts[2] = {"很", "好"};
  const std::uint64_t split = jieba_.suggest_frequency(parts, true);
  EXPECT_LT(split, 20U);
  EXPECT_EQ(plain("很好"), (Words{"很", "好"}));
  const std::uint64_t join = jieba_.suggest_frequency("很好", true);
  EXPECT_GT(join, split);
  EXPECT_EQ(plain("很好"), (Words{"很好"}));
}

TEST_F(JiebaTest, LoadsUserWords) {
  jieba_.load_user_words("\xEF\xBB\xBF云朵 5 n\n\n  白云 \r\n蓝 天 7\n海边 nz1\n5 n\n", "user.txt");
  EXPECT_EQ(jieba_.frequency(U"云朵"), 5U);
  EXPECT_EQ(jieba_.tag("云朵"), "n");
  EXPECT_GT(jieba_.frequency(U"白云").value_or(0), 0U);
  EXPECT_EQ(jieba_.frequency(U"蓝 天"), 7U);
  EXPECT_GT(jieba_.frequency(U"海边 nz1").value_or(0), 0U) << "no tag, so it belongs to the word";
  EXPECT_GT(jieba_.frequency(U"5").value_or(0), 0U);
}

TEST_F(JiebaTest, NamesTheLineOfABadUserWord) {
  try {
    jieba_.load_user_words("云朵 5\n\xFF 3\n", "user.txt");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::format);
    EXPECT_EQ(std::string(error.what()).rfind("user.txt:2: ", 0), 0U) << error.what();
  }
  EXPECT_THROW(jieba_.load_user_words("云 99999999999999999999999\n", "user.txt"), Error);
  EXPECT_THROW(jieba_.add_word("", 1), Error);
  EXPECT_THROW(jieba_.add_word("\xFF", 1), Error);
}

// The route with user words is another code path; without a change of meaning it must give the same.
TEST_F(JiebaTest, GivesTheSameWithAUserWordThatNeverComes) {
  Jieba other = jieba_;
  other.add_word("🙂", 0);
  std::mt19937 random(9);
  const Words pieces{"今", "天", "气", "很", "好", "中", "国", "家", "T",  "恤", "衫", "C",
                     "+",  "1",  ".",  "王", "小", "明", "了", "零", "，", "甲", "乙", "丙"};
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::size_t n = random() % 30; n > 0; --n) text += pieces[random() % pieces.size()];
    for (const Way way : {Way::hmm, Way::plain, Way::all, Way::search}) EXPECT_EQ(cut(jieba_, text, way), cut(other, text, way)) << text;
  }
}

TEST_F(JiebaTest, GivesCodePoints) {
  const std::string text = "a🙂今天\xFF天气" + std::string(100, 'b') + "，" + "中国";
  Tokens tokens;
  jieba_.cut_for_search(text, true, tokens);
  std::vector<text::Range> points;
  code_point_ranges(text, tokens, points);
  ASSERT_EQ(points.size(), tokens.size());
  const std::vector<std::pair<unsigned, unsigned>> expected{{0, 1}, {1, 2}, {2, 4}, {4, 5}, {5, 7}, {7, 107}, {107, 108}, {108, 110}};
  ASSERT_EQ(points.size(), expected.size());
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(std::pair(points[i].begin, points[i].end), expected[i]);
}

TEST_F(JiebaTest, CutsALongLine) {
  std::string text;
  while (text.size() < 3'000'000) text += "今天王小明了天气很好abc";
  Tokens tokens;
  jieba_.cut(text, true, tokens);
  const text::Range* buffer = tokens.ranges().data();
  const std::size_t size = tokens.size();
  EXPECT_EQ(tokens.view(text, 1), "王小明");
  jieba_.cut(text, true, tokens);
  EXPECT_EQ(tokens.ranges().data(), buffer) << "the buffer is reused";
  EXPECT_EQ(tokens.size(), size);
}

TEST_F(JiebaTest, ExtractsKeywords) {
  Keywords keywords(jieba_);
  const auto found = keywords.extract("中国天气，the天气 abc abc Of 国 \r\n今天", 0);
  ASSERT_EQ(found.size(), 4U);  // of 6: 中国 4.0, 天气 8.5 twice, abc 11 twice, 今天 without an idf
  EXPECT_EQ(found[0].word, "abc");
  EXPECT_EQ(found[0].weight, 2 * (11.0 / 6));
  EXPECT_EQ(found[1].word, "天气");
  EXPECT_EQ(found[2].word, "今天");
  EXPECT_EQ(found[2].weight, 8.5 / 6);
  EXPECT_EQ(found[3].word, "中国");
  EXPECT_EQ(keywords.extract("中国天气", 1).size(), 1U);
  EXPECT_TRUE(keywords.extract("").empty());
  keywords.add_stop_words("天气\r\nabc");
  EXPECT_EQ(keywords.extract("天气abc").size(), 0U);
}

}  // namespace
}  // namespace leitong::segment
