#include "segment/ik_main_words.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace leitong::segment {
namespace {

using Found = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // begin and end of each word, by end, the longest first

Found found_in(const std::u16string& text, const IkDictionary& dictionary, IkMainWords& words) {
  const auto size = static_cast<std::uint32_t>(text.size());
  words.find(dictionary, text.data(), size);
  Found out;
  for (std::uint32_t end = 0; end < size; ++end) {
    for (std::uint32_t word = words.longest(end); word != IkMainWords::none; word = words.shorter(word))
      out.emplace_back(words.begin(word), end);
  }
  return out;
}

// Every part of the text is looked for in the list.
Found plainly_found_in(const std::u16string& text, const std::set<std::u16string>& list) {
  Found out;
  for (std::uint32_t end = 0; end < text.size(); ++end) {
    for (std::uint32_t begin = 0; begin <= end; ++begin) {
      if (list.contains(text.substr(begin, end - begin + 1))) out.emplace_back(begin, end);
    }
  }
  return out;
}

TEST(IkMainWords, FindsWhatLookingForEveryPartFinds) {
  std::mt19937 random(20261123);
  const auto text_of = [&](std::size_t size) {
    std::u16string text;
    for (std::size_t i = 0; i < size; ++i) text.push_back(static_cast<char16_t>(u'一' + random() % 6));
    return text;
  };
  std::set<std::u16string> list;
  for (int i = 0; i < 300; ++i) list.insert(text_of(1 + random() % 7));
  const std::u16string repeated(100, u'一');
  list.insert(repeated);
  IkWords lists;
  lists[0].assign(list.begin(), list.end());
  const IkDictionary dictionary = IkDictionary::from_bytes(compile_ik(lists), "test");
  IkMainWords words;
  for (int i = 0; i < 200; ++i) {
    std::u16string text = text_of(random() % 60);
    if (i % 10 == 0) text += repeated + text;
    EXPECT_EQ(found_in(text, dictionary, words), plainly_found_in(text, list)) << i;
  }
}

TEST(IkMainWords, WordsAreOfCjkUnitsAndEndAtTheWindow) {
  IkWords lists;
  lists[0] = {u"一二三", u"一二", u"二x", u"ab"};
  const IkDictionary dictionary = IkDictionary::from_bytes(compile_ik(lists), "test");
  IkMainWords words;
  EXPECT_EQ(found_in(u"二xab一二", dictionary, words), (Found{{4, 5}}));
  EXPECT_TRUE(words.goes_on(5));
  EXPECT_TRUE(words.begins(4));
  EXPECT_FALSE(words.begins(2));
  EXPECT_EQ(words.unit(2), u'a');
  EXPECT_EQ(found_in(u"一二三", dictionary, words), (Found{{0, 1}, {0, 2}}));
  EXPECT_FALSE(words.goes_on(2));
}

}  // namespace
}  // namespace leitong::segment
