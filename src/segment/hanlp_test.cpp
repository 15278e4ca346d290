#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "leitong/error.h"
#include "segment/hanlp_data.h"
#include "segment/hanlp_segmenter.h"

namespace leitong::segment {
namespace {

std::string scratch(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("leitong_hanlp_" + std::to_string(::getpid()) + "_" + name)).string();
}

std::string written(const std::string& name, const std::vector<std::byte>& bytes) {
  std::string path = scratch(name);
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return path;
}

// A dictionary of our own, small enough to reckon with by hand.
HanlpSource small_source() {
  HanlpSource source;
  source.natures = {"n", "nr", "nrf", "nnt", "v", "m", "w", "nx", "begin", "end"};
  const auto word = [](std::u16string text, std::uint16_t nature, std::int32_t frequency) {
    return HanlpWord{std::move(text), {{nature, frequency}}, frequency};
  };
  source.core = {word(u"喊", 4, 9),      word(u"天", 0, 5),      word(u"天气", 0, 100),  word(u"始##始", 8, 50), word(u"好", 4, 80),
                 word(u"未##串", 7, 10), word(u"未##人", 1, 10), word(u"未##数", 5, 10), word(u"末##末", 9, 50), word(u"气", 0, 5)};
  std::sort(source.core.begin(), source.core.end(), [](const HanlpWord& a, const HanlpWord& b) { return a.word < b.word; });
  source.custom = {word(u"天气好", 0, 7)};
  source.char_types.assign(0x10000, 17);
  for (char16_t c = u'0'; c <= u'9'; ++c) source.char_types[c] = 9;
  source.name_transitions.assign(name_roles * name_roles, 0);
  source.simplified = {{u"氣", u"气"}, {u"天氣", u"天气"}};
  source.stop_words = {u"的", u"好"};
  return source;
}

std::string shown(const HanlpData& data, std::u16string_view text) {
  HanlpSegmenter segmenter(data);
  std::string out;
  for (const HanlpToken& token : segmenter.segment(text)) {
    out += std::to_string(token.offset) + "+" + std::to_string(token.length) + std::string(data.nature_name(token.nature)) + " ";
  }
  return out;
}

TEST(Hanlp, SegmentsWithCoreCustomAndAtoms) {
  const HanlpData data(written("small", compile_hanlp(small_source())));
  EXPECT_EQ(shown(data, u""), "");
  EXPECT_EQ(shown(data, u"天气"), "0+2n ");
  EXPECT_EQ(shown(data, u"喊天气好"), "0+1v 1+3n ");
  EXPECT_EQ(shown(data, u"1,234.5"), "0+7m ");
  EXPECT_EQ(shown(data, u"?1,"), "0+1w 1+1m 2+1w ");
  EXPECT_TRUE(data.is_stop_word(u"好"));
  EXPECT_FALSE(data.is_stop_word(u"好的"));
  EXPECT_EQ(data.simplified(u"天氣氣天"), u"天气气天");
}

TEST(Hanlp, AddedWordsMergeAndReplace) {
  HanlpSource source = small_source();
  source.insert_custom(u"喊天气", {{"nz", 3}});
  source.insert_custom(u"天气好", {{"v", 2}});
  const HanlpData data(written("added", compile_hanlp(source)));
  EXPECT_EQ(shown(data, u"天气好"), "0+3v ");
  EXPECT_EQ(shown(data, u"喊天气喊"), "0+3nz 3+1v ");
  EXPECT_THROW(source.insert_custom(u"", {{"n", 1}}), Error);
}

TEST(Hanlp, AnUnknownUnitEndsAnyWord) {
  const HanlpData data(written("unknown", compile_hanlp(small_source())));
  EXPECT_EQ(shown(data, u"\n天气好"), "0+1w 1+3n ");
  EXPECT_EQ(shown(data, u"天\n气好"), "0+1n 1+1w 2+1n 3+1v ");
  EXPECT_EQ(shown(data, u"天气\n\n好"), "0+2n 2+2w 4+1v ");
}

// Words of a few units in any order, with pairs so many and so unevenly spread that rows of one bucket and of many, full ones among them,
// are there.
HanlpSource random_source(std::mt19937& random) {
  HanlpSource source = small_source();
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  std::set<std::u16string> words;
  for (char16_t c = 0; c < 8; ++c) words.insert(std::u16string(1, static_cast<char16_t>(u'甲' + c)));
  while (words.size() < 400) {
    std::u16string word;
    for (std::uint32_t length = 2 + below(3); word.size() < length;) word.push_back(static_cast<char16_t>(u'甲' + below(8)));
    words.insert(word);
  }
  for (const std::u16string& word : words) {
    const auto frequency = static_cast<std::int32_t>(1 + below(below(2) == 0 ? 3 : 100'000));
    source.core.push_back({word, {{static_cast<std::uint16_t>(below(2) * 4), frequency}}, frequency});
  }
  std::sort(source.core.begin(), source.core.end(), [](const HanlpWord& a, const HanlpWord& b) { return a.word < b.word; });
  source.custom.clear();
  for (std::uint32_t first = 0; first < source.core.size(); ++first) {
    const std::uint32_t share = std::uint32_t{1} << below(8);
    for (std::uint32_t second = 0; second < source.core.size(); ++second) {
      if (below(share) == 0) source.bigrams.push_back({first, second, static_cast<std::int32_t>(1 + below(30))});
    }
  }
  return source;
}

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t>;

Pairs pairs_of(const HanlpSource& source) {
  Pairs out;
  for (const HanlpBigram& pair : source.bigrams) out[{pair.first, pair.second}] = pair.frequency;
  return out;
}

TEST(Hanlp, PairTableHoldsThePairsAndNoOther) {
  std::mt19937 random(7);
  const HanlpSource source = random_source(random);
  const Pairs pairs = pairs_of(source);
  const HanlpData data(written("pairs", compile_hanlp(source)));
  std::vector<HanlpStep> steps;
  for (const HanlpWord& word : source.core) {
    std::vector<std::uint16_t> codes;
    for (const char16_t c : word.word) codes.push_back(data.codes[c]);
    const std::uint32_t entry = data.core.find(codes.data(), static_cast<std::uint32_t>(codes.size()));
    ASSERT_NE(entry, no_value);
    steps.push_back(data.steps[entry]);
  }
  for (std::uint32_t first = 0; first < steps.size(); ++first) {
    if (source.core[first].natures[0].first != 0 && source.core[first].natures[0].first != 4) continue;  // a class stands for it
    for (std::uint32_t second = 0; second < steps.size(); ++second) {
      if (source.core[second].natures[0].first != 0 && source.core[second].natures[0].first != 4) continue;
      const auto known = pairs.find({first, second});
      const std::uint32_t found = data.pairs.row(steps[first].row).find(steps[second].second);
      ASSERT_EQ(found != HanlpPairs::none, known != pairs.end()) << first << " " << second;
      if (found == HanlpPairs::none) continue;
      EXPECT_EQ(data.pair_frequencies[found], known->second);
      EXPECT_EQ(data.pair_costs[found], hanlp_cost(source.core[first].frequency, known->second));
    }
  }
}

// The cheapest path by the definition: every word reaches every word after it; of equal ways the earlier word's stays.
std::string plain_path(const HanlpSource& source, const Pairs& pairs, std::u16string_view text) {
  struct Node {
    std::uint32_t word, begin, end;
    double cost = std::numeric_limits<double>::infinity();
    std::size_t from = 0;
  };
  const auto id = [&](std::u16string_view word) {
    const auto found = std::lower_bound(source.core.begin(), source.core.end(), word,
                                        [](const HanlpWord& a, std::u16string_view b) { return a.word < b; });
    return found != source.core.end() && found->word == word ? static_cast<std::int64_t>(found - source.core.begin()) : -1;
  };
  const auto size = static_cast<std::uint32_t>(text.size());
  std::vector<Node> nodes{{static_cast<std::uint32_t>(id(u"始##始")), 0, 0, 0, 0}};
  for (std::uint32_t begin = 0; begin < size; ++begin) {
    for (std::uint32_t length = 1; length <= std::min(size - begin, 4U); ++length) {
      const std::int64_t word = id(text.substr(begin, length));
      if (word >= 0) nodes.push_back({static_cast<std::uint32_t>(word), begin, begin + length});
    }
  }
  nodes.push_back({static_cast<std::uint32_t>(id(u"末##末")), size, size + 1});
  for (std::size_t from = 0; from < nodes.size(); ++from) {
    for (std::size_t to = from + 1; to < nodes.size() && nodes[to].begin <= nodes[from].end; ++to) {
      if (nodes[to].begin != nodes[from].end) continue;
      const auto known = pairs.find({nodes[from].word, nodes[to].word});
      const std::int32_t frequency = from == 0 ? 25'146'057 / 10 : source.core[nodes[from].word].frequency;
      const double cost = nodes[from].cost + hanlp_cost(frequency, known == pairs.end() ? 0 : known->second);
      if (nodes[to].cost > cost) nodes[to].cost = cost, nodes[to].from = from;
    }
  }
  std::vector<std::size_t> path;
  for (std::size_t at = nodes.back().from; at != 0; at = nodes[at].from) path.push_back(at);
  std::string out;
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    const Node& node = nodes[*at];
    out += std::to_string(node.begin) + "+" + std::to_string(node.end - node.begin) +
           source.natures[source.core[node.word].natures[0].first] + " ";
  }
  return out;
}

TEST(Hanlp, PathIsThatOfThePlainComputation) {
  std::mt19937 random(11);
  for (int round = 0; round < 4; ++round) {
    const HanlpSource source = random_source(random);
    const Pairs pairs = pairs_of(source);
    const HanlpData data(written("path", compile_hanlp(source)));
    for (std::size_t size : {1U, 2U, 3U, 7U, 127U, 128U, 129U, 255U, 300U, 1000U}) {
      std::u16string text;
      while (text.size() < size) text.push_back(static_cast<char16_t>(u'甲' + random() % 8));
      EXPECT_EQ(shown(data, text), plain_path(source, pairs, text));
    }
  }
}

TEST(Hanlp, DamagedDataAreErrors) {
  std::vector<std::byte> bytes = compile_hanlp(small_source());
  const auto fails = [](const std::vector<std::byte>& damaged) { EXPECT_THROW(HanlpData(written("damaged", damaged)), Error); };
  fails({});
  fails({bytes.begin(), bytes.begin() + 100});
  for (const std::size_t at : {std::size_t{0}, std::size_t{8}, std::size_t{16}, std::size_t{70}, bytes.size() - 1}) {
    std::vector<std::byte> damaged = bytes;
    damaged[at] ^= std::byte{1};
    fails(damaged);
  }
  EXPECT_THROW(HanlpData(scratch("missing")), Error);
}

TEST(Hanlp, MissingJarNamesItsCoordinates) {
  for (const std::string& path : {scratch("no.jar"), written("short.jar", std::vector<std::byte>(40))}) {
    try {
      (void)read_hanlp_jar(path);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(hanlp_coordinates), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace leitong::segment
