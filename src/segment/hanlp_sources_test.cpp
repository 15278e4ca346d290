#include "segment/hanlp_sources.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "leitong/error.h"
#include "segment/hanlp_members.h"
#include "segment/hanlp_text.h"
#include "segment/small_hanlp_test.h"

namespace leitong::segment {
namespace {

namespace fs = std::filesystem;

void write_folder(const fs::path& folder, const Members& files) {
  for (const auto& [name, bytes] : files) write_file(folder / name, bytes);
}

// Independent of the compiled form: every list as text.
std::string shown(const HanlpSource& source) {
  std::string out;
  const auto words = [&](const std::vector<HanlpWord>& list) {
    for (const HanlpWord& word : list) {
      out += text::to_utf8(word.word) + std::to_string(word.frequency) + "=";
      for (const auto& [nature, frequency] : word.natures) out += source.natures.at(nature) + std::to_string(frequency) + " ";
    }
    out += "\n";
  };
  words(source.core);
  words(source.custom);
  words(source.added);
  for (const HanlpBigram& pair : source.bigrams)
    out += std::to_string(pair.first) + "@" + std::to_string(pair.second) + ":" + std::to_string(pair.frequency) + " ";
  for (const HanlpNameWord& name : source.names) {
    out += "\n" + text::to_utf8(name.word);
    for (const auto& [role, frequency] : name.roles) out += " " + std::to_string(static_cast<int>(role)) + ":" + std::to_string(frequency);
  }
  for (const auto* list : {&source.translated, &source.stop_words}) {
    out += "\n";
    for (const std::u16string& word : *list) out += text::to_utf8(word) + " ";
  }
  for (const auto& [key, value] : source.simplified) out += "\n" + text::to_utf8(key) + ">" + text::to_utf8(value);
  for (const std::int32_t count : source.name_transitions) out += std::to_string(count);
  return out + std::to_string(source.char_types.at(0x35)) + std::to_string(source.char_types.at(0x4E00));
}

std::string message_of(const std::function<void()>& run, ErrorCode code) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "no error";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(HanlpSources, JarAndTextFolderAreTheSame) {
  const TemporaryDirectory folder;
  write_jar(folder / "a.jar", small_hanlp_members());
  write_folder(folder / "text", small_hanlp_texts());
  const HanlpFiles jar = read_hanlp(folder / "a.jar"), text = read_hanlp(folder / "text");
  EXPECT_EQ(jar.warnings, std::vector<std::string>());
  EXPECT_EQ(text.warnings, std::vector<std::string>());
  EXPECT_EQ(shown(text.source), shown(jar.source));
  EXPECT_EQ(text.source.natures, jar.source.natures);
  EXPECT_TRUE(holds(shown(jar.source), "喊9=v9 天5=n5 天气102=n100 v2 好80=a80 ")) << shown(jar.source);
  EXPECT_TRUE(holds(shown(jar.source),
                    "\n天气好7=n7 好天气1000=n1000 \n\n0@2:7 1@9:3 \n  6:1 14:1\n天 14:1\n王 0:5 14:2\n· 史密斯 约翰 \n好 的 \n"))
      << shown(jar.source);
}

TEST(HanlpSources, CachesTakeThePlaceOfText) {
  const TemporaryDirectory folder;
  Members files = small_hanlp_texts();
  for (const auto& [name, bytes] : small_hanlp_members()) {
    if (name.starts_with("data/")) files[name] = bytes;
  }
  const std::string stop = "data/dictionary/stopwords.txt", custom = "data/dictionary/custom/CustomDictionary.txt";
  files[stop] = "新\n";
  files[custom] = "新词\n";
  write_folder(folder.path(), files);
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(folder / (stop + ".bin"), now - std::chrono::hours(1));
  fs::last_write_time(folder / (custom + ".bin"), now + std::chrono::hours(1));
  HanlpFiles read = read_hanlp(folder.path());
  EXPECT_EQ(read.source.stop_words, (std::vector<std::u16string>{u"好", u"的"})) << "HanLP does not look at the dates of most files";
  ASSERT_EQ(read.warnings.size(), 1U);
  EXPECT_TRUE(holds(read.warnings[0], "stopwords.txt.bin: is older")) << read.warnings[0];
  EXPECT_EQ(read.source.custom.size(), 2U);
  fs::last_write_time(folder / (custom + ".bin"), now - std::chrono::hours(1));
  read = read_hanlp(folder.path());
  ASSERT_EQ(read.source.custom.size(), 1U) << "but it does for the custom dictionary";
  EXPECT_EQ(read.source.custom[0].word, u"新词");
  write_file(folder / "data/dictionary/CoreNatureDictionary.mini.txt.bin",
             small_hanlp::words_bin({{"天", {{13, 5}}}, {"未##数", {{94, 1}}}}));
  read = read_hanlp(folder.path());
  EXPECT_EQ(read.source.bigrams.size(), 0U) << "a table of pairs for another dictionary is not used, and the text has no such pair";
}

TEST(HanlpSources, PropertiesNameFiles) {
  const TemporaryDirectory folder;
  Members files = small_hanlp_texts();
  files["data/other/甲.txt"] = "\xEF\xBB\xBF西班牙语 nz 3 v 2 odd\r\n\n云 计\n云计算\n天气好 生物 9\n坏 n x\n不到\n";
  files["data/other/乙.csv"] = "雷同,zz,9\n机器 学习\n";
  files["data/other/丙.txt"] = "人民\n \n之后\n";
  files["hanlp.properties"] = "root=" + folder.path() +
                              "\nCustomDictionaryPath=data/dictionary/custom/CustomDictionary.txt;data/other/甲.txt 我的; 乙.csv;"
                              " none.txt; 丙.txt ns;\n";
  write_folder(folder.path(), files);
  for (const std::string& source : {folder.path(), folder / "hanlp.properties"}) {
    const HanlpFiles read = read_hanlp(source);
    const std::string list = shown(read.source);
    EXPECT_TRUE(holds(list,
                      "\n云1000=我的1000 云计算1000=我的1000 人民1000=ns1000 天气好9=生物9 好天气1000=n1000 "
                      "机器 学习1000=n1000 西班牙语5=nz3 v2 雷同9=zz9 \n"))
        << list;
    ASSERT_EQ(read.warnings.size(), 3U);
    EXPECT_TRUE(holds(read.warnings[0], "甲.txt:6: ")) << read.warnings[0];
    EXPECT_TRUE(holds(read.warnings[1], "none.txt: does not exist")) << read.warnings[1];
    EXPECT_TRUE(holds(read.warnings[2], "丙.txt:2: ")) << read.warnings[2];
    EXPECT_EQ(read.source.natures.size(), 148U + 3) << "我的, 生物, zz";
  }
}

TEST(HanlpSources, JarFillsTheGaps) {
  const TemporaryDirectory folder;
  write_jar(folder / "hanlp-portable-1.8.1.jar", small_hanlp_members());
  write_file(folder / "data/dictionary/stopwords.txt", "我\n");
  const HanlpFiles read = read_hanlp(folder.path());
  EXPECT_EQ(read.source.stop_words, std::vector<std::u16string>{u"我"});
  EXPECT_EQ(read.source.core.size(), 10U);
  EXPECT_EQ(read.source.custom.size(), 2U);
  EXPECT_EQ(read.warnings.size(), 8U) << "one for each file of the jar";
  fs::rename(folder / "hanlp-portable-1.8.1.jar", folder / "other.jar");
  EXPECT_EQ(shown(read_hanlp(folder.path(), folder / "other.jar").source), shown(read.source));
  const std::string message = message_of([&] { (void)read_hanlp(folder.path()); }, ErrorCode::io);
  EXPECT_TRUE(holds(message, "CoreDictionaryPath") && holds(message, "CoreNatureDictionary.mini.txt: ") &&
              holds(message, hanlp_coordinates))
      << message;
}

TEST(HanlpSources, ErrorsSayWhatToGet) {
  const TemporaryDirectory folder;
  const auto message = [](const std::string& source, ErrorCode code) { return message_of([&] { (void)read_hanlp(source); }, code); };
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_TRUE(holds(text, part) && holds(text, "com.hankcs:hanlp:portable-1.8.1")) << text;
  };
  says(message(folder / "no.jar", ErrorCode::io), "no.jar: does not exist");
  says(message(folder.path(), ErrorCode::io), "neither hanlp.properties nor data/dictionary;");
  write_file(folder / "text.jar", "not a jar, but of some length, so that its end could be looked for");
  says(message(folder / "text.jar", ErrorCode::format), "is not a whole zip or jar");
  write_jar(folder / "empty.jar", {{"a", "b"}});
  says(message(folder / "empty.jar", ErrorCode::format), "holds no data/dictionary/");
  Members other = small_hanlp_members();
  other["META-INF/maven/com.hankcs/hanlp/pom.properties"] = "version=portable-1.7.8\n";
  write_jar(folder / "old.jar", other);
  says(message(folder / "old.jar", ErrorCode::unsupported), "is HanLP portable-1.7.8");
  write_file(folder / "hanlp.properties", "Normalization=true\n");
  EXPECT_TRUE(holds(message(folder / "hanlp.properties", ErrorCode::unsupported), "Normalization")) << "other words";
}

TEST(HanlpSources, BadTextNamesItsLine) {
  const auto message = [](auto read) { return message_of(read, ErrorCode::format); };
  HanlpSource source;
  EXPECT_EQ(message([&] { (void)read_core_text({"天 n 5\n地\n", "core.txt"}, source); }).rfind("core.txt:2: ", 0), 0U);
  EXPECT_EQ(message([&] { (void)read_core_text({"天 n -5\n", "core.txt"}, source); }).rfind("core.txt:1: ", 0), 0U);
  EXPECT_EQ(message([&] { (void)read_core_text({"天 n 2147483647 v 1\n", "core.txt"}, source); }).rfind("core.txt:1: ", 0), 0U);
  source.core = read_core_text({"天 n 5\n", "core.txt"}, source);
  EXPECT_EQ(message([&] { (void)read_bigrams_text({"地\n天\n", "pairs.txt"}, source); }).rfind("pairs.txt:2: ", 0), 0U);
  EXPECT_EQ(message([&] { (void)read_names_text({"王 B 1\n王 Q 1\n", "nr.txt"}); }).rfind("nr.txt:2: ", 0), 0U);
  EXPECT_EQ(message([&] { (void)insert_custom_text({"词\n词 n x\n", "add.txt"}, source); }).rfind("add.txt:2: ", 0), 0U);
}

TEST(HanlpSources, PiecesOfNamesAreCounted) {
  std::string lines;
  for (int i = 0; i < 10; ++i) lines += "不斯" + std::string(1, static_cast<char>('a' + i)) + "\n";
  const std::vector<std::u16string> pieces = read_translated_text({lines, "nrf.txt"});
  EXPECT_EQ(pieces.size(), 12U);
  EXPECT_TRUE(std::binary_search(pieces.begin(), pieces.end(), u"斯"));
  EXPECT_TRUE(std::binary_search(pieces.begin(), pieces.end(), u"·"));
  EXPECT_FALSE(std::binary_search(pieces.begin(), pieces.end(), u"不")) << "too common";
}

TEST(HanlpSources, InsertAndRemoveAreJavas) {
  HanlpSource source;
  source.custom = {{u"天气", {{source.nature("n"), 5}}, 5}};
  EXPECT_EQ(insert_custom_text({"\xEF\xBB\xBF雷同\n天气 v 9 n 1\n 云计算 我的 \r\n\n云 nz 2\n云 x 3\n", "add.txt"}, source), 5U);
  EXPECT_EQ(
      shown(HanlpSource{source.natures, {}, {}, source.custom, source.added, {}, {}, {}, {}, std::vector<std::uint8_t>(65536), {}, {}})
          .substr(0, 70),
      "\n天气10=v9 n1 \n云3=x3 云计算1=我的1 雷同1=nz1 \n\n\n00");
  std::vector<std::string> warnings;
  EXPECT_EQ(remove_custom_text({"云计算\n天气\n云\n没有\n", "rm.txt"}, source, warnings), 1U);
  EXPECT_EQ(source.added.size(), 2U) << "雷同, and 云, which has one character";
  EXPECT_EQ(source.custom.size(), 1U) << "a word of the dictionary's files stays";
  ASSERT_EQ(warnings.size(), 3U);
  EXPECT_EQ(warnings[0].rfind("rm.txt:2: 天气: ", 0), 0U) << warnings[0];
}

// Bytes of each member flipped and cut short: an Error or lists, and what is compiled from lists opens.
TEST(HanlpSources, DamagedMembersAreErrors) {
  const Members members = small_hanlp_members();
  int errors = 0, runs = 0;
  const auto check = [&](const std::string& name, const std::string& bytes, auto read) {
    const auto run = [&](std::string damaged) {
      ++runs;
      try {
        HanlpSource source;
        source.natures = hanlp_natures();
        read(HanlpMember{{damaged.begin(), damaged.end()}, name}, source);
      } catch (const Error& error) {
        ++errors;
        EXPECT_TRUE(holds(error.what(), name)) << error.what();
      }
    };
    for (std::size_t at = 0; at < bytes.size(); at += at < 400 ? 1 : 1 + bytes.size() / 40) {
      for (const char flip : {'\x01', '\x80'}) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ flip);
        run(damaged);
      }
      if (at % 7 == 0) run(bytes.substr(0, at));
    }
  };
  const std::string folder = "data/dictionary/";
  const auto with = [&](const std::string& name, auto read) { check(name, members.at(folder + name), read); };
  with("CoreNatureDictionary.mini.txt.bin", [](HanlpMember m, HanlpSource& s) { (void)read_core_bin(std::move(m), s); });
  with("custom/CustomDictionary.txt.bin", [](HanlpMember m, HanlpSource& s) { (void)read_custom_bin(std::move(m), s); });
  with("CoreNatureDictionary.ngram.mini.txt.table.bin", [](HanlpMember m, HanlpSource&) { (void)read_bigrams_bin(std::move(m), 10); });
  with("person/nr.txt.bin", [](HanlpMember m, HanlpSource&) { (void)read_names_bin(std::move(m)); });
  with("person/nrf.txt.trie.dat", [](HanlpMember m, HanlpSource&) { (void)read_translated_bin(std::move(m)); });
  with("stopwords.txt.bin", [](HanlpMember m, HanlpSource&) { (void)read_stop_words_bin(std::move(m)); });
  with("other/CharType.bin", [](HanlpMember m, HanlpSource&) { (void)read_char_types(std::move(m)); });
  with("person/nr.tr.txt", [](HanlpMember m, HanlpSource& s) { read_transitions(std::move(m), s); });
  with("tc/t2s.txt", [](HanlpMember m, HanlpSource&) { (void)read_simplified(std::move(m)); });
  EXPECT_GT(errors, runs / 4);
}

}  // namespace
}  // namespace leitong::segment
