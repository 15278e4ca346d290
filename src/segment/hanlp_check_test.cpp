#include "segment/hanlp_check.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "segment/content_hash.h"
#include "segment/damage_test.h"
#include "segment/hanlp_data.h"
#include "segment/hanlp_sections.h"
#include "segment/hanlp_segmenter.h"
#include "segment/small_hanlp_test.h"

namespace leitong::segment {
namespace {

class HanlpCheck : public ::testing::Test {
 protected:
  void SetUp() override {
    write_jar(folder_ / "hanlp.jar", small_hanlp_members());
    bytes_ = compile_hanlp(read_hanlp_jar(folder_ / "hanlp.jar"));
  }
  // Words with natures, stop words marked, and simplified text.
  [[nodiscard]] std::string answer(const std::vector<std::byte>& bytes) const {
    const std::string path = folder_ / "tried.data";
    write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const HanlpData data(path);
    HanlpSegmenter segmenter(data);
    std::string out;
    for (const std::u16string_view text : {u"喊天气好，王天说1,234.5个氣", u"好天气好史密斯约翰喊的天氣", u"王"}) {
      for (const HanlpToken& token : segmenter.segment(text)) {
        const auto word = text.substr(token.offset, token.length);
        out += text::to_utf8(word) + "/" + std::string(data.nature_name(token.nature)) + (data.is_stop_word(word) ? "! " : " ");
      }
      out += text::to_utf8(data.simplified(text)) + "\n";
    }
    return out;
  }
  // Whether the file is refused when `change` was done to a section's items and the checksum forged.
  template <class T, class Change>
  [[nodiscard]] bool refused(std::uint32_t section, Change change) const {
    std::vector<std::byte> bytes = bytes_;
    change(items_of<T>(bytes, section));
    forge_checksum(bytes);
    try {
      (void)answer(bytes);
    } catch (const Error& error) {
      return error.code() == ErrorCode::format;
    }
    return false;
  }

