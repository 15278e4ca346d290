#include "similarity/sentences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "leitong/profile.h"

namespace leitong {
namespace {

SentenceSignature signature(std::string_view text, unsigned n = 3) { return sentence_signature(text, Profile{}, n); }
std::size_t sentences(std::string_view text) { return signature(text, 1000).sentences.size(); }

TEST(Sentences, Ends) {
  EXPECT_EQ(sentences("今天下雨。明天晴！后天呢？不知道…再说"), 5U);
  EXPECT_EQ(sentences("One two. Three four! Five? Six"), 4U);
  EXPECT_EQ(sentences("He said \"no.\" She left."), 2U);
  EXPECT_EQ(sentences("Pi is 3.14, see example.com and ../file, e.g., this"), 1U);
  EXPECT_EQ(sentences("圆周率是3.14左右"), 1U);
  EXPECT_EQ(sentences("版本是Linux 2.6.然后升级"), 2U);
  EXPECT_EQ(sentences("版本是１．５左右．然后升级"), 2U);
  EXPECT_EQ(sentences("a wrapped\nline goes on\r\nand on"), 1U);
  EXPECT_EQ(sentences("a title\n\nthe text"), 2U);
  EXPECT_EQ(sentences("a title\r\n\r\nthe text"), 2U);
  EXPECT_EQ(sentences("标题\n正文"), 2U);
  EXPECT_EQ(sentences("Title\n正文"), 2U);
  EXPECT_EQ(sentences("यह एक है। वह दो है।"), 2U);
}

TEST(Sentences, WithoutAny) {
  for (const char* text : {"", "  ", "。。。", "!?\n\n", "\xff\xfe."}) {
    EXPECT_EQ(signature(text).signature, 0U) << text;
    EXPECT_TRUE(signature(text).sentences.empty()) << text;
  }
  EXPECT_EQ(sentences("a\xff. b\xe3\x80"), 2U);
  EXPECT_EQ(sentences("a\xe3\x80. b"), 2U);
  EXPECT_EQ(sentences("\x80\x80\x80\x80\x80\na\n\x80\x80"), 1U);
  EXPECT_TRUE(signature("a. b.", 0).sentences.empty());
}

TEST(Sentences, OnlyTokensCount) {
  EXPECT_EQ(signature("今天，天气很好。走吧").signature, signature("今天天气很好！「走吧」").signature);
  EXPECT_EQ(signature("The END is near. Run").signature, signature("the ＥＮＤ is  near! run?").signature);
  EXPECT_NE(signature("one two three. four").signature, signature("one three two. four").signature);
}

TEST(Sentences, TheLongestInWhateverOrder) {
  const std::string longest = "这是最长的一句话没有之一。", second = "这是第二长的一句话。", third = "第三长的句子。", fourth = "短句。";
  const SentenceSignature all = signature(longest + second + third + fourth);
  ASSERT_EQ(all.sentences.size(), 3U);
  EXPECT_EQ(all.signature, signature(fourth + third + "另一句。" + second + longest).signature) << "short ones and order do not count";
  EXPECT_EQ(all.sentences[0], signature(longest).sentences[0]);
  EXPECT_EQ(all.sentences[2], signature(third).sentences[0]);
  EXPECT_EQ(all.signature, signature(longest + longest + second + third).signature) << "a sentence that stands twice counts once";
  EXPECT_NE(all.signature, signature(longest + second).signature);
}

TEST(Sentences, TiesAreBrokenByContent) {
  const std::vector<std::string> equal{"一二三四。", "五六七八。", "九十百千。", "甲乙丙丁。", "子丑寅卯。"};
  std::vector<std::size_t> order{0, 1, 2, 3, 4};
  std::set<std::uint64_t> seen;
  do {
    std::string text;
    for (const std::size_t i : order) text += equal[i];
    seen.insert(signature(text).signature);
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(seen.size(), 1U);
}

// Random texts of known sentences against a plain choice among strings.
TEST(Sentences, AgreeWithAPlainChoice) {
  std::mt19937_64 random(1);
  std::map<std::string, std::uint64_t> hash_of;
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> parts;
    std::string text;
    for (auto i = random() % 9; i > 0; --i) {
      std::string sentence;
      for (auto w = 1 + random() % 4; w > 0; --w) sentence += std::string(1, static_cast<char>('a' + random() % 3)) + (w > 1 ? " " : "");
      parts.push_back(sentence);
      text += sentence + ". ";
      hash_of.try_emplace(sentence, signature(sentence).sentences.at(0));
    }
    std::sort(parts.begin(), parts.end(), [&](const std::string& x, const std::string& y) {
      return x.size() != y.size() ? x.size() > y.size() : hash_of[x] > hash_of[y];
    });
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    parts.resize(std::min<std::size_t>(parts.size(), 3));
    std::vector<std::uint64_t> truth;
    for (const std::string& part : parts) truth.push_back(hash_of[part]);
    ASSERT_EQ(signature(text).sentences, truth) << text;
  }
}

TEST(Sentences, Overlap) {
  const Profile profile;
  const std::string a = "第一句话比较长一些。第二句也长。第三。四。", b = "第一句话比较长一些。第二句不同。第三。四。";
  const SentenceOverlap changed = compare(a, b, profile).sentences;
  EXPECT_FALSE(changed.equal);
  EXPECT_EQ(changed.shared, 2U);
  EXPECT_EQ(changed.of, 3U);
  EXPECT_TRUE(compare(a, a + "五。", profile).sentences.equal);
  EXPECT_FALSE(compare("", "", profile).sentences.equal) << "nothing is no signature";
  EXPECT_EQ(compare("一句。", a, profile).sentences.of, 3U);
}

}  // namespace
}  // namespace leitong
