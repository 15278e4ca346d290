// The single steps of the Java programs: distances, blocks, files, strings, sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "java/java_distance.h"
#include "java/java_hash_order.h"
#include "java/java_preprocess.h"
#include "java/java_simhash.h"
#include "java/java_word_files.h"
#include "java/tfidf_simhash.h"
#include "leitong/error.h"
#include "segment/hanlp_data.h"
#include "text/utf16.h"

namespace leitong::java {
namespace {

TEST(JavaDistance, Edges) {
  EXPECT_EQ(java_hamming_distance(Uint128{0b1011} << 100, Uint128{0b0010} << 100), 2);
  EXPECT_THROW((void)java_blocks(u"1", 64, std::numeric_limits<std::int32_t>::max()), Error);
  EXPECT_THROW((void)java_blocks(std::u16string(200, u'1'), 200, 0), Error);
  EXPECT_TRUE(java_blocks(u"", 64, 100).empty());
}

TEST(JavaIdf, WarningNamesTheLine) {
  const JavaIdf idf = read_java_idf("a 1\r\n\r\nx\nb no\nc 2\n", "my.idf");
  ASSERT_EQ(idf.warnings.size(), 1U);
  EXPECT_EQ(idf.skipped, 2U);
  EXPECT_EQ(idf.warnings[0].rfind("my.idf:4: \"no\"", 0), 0U) << idf.warnings[0];
  EXPECT_EQ(idf.words.size(), 1U);
}

TEST(JavaPreprocess, Widths) {
  std::u16string text = u"Ａ　～b\xFF5F\xFFE5";
  to_half_width(text);
  EXPECT_EQ(text, u"A ~b\xFF5F\xFFE5");
  to_full_width(text);
  EXPECT_EQ(text, u"Ａ　～ｂ\xFF5F\xFFE5");
}

// Keys and values of all lengths, of units that half-width changes, and values that are dropped in part.
segment::HanlpSource source_of_simplifications() {
  segment::HanlpSource source;
  source.natures = {"n", "nr", "nrf", "nnt", "m", "w", "nx", "begin", "end"};
  for (const char16_t* word : {u"始##始", u"未##串", u"未##人", u"未##数", u"末##末"}) source.core.push_back({word, {{0, 1}}, 1});
  std::sort(source.core.begin(), source.core.end(), [](const auto& a, const auto& b) { return a.word < b.word; });
  source.char_types.assign(0x10000, 17);
  source.name_transitions.assign(segment::name_roles * segment::name_roles, 0);
  source.simplified = {{u"氣", u"气"}, {u"乾", u"干"},   {u"乾坤", u"乾坤"}, {u"乾坤A", u"天地人和"}, {u"B", u"乙"}, {u"  ", u"空"},
                       {u"雲", u"x"},  {u"龍", u"a龙b"}, {u"葉氣龍", u"叶"}, {u"中國人", u"中国"},    {u"國", u"国"}};
  return source;
}

TEST(JavaPreprocess, OnePassEqualsTheSteps) {
  const std::string path = testing::TempDir() + "leitong_simplifications.data";
  const std::vector<std::byte> bytes = segment::compile_hanlp(source_of_simplifications());
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const segment::HanlpData data(path);
  const Cleaning001 cleaning(data);
  std::mt19937_64 random(9);
  const std::u16string_view units = u"氣乾坤AＡBＢ 　雲龍葉中國人一x，\x9FA5\x9FA6\x4DFF\0";
  std::u16string plain, fast;
  for (int round = 0; round < 20'000; ++round) {
    std::u16string text;
    for (auto size = random() % 14; size > 0; --size) text.push_back(units[random() % units.size()]);
    if (random() % 8 == 0) text.push_back(static_cast<char16_t>(random()));
    preprocess_001(text, data, plain);
    cleaning(text, fast);
    ASSERT_EQ(fast, plain) << text::to_utf8(text);
  }
}

TEST(JavaString, TraditionalHashOfArticle003) {
  EXPECT_EQ(bit_string(java_hash_code(u"你妈妈喊你回家吃饭哦，回家罗回家罗"), 31, BitOrder::most_first), "0001000001100110100111011011110");
  EXPECT_EQ(bit_string(java_hash_code(u"你妈妈叫你回家吃饭啦，回家罗回家罗"), 31, BitOrder::most_first), "1010010001111111110010110011101");
}

TEST(JavaString, Doubles) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::pair<const char16_t*, double> good[] = {{u"1", 1},
                                                     {u" \t1.5 ", 1.5},
                                                     {u"-.5e1D", -5},
                                                     {u"5.f", 5},
                                                     {u"0x.8p1", 1},
                                                     {u"0X1P-1d", 0.5},
                                                     {u"+Infinity", infinity},
                                                     {u"1e400", infinity},
                                                     {u"-1e99999999999999999999", -infinity},
                                                     {u"1e-99999999999999999999", 0},
                                                     {u"0e99999999999999999999", 0},
                                                     {u"0x1p1024", infinity},
                                                     {u"0x1p-1080", 0},
                                                     {u"4.9e-324", 4.9e-324},
                                                     {u"2e-324", 0},
                                                     {u"0.000000000000000001e18", 1},
                                                     {u"179769313486231580793728971405301e276", std::numeric_limits<double>::max()},
                                                     {u"179769313486231580793728971405304e276", infinity}};
  for (const auto& [text, value] : good) {
    const auto parsed = java_parse_double(text);
    ASSERT_TRUE(parsed) << text::to_utf8(text);
    EXPECT_EQ(*parsed, value) << text::to_utf8(text);
  }
  for (const char16_t* text : {u"",    u" ",   u".",        u"e1",  u"1e",  u"1e+", u"0x1", u"0x",      u"1 2",  u"1_0",
                               u"inf", u"nan", u"infinity", u"1df", u"--1", u"+-1", u"１",  u"1\u00A0", u"0xp1", u"NaNd"}) {
    EXPECT_FALSE(java_parse_double(text)) << text::to_utf8(text);
  }
  EXPECT_TRUE(std::signbit(*java_parse_double(u"-0")));
}

// Counts of bits by the plain way.
template <typename Word>
void compare_counts(std::mt19937_64& random, std::size_t words) {
  BitCounts<Word> counts;
  std::vector<std::uint64_t> plain(8 * sizeof(Word));
  for (std::size_t i = 0; i < words; ++i) {
    Word word = static_cast<Word>(random() & random());
    if constexpr (sizeof(Word) == 16) word |= static_cast<Word>(random()) << 64;
    counts.add(word);
    for (std::size_t bit = 0; bit < plain.size(); ++bit) plain[bit] += static_cast<std::uint64_t>(word >> bit & 1);
  }
  EXPECT_EQ(counts.total(), words);
  for (std::uint64_t least = 0; least <= words + 1; ++least) {
    const Word found = counts.at_least(least);
    for (std::size_t bit = 0; bit < plain.size(); ++bit) ASSERT_EQ((found >> bit & 1) != 0, plain[bit] >= least) << words << " " << least;
  }
}

TEST(BitCounts, EqualPlainCounting) {
  std::mt19937_64 random(7);
  for (const std::size_t words : {0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 100, 257}) {
    compare_counts<std::uint32_t>(random, words);
    compare_counts<std::uint64_t>(random, words);
    compare_counts<Uint128>(random, words);
  }
}

TEST(JavaHashOrder, SmallTablesGrowForALongBucket) {
  JavaHashOrder order;
  for (std::uint32_t i = 0; i < 9; ++i) order.add(16 * i);  // one bucket of sixteen; the ninth key doubles the table
  std::vector<std::uint32_t> items;
  order.each([&](std::uint32_t item) { items.push_back(item); });
  EXPECT_EQ(items, (std::vector<std::uint32_t>{0, 2, 4, 6, 8, 1, 3, 5, 7}));
  EXPECT_FALSE(order.has_tree());
  order.clear();
  for (std::uint32_t i = 0; i < 11; ++i) order.add(64 * i);
  EXPECT_TRUE(order.has_tree());
}

TEST(TfIdf, SpacesGoAfterTheStopWords) {
  const JavaIdf idf = read_java_idf("ab 2\ncd 3\n", "idf");
  const WordTable stop = read_java_stop_words("cd\na b\n");
  TfIdfSimHash hash(idf, stop);
  for (const std::u16string_view word : {u"a b", u"ab", u" ab", u"c d", u"12", u"3年", u"4|", u"x", u"yz"}) hash.add(word);
  (void)hash.finish();
  ASSERT_EQ(hash.words().size(), 3U);
  std::string all;
  for (const auto& w : hash.words()) all += text::to_utf8(w.word) + "=" + std::to_string(w.weight) + (w.has_idf ? "! " : "? ");
  EXPECT_EQ(all, "ab=4.000000! cd=3.000000! yz=2.500000? ");
}

// Against Java's two maps and the two files by the plain way, for few and for many words, with words of more than four units.
TEST(TfIdf, EqualsThePlainWay) {
  std::mt19937_64 random(5);
  const std::u16string_view alphabet = u"天地玄黄宇宙洪荒ab 3年";
  const auto word = [&] {
    std::u16string w;
    for (auto n = 1 + random() % 6; n > 0; --n) w.push_back(alphabet[random() % alphabet.size()]);
    return w;
  };
  std::string idf_file, stop_file;
  for (int i = 0; i < 3000; ++i) {
    std::u16string w = word();
    std::erase(w, u' ');
    idf_file += text::to_utf8(w) + " " + std::to_string(1 + random() % 9) + "." + std::to_string(random() % 97) + "\n";
    if (i % 10 == 0) stop_file += text::to_utf8(word()) + "\n";
  }
  const JavaIdf idf = read_java_idf(idf_file, "idf");
  const WordTable stop = read_java_stop_words(stop_file);
  TfIdfSimHash fast(idf, stop);
  for (const std::size_t size : {0, 3, 12, 13, 24, 25, 30, 100, 3000}) {
    std::vector<std::u16string> text;
    for (std::size_t i = 0; i < size; ++i) text.push_back(word());
    fast.clear();
    for (const auto& w : text) fast.add(w);
    (void)fast.finish();
    JavaHashOrder first, second;
    std::vector<std::pair<std::u16string, std::uint32_t>> counts, moved;
    for (std::u16string w : text) {
      if (stop.find(w)) continue;
      std::erase(w, u' ');
      if (is_invalid_word(w)) continue;
      const std::uint32_t spread = JavaHashOrder::spread(java_hash_code(w));
      std::uint32_t item = first.find(spread, [&](std::uint32_t i) { return counts[i].first == w; });
      if (item == JavaHashOrder::none) item = first.add(spread), counts.emplace_back(w, 0);
      ++counts[item].second;
    }
    first.each([&](std::uint32_t item) { second.add(first.hash(item)), moved.push_back(counts[item]); });
    std::vector<std::pair<std::u16string, double>> expected, found;
    second.each([&](std::uint32_t item) {
      const auto& [w, count] = moved[item];
      expected.emplace_back(w, count * idf.find(w, java_hash_code(w)).value_or(idf.average));
    });
    for (const auto& w : fast.words()) found.emplace_back(w.word, w.weight);
    EXPECT_EQ(found, expected) << size;
  }
}

TEST(TfIdf, WithoutWordsAllOnes) {
  const JavaIdf idf;
  const WordTable stop;
  TfIdfSimHash hash(idf, stop);
  EXPECT_EQ(hash.finish(), ~std::uint64_t{0});
}

}  // namespace
}  // namespace leitong::java
