#include "segment/double_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "leitong/error.h"

namespace leitong::segment {
namespace {

std::u16string random_word(std::mt19937& random, unsigned labels) {
  std::u16string word(1 + random() % 6, u'\0');
  for (auto& label : word) label = static_cast<char16_t>(1 + random() % (random() % 3 == 0 ? labels : std::min(labels, 9U)));
  return word;
}

TEST(DoubleArray, FindsWhatWasPutInAndNothingElse) {
  std::mt19937 random(1);
  for (const unsigned labels : {2U, 40U, 5000U, 65535U}) {
    std::map<std::u16string, std::uint32_t> expected;
    std::vector<LabelledWord> words;
    for (unsigned i = 0; i < 4000; ++i) {
      const std::u16string word = random_word(random, labels);
      words.push_back({word, i + 1});
      expected[word] = i + 1;
    }
    const std::vector<Node> nodes = build_double_array(words, std::size_t{labels} + 1);
    for (const auto& [word, value] : expected) EXPECT_EQ(find_value(nodes.data(), word), value);
    for (unsigned i = 0; i < 20000; ++i) {
      const std::u16string word = random_word(random, labels);
      EXPECT_EQ(find_value(nodes.data(), word), expected.contains(word) ? expected[word] : 0);
    }
    for (const Node node : nodes) ASSERT_LE(base_of(node) + labels, nodes.size() - 1);
  }
}

TEST(DoubleArray, KnowsNothingOfAnEmptyDictionary) {
  const std::vector<Node> nodes = build_double_array({}, 10);
  EXPECT_EQ(find_value(nodes.data(), std::u16string(u"\x1\x2")), 0U);
  EXPECT_EQ(find_value(nodes.data(), std::u16string()), 0U);
}

TEST(DoubleArray, RefusesValuesThatDoNotFit) { EXPECT_THROW(build_double_array({{u"\x1", 1U << value_bits}}, 2), Error); }

}  // namespace
}  // namespace leitong::segment
