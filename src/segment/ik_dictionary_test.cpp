#include "segment/ik_dictionary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "leitong/error.h"
#include "segment/damage_test.h"
#include "segment/ik.h"
#include "segment/ik_sources.h"
#include "segment/small_hanlp_test.h"

namespace leitong::segment {
namespace {

IkWords small_words() {
  IkWords words;
  words[0] = {u"研究", u"研究生", u"生命", u"命", u"起源"};
  words[1] = {u"王"};
  words[2] = {u"个", u"公斤"};
  words[3] = {u"斯基"};
  words[4] = {u"的"};
  words[5] = {u"the"};
  return words;
}

std::string cut(const IkDictionary& dictionary, std::u16string_view text) {
  IkTokens tokens;
  segment_ik(dictionary, text, tokens);
  std::string out;
  for (std::size_t i = 0; i < tokens.size(); ++i) out += text::to_utf8(tokens[i]) + " ";
  return out;
}

IkDictionary compiled(const IkWords& words) { return IkDictionary::from_bytes(compile_ik(words), "x"); }

TEST(IkDictionary, EveryWordIsFoundAndNoOther) {
  const IkWords words = small_words();
  const IkDictionary dictionary = compiled(words);
  for (std::size_t list = 0; list < ik_list_count; ++list) {
    EXPECT_EQ(dictionary.words(static_cast<IkList>(list)), words[list].size());
    for (const auto& word : words[list]) {
      for (std::size_t other = 0; other < ik_list_count; ++other) {
        std::uint32_t node = IkDictionary::root(static_cast<IkList>(other));
        for (const char16_t c : word) node = node == IkDictionary::none ? node : dictionary.child(node, dictionary.unit(c));
        EXPECT_EQ(node != IkDictionary::none && dictionary.is_word(node), other == list) << text::to_utf8(word);
      }
    }
  }
}

TEST(IkDictionary, ContentIdIsOfTheWordsAlone) {
  IkWords turned = small_words();
  std::reverse(turned[0].begin(), turned[0].end());
  turned[0].push_back(turned[0].front());
  turned[1].push_back(u"");
  EXPECT_EQ(compiled(turned).content(), compiled(small_words()).content());
  IkWords changed = small_words(), moved = small_words();
  changed[5].push_back(u"a");
  std::swap(moved[3], moved[4]);
  EXPECT_NE(compiled(changed).content(), compiled(small_words()).content());
  EXPECT_NE(compiled(moved).content(), compiled(small_words()).content());
}

TEST(IkDictionary, DamageIsAnErrorOrChangesNothing) {
  test_damage(compile_ik(small_words()), [](std::vector<std::byte> bytes) {
    return cut(IkDictionary::from_bytes(std::move(bytes), "x.data"), u"研究生命起源3.5公斤 the 王斯基。A--b");
  });
}

TEST(IkDictionary, MapsItsFile) {
  const TemporaryDirectory folder;
  const std::vector<std::byte> bytes = compile_ik(small_words());
  write_file(folder / "ik.data", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  EXPECT_EQ(cut(IkDictionary::open(folder / "ik.data"), u"研究生命起源"), "研究生 生命 起源 ");
  for (const std::string& wrong : {folder / "none.data", folder.path()}) EXPECT_THROW((void)IkDictionary::open(wrong), Error);
  write_file(folder / "empty.data", "");
  EXPECT_THROW((void)IkDictionary::open(folder / "empty.data"), Error);
  EXPECT_THROW((void)compile_ik(IkWords()), Error);
}

constexpr const char* list_files[] = {"main.dic", "surname.dic", "quantifier.dic", "suffix.dic", "preposition.dic", "stopword.dic"};

Members small_lists(const std::string& folder) {
  Members files;
  for (const char* name : list_files) files[folder + name] = "";
  files[folder + "main.dic"] = "研究\r\n生命\r\n\r\n  起源 \n";
  files[folder + "stopword.dic"] = "the\rof";
  return files;
}

void write_all(const TemporaryDirectory& folder, const Members& files) {
  for (const auto& [name, bytes] : files) write_file(folder / name, bytes);
}

std::string message_of(const std::string& source, ErrorCode code, const std::string& jar = {}) {
  try {
    (void)read_ik(source, jar);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find("; "), std::string::npos) << error.what();
    return error.what();
  }
  return "no error";
}

const std::string configuration =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE properties SYSTEM \"http://java.sun.com/dtd/properties.dtd\">\n<properties>"
    "<comment>IK</comment>\n<!-- <entry key=\"ext_dict\">/no.dic</entry> -->\n<entry key=\"ext_dict\">/more/mine.dic; ;"
    "/gone/a&amp;b.dic;</entry>\n<entry key='ext_stopwords'>elsewhere/stop2.dic</entry></properties>";

TEST(IkSources, ReadsListsAndExtensions) {
  const TemporaryDirectory folder;
  Members files = small_lists("");
  files["more/mine.dic"] = "雷同\n";
  files["stop2.dic"] = "生命\n";
  files["IKAnalyzer.cfg.xml"] = configuration;
  write_all(folder, files);
  for (const std::string& source : {folder.path(), folder / "IKAnalyzer.cfg.xml"}) {
    const IkSources sources = read_ik(source);
    EXPECT_EQ(sources.words[0], (std::vector<std::u16string>{u"研究", u"生命", u"起源", u"雷同"}));
    EXPECT_EQ(sources.words[5], (std::vector<std::u16string>{u"the", u"of", u"生命"}));
    ASSERT_EQ(sources.warnings.size(), 1U);
    EXPECT_NE(sources.warnings[0].find("/gone/a&b.dic"), std::string::npos) << sources.warnings[0];
    EXPECT_EQ(cut(compiled(sources.words), u"雷同生命the起源"), "雷同 起源 ");
  }
}

TEST(IkSources, JarHoldsWhatTheFolderLacks) {
  const TemporaryDirectory folder;
  Members members = small_lists("org/wltea/analyzer/dic/");
  write_jar(folder / "IKAnalyzer3.2.8.jar", members);
  const IkSources jar = read_ik(folder / "IKAnalyzer3.2.8.jar");
  EXPECT_EQ(jar.words[0], (std::vector<std::u16string>{u"研究", u"生命", u"起源"}));
  write_all(folder, {{"IKAnalyzer.cfg.xml", configuration}, {"mine.dic", "雷同"}, {"org/wltea/analyzer/dic/surname.dic", "王"}});
  for (const std::string& source : {folder.path(), folder / "IKAnalyzer.cfg.xml"}) {
    const IkSources both = read_ik(source);
    EXPECT_EQ(both.words[0], (std::vector<std::u16string>{u"研究", u"生命", u"起源", u"雷同"}));
    EXPECT_EQ(both.words[1], (std::vector<std::u16string>{u"王"}));
    EXPECT_EQ(both.warnings.size(), 2U);
  }
  std::filesystem::rename(folder / "IKAnalyzer3.2.8.jar", folder / "x.jar");
  EXPECT_EQ(read_ik(folder.path(), folder / "x.jar").words[0].size(), 4U);
  EXPECT_EQ(message_of(folder.path(), ErrorCode::io).rfind("main.dic: is not in ", 0), 0U);
}

TEST(IkSources, ErrorsNameWhatIsWrong) {
  const TemporaryDirectory folder;
  Members files = small_lists("");
  files.erase("suffix.dic");
  write_all(folder, files);
  EXPECT_EQ(message_of(folder.path(), ErrorCode::io).rfind("suffix.dic: is not in ", 0), 0U);
  write_all(folder, {{"suffix.dic", ""}, {"IKAnalyzer.cfg.xml", "<properties><entry key=\"ext_dict\">a.dic</properties>"}});
  EXPECT_NE(message_of(folder.path(), ErrorCode::format).find("IKAnalyzer.cfg.xml: offset "), std::string::npos);
  std::filesystem::remove(folder / "IKAnalyzer.cfg.xml");
  write_file(folder / "main.dic", "词\n" + std::string(5000, 'x'));
  EXPECT_NE(message_of(folder.path(), ErrorCode::format).find("main.dic: a word has 5000"), std::string::npos);
  EXPECT_NE(message_of(folder / "none.jar", ErrorCode::io).find("does not exist"), std::string::npos);
  write_file(folder / "text.jar", "no jar");
  EXPECT_NE(message_of(folder / "text.jar", ErrorCode::format).find("is not a whole zip or jar"), std::string::npos);
  Members other = small_lists("org/wltea/analyzer/dic/");
  other["org/wltea/analyzer/dic/main2012.dic"] = "词";
  write_jar(folder / "2012.jar", other);
  EXPECT_NE(message_of(folder / "2012.jar", ErrorCode::unsupported).find("IKAnalyzer 2012"), std::string::npos);
}

}  // namespace
}  // namespace leitong::segment