  TemporaryDirectory folder_;
  std::vector<std::byte> bytes_;
};

TEST_F(HanlpCheck, DamageIsAnErrorOrChangesNothing) {
  test_damage(bytes_, [&](const std::vector<std::byte>& bytes) { return answer(bytes); });
}

// With a right checksum: an error or any answer, in every section.
TEST_F(HanlpCheck, NoForgedSectionHarms) {
  std::mt19937 random(3);
  int refusals = 0;
  for (std::uint32_t section = section_nature_names; section <= section_stop_trie; ++section) {
    if (section > section_simplified_text && section < section_core_trie) continue;
    for (int round = 0; round < 40; ++round) {
      std::vector<std::byte> bytes = bytes_;
      const std::span<std::byte> items = section_of(bytes, section);
      for (int writes = 0; writes < 3 && !items.empty(); ++writes) {
        const std::size_t size = std::min<std::size_t>(items.size(), std::size_t{1} << random() % 4);
        const std::uint64_t values[] = {0, ~std::uint64_t{0}, random() % 16, std::uint64_t{random()} << 32 | random()};
        const std::size_t range = round % 2 == 0 ? std::min<std::size_t>(items.size(), 512) : items.size();
        std::memcpy(items.data() + random() % (range / size) * size, &values[random() % 4], size);
      }
      forge_checksum(bytes);
      try {
        (void)answer(bytes);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::format) << error.what();
        ++refusals;
      }
    }
  }
  EXPECT_GT(refusals, 100);
}

TEST_F(HanlpCheck, RefusesWhatLeadsOutside) {
  const std::uint64_t word_code = std::uint64_t{1} << Trie::base_bits;
  EXPECT_FALSE(refused<char>(section_nature_names, [](auto) {}));
  EXPECT_TRUE(refused<char>(section_nature_names, [](auto names) { names.back() = 'x'; }));
  EXPECT_TRUE(refused<std::uint16_t>(section_char_codes, [](auto codes) { codes[7] = 0xFFFF; }));
  for (std::size_t place : {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11})  // all constants but the nature nrf, which is compared only
    EXPECT_TRUE(refused<std::uint32_t>(section_constants, [&](auto items) { items[place] = 60'000; })) << place;
  EXPECT_TRUE(refused<HanlpConstants>(section_constants, [](auto items) { items[0].longest = 0; }));
  EXPECT_TRUE(refused<HanlpStep>(section_steps, [](auto steps) { steps[1].row = 50'000 << HanlpPairs::size_bits, steps[1].second = 1; }));
  EXPECT_TRUE(refused<HanlpStep>(section_steps, [](auto steps) { steps[2].row = 64, steps[2].second = HanlpStep::outside_core; }));
  EXPECT_TRUE(refused<HanlpStep>(section_steps, [](auto steps) { steps[0].level = 0x7FFF; }));
  EXPECT_TRUE(refused<HanlpTag>(section_tags, [](auto tags) { tags[0].nature = 60'000; }));
  EXPECT_TRUE(refused<HanlpTag>(section_tags, [](auto tags) { tags[0].roles = 60'000; }));
  EXPECT_TRUE(refused<HanlpTag>(section_tags, [](auto tags) { tags[0].custom = 0x7FFFFFFF; }));
  EXPECT_TRUE(refused<HanlpLevel>(section_levels, [](auto levels) {
    for (HanlpLevel& level : levels) level.cost0 = std::numeric_limits<double>::quiet_NaN();
  }));
  EXPECT_TRUE(refused<HanlpBucket>(section_buckets, [](auto buckets) {  // a search would find no end
    for (HanlpBucket& bucket : buckets) bucket.seconds.fill(9);
  }));
  EXPECT_TRUE(refused<HanlpBucket>(section_buckets, [](auto buckets) {
    for (HanlpBucket& bucket : buckets.subspan(HanlpPairs::empty_buckets)) bucket.seconds[7] = 9;
  }));
  EXPECT_TRUE(refused<HanlpBucket>(section_buckets, [](auto buckets) { buckets.back().seconds[0] = 1, buckets.back().pairs[0] = 60'000; }));
  EXPECT_TRUE(refused<double>(section_pair_costs, [](auto costs) { costs[0] = std::numeric_limits<double>::infinity(); }));
  EXPECT_TRUE(refused<std::int32_t>(section_pair_frequencies, [](auto frequencies) { frequencies[0] = -1'000; }));
  EXPECT_TRUE(refused<std::uint8_t>(section_next_roles, [](auto roles) { roles[3] = 16; }));
  EXPECT_TRUE(refused<std::uint32_t>(section_simplified_starts, [](auto starts) { starts.back() = 60'000; }));
  EXPECT_TRUE(refused<std::uint32_t>(section_simplified_starts, [](auto starts) { starts[0] = 60'000; }));
  for (std::uint32_t trie = section_core_trie; trie <= section_stop_trie; ++trie) {
    EXPECT_TRUE(refused<TrieCell>(trie, [](auto cells) { cells.back() = Trie::base_mask; })) << trie << " base";
    EXPECT_TRUE(refused<TrieCell>(trie, [](auto cells) { cells[1] = 1; })) << trie << " code 0";
    if (trie == section_translated_trie || trie == section_stop_trie) continue;  // no one asks for a value
    EXPECT_TRUE(refused<TrieCell>(trie, [&](auto cells) { cells.back() = word_code | std::uint64_t{60'000} << 40; })) << trie << " value";
  }
}

// A trie with words that are longer than its longest is not refused: the segmenter finds no more of them than it has room for.
TEST_F(HanlpCheck, EndlessWordsDoNoHarm) {
  std::vector<std::byte> bytes = bytes_;
  const std::span<TrieCell> cells = items_of<TrieCell>(bytes, section_core_trie);
  const std::size_t first = Trie::base(cells[0]);
  std::size_t words = 0;
  for (std::size_t i = first + 1; i < cells.size(); ++i) {  // every first unit is a word and leads to itself
    if (cells[i] == 0 || Trie::code(cells[i]) != i - first || !Trie::ends(cells[i])) continue;
    cells[i] = (cells[i] & ~TrieCell{Trie::base_mask}) | (i - Trie::code(cells[i]));
    ++words;
  }
  ASSERT_GT(words, 0U);
  forge_checksum(bytes);
  const std::string path = folder_ / "endless.data";
  write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const HanlpData data(path);
  HanlpSegmenter segmenter(data);
  for (const char16_t unit : std::u16string_view(u"天气好王喊")) {
    const std::u16string text(3'000, unit);
    std::size_t units = 0;
    for (const HanlpToken& token : segmenter.segment(text)) units += token.length;
    EXPECT_EQ(units, text.size());
  }
}

// Names beyond ASCII count as UTF-16, whether this machine's char has a sign or not.
TEST(HanlpContent, NatureNamesAreUtf16) {
  HanlpSource source;
  source.natures = {"n", "nr", "nrf", "nnt", "v", "m", "w", "nx", "begin", "end", "名é"};
  source.name_transitions.assign(name_roles * name_roles, 0);
  source.char_types.assign(0x10000, 17);
  ContentHash hash;
  hash.number(11);
  for (const std::u16string_view name : {u"n", u"nr", u"nrf", u"nnt", u"v", u"m", u"w", u"nx", u"begin", u"end", u"名é"})
    hash.units<char16_t>(name);
  for (int list = 0; list < 5; ++list) hash.number(0);  // core, custom, inserted, pairs, name words
  for (std::size_t i = 0; i < name_roles * name_roles; ++i) hash.number(0);
  hash.number(0);  // pieces of names
  for (int i = 0; i < 0x10000; ++i) hash.number(17);
  for (int list = 0; list < 2; ++list) hash.number(0);  // simplified, stop words
  const SectionFile file(compile_hanlp(source), "x", hanlp_magic, hanlp_version, "");
  EXPECT_EQ(file.content(), hash.id());
  check_hanlp(file);
}

}  // namespace
}  // namespace leitong::segment
