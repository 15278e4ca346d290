#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
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
  source.name_transitions.assign(kNameRoles * kNameRoles, 0);
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
      EXPECT_NE(std::string(error.what()).find(kHanlpCoordinates), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace leitong::segment
