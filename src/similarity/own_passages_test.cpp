#include "similarity/own_passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <random>

namespace leitong::similarity {
namespace {

using Tokens = std::vector<std::uint32_t>;

Tokens drawn(std::mt19937_64& random, std::size_t count) {
  Tokens tokens(count);
  for (std::uint32_t& token : tokens) token = static_cast<std::uint32_t>(random() % 5000);
  return tokens;
}

Tokens joined(std::initializer_list<Tokens> parts) {
  Tokens all;
  for (const Tokens& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

bool in_one_place(const Tokens& a, const Tokens& b, std::size_t least = 20) {
  OwnPassages passages;
  passages.set(a);
  const bool found = passages.in_one_place(b, least);
  passages.set(b);
  EXPECT_EQ(passages.in_one_place(a, least), found) << "the two texts may change places";
  return found;
}

class OwnPassagesTest : public ::testing::Test {
 protected:
  std::mt19937_64 random_{31};
  Tokens menu_ = drawn(random_, 300), footer_ = drawn(random_, 60);
};

TEST_F(OwnPassagesTest, AreTheArticlesOfTwoPages) {
  const Tokens one = drawn(random_, 40), other = drawn(random_, 200);
  EXPECT_TRUE(in_one_place(joined({menu_, one, footer_}), joined({menu_, other, footer_})));
  EXPECT_TRUE(in_one_place(joined({menu_, one}), joined({menu_, other}))) << "at the end";
  EXPECT_TRUE(in_one_place(joined({one, menu_}), joined({other, menu_}))) << "at the beginning";
  EXPECT_FALSE(in_one_place(joined({menu_, one, footer_}), joined({menu_, other, footer_}), 41)) << "the shorter has 40 tokens";
  EXPECT_FALSE(in_one_place(joined({menu_, footer_}), joined({menu_, other, footer_}))) << "a text and an excerpt of it";
}

TEST_F(OwnPassagesTest, AreNotTheEditsOfACopy) {
  const Tokens text = joined({menu_, drawn(random_, 300)});
  Tokens copy = text;
  for (std::size_t i = 7; i < copy.size(); i += 20) copy[i] = 9000 + static_cast<std::uint32_t>(i);
  EXPECT_FALSE(in_one_place(text, copy));
  EXPECT_FALSE(in_one_place(text, text));
  Tokens two = text, three = text;
  const Tokens sentence = drawn(random_, 25), another = drawn(random_, 25);
  two.insert(two.begin() + 100, sentence.begin(), sentence.end());
  three.insert(three.begin() + 400, another.begin(), another.end());
  EXPECT_FALSE(in_one_place(two, three)) << "put in at different places";
}

TEST_F(OwnPassagesTest, AreNotWhatTwoSitesPutAroundAReprint) {
  const Tokens article = drawn(random_, 400);
  const Tokens one = joined({drawn(random_, 40), article, drawn(random_, 40)}),
               other = joined({drawn(random_, 40), article, drawn(random_, 40)});
  EXPECT_FALSE(in_one_place(one, other));
}

TEST_F(OwnPassagesTest, MayShareSomeWordsByChance) {
  const Tokens one = drawn(random_, 60);
  Tokens other = drawn(random_, 60);
  std::copy_n(one.begin() + 30, 6, other.begin() + 20);  // within
  std::copy_n(menu_.begin() + 50, 4, other.begin());     // where the article begins
  EXPECT_TRUE(in_one_place(joined({menu_, one}), joined({menu_, other})));
}

TEST_F(OwnPassagesTest, OfShortAndEmptyTextsThereAreNone) {
  EXPECT_FALSE(in_one_place({}, {}));
  EXPECT_FALSE(in_one_place({}, menu_, 1));
  EXPECT_FALSE(in_one_place({1, 2}, {3, 4}));
  EXPECT_TRUE(in_one_place({1, 2}, {3, 4}, 2)) << "both are their whole text";
}

}  // namespace
}  // namespace leitong::similarity
