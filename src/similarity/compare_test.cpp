#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "leitong/profile.h"
#include "leitong/similarity.h"
#include "similarity/byte_runs.h"

namespace leitong {
namespace {

// [-deleted-] {+inserted+} around what is equal (as it stands in b).
std::string marked(std::string_view a, std::string_view b, const std::vector<DiffRun>& diff) {
  std::string out;
  for (const DiffRun& run : diff) {
    const auto left = a.substr(run.a_begin, run.a_end - run.a_begin);
    const auto right = b.substr(run.b_begin, run.b_end - run.b_begin);
    if (run.same) {
      out += right;
      continue;
    }
    if (!left.empty()) out += "[-" + std::string(left) + "-]";
    if (!right.empty()) out += "{+" + std::string(right) + "+}";
  }
  return out;
}

std::string marked(std::string_view a, std::string_view b) { return marked(a, b, compare(a, b, Profile{}).diff); }

void expect_covers(std::string_view a, std::string_view b, const std::vector<DiffRun>& diff) {
  std::uint32_t at_a = 0;
  std::uint32_t at_b = 0;
  for (std::size_t i = 0; i < diff.size(); ++i) {
    ASSERT_EQ(diff[i].a_begin, at_a);
    ASSERT_EQ(diff[i].b_begin, at_b);
    ASSERT_GE(diff[i].a_end, at_a);
    ASSERT_GE(diff[i].b_end, at_b);
    ASSERT_TRUE(diff[i].a_end > at_a || diff[i].b_end > at_b);
    if (i > 0) {
      ASSERT_NE(diff[i].same, diff[i - 1].same);
    }
    at_a = diff[i].a_end;
    at_b = diff[i].b_end;
  }
  ASSERT_EQ(at_a, a.size());
  ASSERT_EQ(at_b, b.size());
}

TEST(Diff, English) {
  EXPECT_EQ(marked("the quick fox", "the fox"), "the [-quick -]fox");
  EXPECT_EQ(marked("the fox", "the quick fox"), "the {+quick +}fox");
  EXPECT_EQ(marked("a red car, old", "a blue car, old"), "a [-red-]{+blue+} car, old");
  EXPECT_EQ(marked("one two", "one two three"), "one two{+ three+}");
  EXPECT_EQ(marked("one two three", "two three"), "[-one -]two three");
  EXPECT_EQ(marked("The END.", "the end."), "the end.");
}

TEST(Diff, Chinese) {
  EXPECT_EQ(marked("谢谢童学们的支持", "谢谢同学们的支持"), "谢谢[-童-]{+同+}学们的支持");
  EXPECT_EQ(marked("今天天气很好。", "今天北京天气很好。"), "今天{+北京+}天气很好。");
  EXPECT_EQ(marked("第一条，总则", "第一条：总则"), "第一条：总则") << "separators between equal tokens are no change";
  EXPECT_EQ(marked("好、美", "好，真、美"), "好{+，真+}、美") << "、 and ， share bytes but are no equal character";
}

TEST(Diff, WithoutTokens) {
  EXPECT_EQ(marked("", ""), "");
  EXPECT_EQ(marked("", "abc"), "{+abc+}");
  EXPECT_EQ(marked("abc", ""), "[-abc-]");
  EXPECT_EQ(marked("!!", "!?!"), "!{+?+}!");
}

TEST(Diff, IslandsJoinTheChangeAroundThem) {
  using similarity::TokenRun;
  const std::vector<TokenRun> runs{{false, 0, 4, 0, 3}, {true, 4, 5, 3, 4}, {false, 5, 9, 4, 9}, {true, 9, 30, 9, 30}};
  const auto joined = similarity::without_islands(runs);
  ASSERT_EQ(joined.size(), 2U);
  EXPECT_EQ(joined[0].a_end, 9U);
  EXPECT_EQ(joined[0].b_end, 9U);
  const std::vector<TokenRun> apart{{false, 0, 1, 0, 1}, {true, 1, 2, 1, 2}, {false, 2, 3, 2, 3}};
  EXPECT_EQ(similarity::without_islands(apart).size(), 3U) << "one changed word on each side of a kept one";
}

TEST(Diff, CoversWhateverTheTextsHold) {
  std::mt19937_64 random(1);
  const std::vector<std::string> parts{"a", "B",  "word", " ",        "  ", ",", "。",        "，", "汉", "字", "１２",
                                       "½", "㎏", "\xff", "\xe6\xb1", "\n", "é", "e\xcc\x81", "กา", "가", "",   "\xe2\x80\x8b"};
  for (int round = 0; round < 3000; ++round) {
    std::string a;
    std::string b;
    for (auto i = random() % 12; i > 0; --i) a += parts[random() % parts.size()];
    b = random() % 2 == 0 ? a : "";
    for (auto i = random() % 6; i > 0; --i) b.insert(random() % (b.size() + 1), parts[random() % parts.size()]);
    const auto diff = difference(a, b, Profile{});
    expect_covers(a, b, diff);
    const auto whole = compare(a, b, Profile{}).diff;
    ASSERT_TRUE(std::equal(diff.begin(), diff.end(), whole.begin(), whole.end(), [](const DiffRun& x, const DiffRun& y) {
      return x.same == y.same && x.a_begin == y.a_begin && x.a_end == y.a_end && x.b_begin == y.b_begin && x.b_end == y.b_end;
    }));
    if (HasFatalFailure()) return;
  }
}

TEST(Compare, EqualTexts) {
  const Comparison result = compare("今天天气很好 and sunny", "今天天气很好 and sunny", Profile{});
  EXPECT_EQ(result.distance, 0U);
  EXPECT_EQ(result.jaccard, 1);
  EXPECT_EQ(result.containment, 1);
  EXPECT_EQ(result.lcs, 1);
  EXPECT_EQ(result.edit_distance, 0U);
  EXPECT_TRUE(result.edit_distance_exact);
  ASSERT_EQ(result.diff.size(), 1U);
  EXPECT_TRUE(result.diff[0].same);
}

// Tokens a b c d against a x c d e: features by hand. Unigrams and bigrams: {a b c d ab bc cd} and {a x c d e ax xc cd de}; a c d cd
// common.
TEST(Compare, ByHand) {
  const Comparison result = compare("a b c d", "a x c d e", Profile{});
  EXPECT_DOUBLE_EQ(result.jaccard, 4.0 / (7 + 9 - 4));
  EXPECT_DOUBLE_EQ(result.containment, 4.0 / 7);
  EXPECT_DOUBLE_EQ(result.lcs, 2.0 * 3 / 9);
  EXPECT_EQ(result.edit_distance, 2U);
  EXPECT_EQ(result.threshold, Rule{}.thresholds[0].similarity);
}

TEST(Compare, RepetitionCounts) {
  EXPECT_DOUBLE_EQ(compare("a a a", "a", Profile{}).jaccard, 1.0 / 5);  // three a, two aa against one a
}

TEST(Compare, TextsWithoutFeatures) {
  EXPECT_EQ(compare("", "", Profile{}).jaccard, 1);
  EXPECT_EQ(compare("!!!", "!!!", Profile{}).jaccard, 1);
  EXPECT_TRUE(compare("!!!", "!!!", Profile{}).near_duplicate);
  for (const char* blank : {"", " \n\t"}) {
    EXPECT_FALSE(compare(blank, blank, Profile{}).near_duplicate);
    EXPECT_FALSE(compare("", blank, Profile{}).near_duplicate);
    EXPECT_FALSE(compare("!!!", blank, Profile{}).near_duplicate);
  }
  const Comparison different = compare("!!!", "???", Profile{});
  EXPECT_EQ(different.jaccard, 0);
  EXPECT_EQ(different.distance, std::nullopt);
  EXPECT_EQ(different.a, std::nullopt);
  const Comparison half = compare("!!!", "word", Profile{});
  EXPECT_EQ(half.jaccard, 0);
  EXPECT_EQ(half.lcs, 0);
  EXPECT_EQ(half.edit_distance, 1U);
}

TEST(Compare, ThresholdFollowsTheShorterText) {
  Rule rule;
  rule.thresholds = {{50, 0.4}, {0xffffffffU, 0.6}};
  std::string longer;
  for (int i = 0; i < 200; ++i) longer += "word" + std::to_string(i) + " ";
  EXPECT_EQ(compare(longer, longer, Profile{}, rule).threshold, 0.6);
  EXPECT_EQ(compare(longer, "short", Profile{}, rule).threshold, 0.4);
}

TEST(Compare, AModerateSimilarityNeedsTheSameOrder) {
  // The same words throughout, some of them in another order: much of the vocabulary is shared, little of the order.
  std::string sorted, reversed;
  for (int i = 0; i < 200; ++i) sorted += "word" + std::to_string(i) + " ";
  for (int i = 200; i-- > 0;) reversed += "word" + std::to_string(i) + " ";
  Rule rule;
  rule.thresholds = {{0xffffffffU, 0.3}};
  const Comparison turned = compare(sorted, reversed, Profile{}, rule);
  EXPECT_GT(turned.jaccard, 0.3);
  EXPECT_FALSE(turned.near_duplicate);
  rule.order_tokens = 1000;
  EXPECT_TRUE(compare(sorted, reversed, Profile{}, rule).near_duplicate);
  EXPECT_TRUE(compare(sorted, sorted + " and one more", Profile{}).near_duplicate);
}

}  // namespace
}  // namespace leitong
