#include "segment/data_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "leitong/error.h"
#include "leitong/jieba.h"
#include "segment/damage_test.h"
#include "segment/hanlp_data.h"
#include "segment/hanlp_segmenter.h"
#include "segment/ik.h"
#include "segment/ik_dictionary.h"
#include "segment/jieba.h"
#include "segment/shared_data.h"
#include "segment/small_hanlp_test.h"
#include "segment/small_jieba.h"

namespace leitong::segment {
namespace {

namespace fs = std::filesystem;

// Sets an environment variable for a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name); old != nullptr) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

class DataStore : public ::testing::Test {
 protected:
  void SetUp() override {
    const JiebaSources jieba = small_sources();
    write_file(folder_ / "jieba/dict.txt", jieba.dictionary);
    write_file(folder_ / "jieba/finalseg/prob_start.py", jieba.start);
    write_file(folder_ / "jieba/finalseg/prob_trans.py", jieba.transitions);
    write_file(folder_ / "jieba/finalseg/prob_emit.py", jieba.emissions);
    write_file(folder_ / "jieba/analyse/idf.txt", jieba.idf);
    write_file(folder_ / "jieba/analyse/tfidf.py", jieba.stop_words);
    write_jar(folder_ / "hanlp.jar", small_hanlp_members());
    for (const char* name : {"surname", "quantifier", "suffix", "preposition"})
      write_file(folder_ / ("ik/" + std::string(name) + ".dic"), "");
    write_file(folder_ / "ik/main.dic", "研究\n生命\n");
    write_file(folder_ / "ik/stopword.dic", "the\n");
  }
  [[nodiscard]] std::string source(DataKind kind) const {
    return folder_ / (kind == DataKind::jieba ? "jieba" : kind == DataKind::hanlp ? "hanlp.jar" : "ik");
  }
  DataInfo add(DataKind kind, const AddDataOptions& options = {}) const { return leitong::add_data(kind, source(kind), options); }

  TemporaryDirectory folder_;
  Variable data_{"LEITONG_DATA", folder_ / "data"}, user_{"XDG_DATA_HOME", folder_ / "user"}, home_{"HOME", folder_ / "home"};
};

constexpr DataKind all_kinds[] = {DataKind::jieba, DataKind::hanlp, DataKind::ik};

std::uint64_t count_of(const DataInfo& info, const std::string& list) {
  const auto found = std::find_if(info.words.begin(), info.words.end(), [&](const auto& entry) { return entry.first == list; });
  return found == info.words.end() ? 999'999 : found->second;
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

TEST_F(DataStore, AddsFindsAndLists) {
  EXPECT_EQ(data_directory(), folder_ / "data");
  for (const DataKind kind : all_kinds) {
    EXPECT_EQ(parse_data_kind(data_kind_name(kind)), kind);
    const DataInfo info = add(kind);
    EXPECT_EQ(info.path, folder_ / ("data/" + std::string(data_kind_name(kind)) + ".data"));
    EXPECT_EQ(info.bytes, fs::file_size(info.path));
    EXPECT_EQ(info.warnings, std::vector<std::string>());
    EXPECT_EQ(find_data(kind, ""), info.path);
    EXPECT_EQ(find_data(kind, data_kind_name(kind)), info.path);
    EXPECT_EQ(find_data(kind, info.path), info.path);
    EXPECT_EQ(content_of_data(info.path), info.content);
    EXPECT_EQ(add(kind).content, info.content);
  }
  EXPECT_THROW((void)parse_data_kind("thulac"), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "data"), fs::directory_iterator()), 3) << "nothing else is left";
  const std::vector<DataInfo> list = list_data();
  ASSERT_GE(list.size(), 3U);
  EXPECT_EQ(list[0].name, "hanlp");
  EXPECT_EQ(list[0].kind, DataKind::hanlp);
  EXPECT_EQ(count_of(list[0], "core"), 10U);
  EXPECT_EQ(count_of(list[0], "stop"), 2U);
  EXPECT_EQ(count_of(list[1], "main"), 2U);
  EXPECT_EQ(count_of(list[2], "words"), 25U);
  EXPECT_EQ(list[2].content, content_of_data(list[2].path));
}

TEST_F(DataStore, SearchesInOrder) {
  AddDataOptions options;
  options.name = "mine-1.0";
  options.output = folder_ / "user/leitong/mine-1.0.data";
  const std::string user = add(DataKind::ik, options).path;
  EXPECT_EQ(find_data(DataKind::ik, "mine-1.0"), user);
  options.output.clear();
  const std::string first = add(DataKind::ik, options).path;
  EXPECT_EQ(first, folder_ / "data/mine-1.0.data");
  EXPECT_EQ(find_data(DataKind::ik, "mine-1.0"), first);
  EXPECT_EQ(find_data(DataKind::ik, user), user);
  const std::vector<DataInfo> list = list_data();
  EXPECT_EQ(std::count_if(list.begin(), list.end(), [](const DataInfo& info) { return info.name == "mine-1.0"; }), 1);
  const Variable none("LEITONG_DATA", "");
  EXPECT_EQ(find_data(DataKind::ik, "mine-1.0"), user);
  EXPECT_EQ(data_directory(), folder_ / "user/leitong");
  const Variable no_user("XDG_DATA_HOME", "");
  EXPECT_EQ(data_directory(), folder_ / "home/.local/share/leitong");
  const Variable no_home("HOME", "");
  EXPECT_NE(message_of([] { (void)data_directory(); }, ErrorCode::usage).find("LEITONG_DATA"), std::string::npos);
  for (const char* name : {".", "..", "a b", ".hidden", "名"}) {
    options.name = name;
    EXPECT_NE(message_of([&] { add(DataKind::ik, options); }, ErrorCode::usage), "no error") << name;
  }
}

TEST_F(DataStore, CarriedDataAreFoundLast) {
  AddDataOptions options;
  options.name = "carried-1.0";
  options.output = folder_ / "carried/carried-1.0.data";
  fs::create_directories(fs::path(options.output).parent_path());
  const std::string carried = add(DataKind::ik, options).path;
  EXPECT_THROW((void)find_data(DataKind::ik, "carried-1.0"), Error);
  also_find_data_in(folder_ / "carried");
  EXPECT_EQ(find_data(DataKind::ik, "carried-1.0"), carried);
  options.output.clear();
  const std::string added = add(DataKind::ik, options).path;
  EXPECT_EQ(find_data(DataKind::ik, "carried-1.0"), added);
  also_find_data_in("");
}

TEST_F(DataStore, MissingDataSayWhatToDo) {
  const auto missing = [](DataKind kind, const std::string& name) {
    return message_of([&] { (void)find_data(kind, name); }, ErrorCode::io);
  };
  const std::string hanlp = missing(DataKind::hanlp, "");
  EXPECT_TRUE(holds(hanlp, "com.hankcs:hanlp:portable-1.8.1") && holds(hanlp, "Maven Central") &&
              holds(hanlp, "leitong data add hanlp FILE.jar") && holds(hanlp, folder_ / "data") && holds(hanlp, folder_ / "user/leitong"))
      << hanlp;
  EXPECT_TRUE(holds(missing(DataKind::ik, ""), "leitong data add ik FILE.jar|DIR"));
  EXPECT_TRUE(holds(missing(DataKind::ik, "mine"), "leitong data add ik FILE.jar|DIR --name mine"));
  const std::string jieba = missing(DataKind::jieba, "no_such_jieba");
  EXPECT_TRUE(holds(jieba, "python3-jieba") && holds(jieba, "leitong data add jieba FOLDER")) << jieba;
  EXPECT_TRUE(holds(missing(DataKind::hanlp, folder_ / "none.data"), "none.data: does not exist"));
}

TEST_F(DataStore, WrongFilesAreRefused) {
  const std::string ik = add(DataKind::ik).path;
  EXPECT_TRUE(
      holds(message_of([&] { (void)find_data(DataKind::hanlp, ik); }, ErrorCode::format), "holds the data of IKAnalyzer, not of HanLP"));
  std::fstream file(ik, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(8);
  file.put('\x63');
  file.close();
  const std::string version = message_of([&] { (void)find_data(DataKind::ik, ik); }, ErrorCode::unsupported);
  EXPECT_TRUE(holds(version, "has version 99") && holds(version, "leitong data add ik")) << version;
  EXPECT_THROW((void)content_of_data(ik), Error);
  write_file(folder_ / "data/short.data", "LTIKDIC1");
  write_file(folder_ / "data/text.data", std::string(100, 'x'));
  int bad = 0;
  for (const DataInfo& info : list_data()) bad += info.warnings.size() == 1 && info.content.empty() ? 1 : 0;
  EXPECT_EQ(bad, 3) << "listed with what is wrong";
  fs::resize_file(add(DataKind::jieba).path, 5000);
  EXPECT_TRUE(holds(message_of([&] { (void)find_data(DataKind::jieba, ""); }, ErrorCode::format), "has 5000 bytes instead of"));
}

TEST_F(DataStore, JiebaWordsAndStopWords) {
  write_file(folder_ / "add", "今天天气很好 900 nz\n");
  write_file(folder_ / "remove", "天气\n");
  write_file(folder_ / "stop", "天气\n");
  const std::string plain = add(DataKind::jieba).content;
  AddDataOptions options;
  options.add_words = folder_ / "add";
  options.remove_words = folder_ / "remove";
  options.stop_words = folder_ / "stop";
  options.remove_stop_words = folder_ / "stop";
  options.add_stop_words = folder_ / "remove";
  const DataInfo info = add(DataKind::jieba, options);
  EXPECT_NE(info.content, plain);
  EXPECT_EQ(count_of(info, "stop"), 2U) << "added and removed again";
  const auto data = std::make_shared<const JiebaData>(JiebaData::open(info.path));
  EXPECT_EQ(data->user_words(), "今天天气很好 900 nz\n");
  const Jieba jieba(data);
  EXPECT_EQ(jieba.frequency(U"天气"), 0U);
  EXPECT_EQ(jieba.tag("今天天气很好"), "nz");
  write_file(folder_ / "add", "好 1\n坏\xFF 1\n");
  EXPECT_TRUE(holds(message_of([&] { add(DataKind::jieba, options); }, ErrorCode::format), "add:2: "));
  options.add_words = folder_ / "none";
  EXPECT_TRUE(holds(message_of([&] { add(DataKind::jieba, options); }, ErrorCode::io), "none: cannot be read"));
}

TEST_F(DataStore, HanlpWordsAndStopWords) {
  write_file(folder_ / "add", "喊天气 nz 3\n天气好 v 2\n云天\n");
  write_file(folder_ / "remove", "云天\n天气好\n");
  write_file(folder_ / "stop", "天\n气\n喊\n");
  write_file(folder_ / "more", "王\n");
  AddDataOptions options;
  options.add_words = folder_ / "add";
  options.remove_words = folder_ / "remove";
  options.stop_words = folder_ / "stop";
  DataInfo info = add(DataKind::hanlp, options);
  EXPECT_EQ(count_of(info, "added"), 1U);
  EXPECT_EQ(count_of(info, "removed"), 1U);
  ASSERT_EQ(info.warnings.size(), 1U) << "天气好 is a word of the dictionary's files";
  EXPECT_EQ(list_data()[0].warnings, info.warnings);
  const auto shown = [](const std::string& path, std::u16string_view text) {
    const HanlpData data(path);
    HanlpSegmenter segmenter(data);
    std::string out;
    for (const HanlpToken& token : segmenter.segment(text)) {
      const auto word = text.substr(token.offset, token.length);
      out += text::to_utf8(word) + "/" + std::string(data.nature_name(token.nature)) + (data.is_stop_word(word) ? "! " : " ");
    }
    return out;
  };
  EXPECT_EQ(shown(info.path, u"喊天气喊天气好"), "喊天气/nz 喊/v! 天气好/v ");
  EXPECT_EQ(shown(add(DataKind::hanlp).path, u"喊天气喊天气好"), "喊/v 天气/n 喊/v 天气好/n ");

  // The first remove() of a packed set only unpacks it; add() unpacks it too.
  AddDataOptions stop;
  stop.remove_stop_words = folder_ / "words";
  write_file(folder_ / "words", "好\n的\n");
  info = add(DataKind::hanlp, stop);
  EXPECT_EQ(shown(info.path, u"好"), "好/a! ");
  EXPECT_EQ(count_of(info, "stop"), 1U);
  EXPECT_EQ(info.warnings.size(), 1U);
  stop.add_stop_words = folder_ / "more";
  info = add(DataKind::hanlp, stop);
  EXPECT_EQ(shown(info.path, u"好"), "好/a ");
  EXPECT_EQ(count_of(info, "stop"), 1U);
  EXPECT_EQ(info.warnings, std::vector<std::string>());
}

TEST_F(DataStore, IkWordsAndStopWords) {
  write_file(folder_ / "add", "研究生\n起源\n");
  write_file(folder_ / "remove", "生命\n");
  write_file(folder_ / "stop", "起源\n研究\n");
  AddDataOptions options;
  options.add_words = folder_ / "add";
  options.remove_words = folder_ / "remove";
  options.stop_words = folder_ / "stop";
  options.remove_stop_words = folder_ / "remove";
  const DataInfo info = add(DataKind::ik, options);
  EXPECT_EQ(count_of(info, "main"), 3U);
  EXPECT_EQ(count_of(info, "stopword"), 3U);
  IkTokens tokens;
  const IkDictionary dictionary = IkDictionary::open(info.path);
  segment_ik(dictionary, u"研究生命起源", tokens);
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[0], u"研究生");
  EXPECT_EQ(tokens[1], u"命") << "生命 is no word, 起源 a stop word";
}

TEST_F(DataStore, HanlpDamageIsAnErrorOrChangesNothing) {
  const std::string path = add(DataKind::hanlp).path;
  std::ifstream in(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto answer = [&](const std::string& bytes) {
    write_file(path, bytes);
    const HanlpData data(path);
    HanlpSegmenter segmenter(data);
    std::string out;
    for (const HanlpToken& token : segmenter.segment(u"喊天气好，王天说1,234.5个氣"))
      out += std::to_string(token.offset) + std::string(data.nature_name(token.nature)) + " ";
    return out;
  };
  const std::string right = answer(whole);
  for (std::size_t at = 0; at < whole.size(); at += at < 512 ? 7 : 1 + whole.size() / 40) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    for (const std::string& bytes : {damaged, whole.substr(0, at)}) {
      try {
        EXPECT_EQ(answer(bytes), right) << at;
      } catch (const Error&) {
      }
    }
  }
}

TEST_F(DataStore, ReplacedFileIsOpenedAnew) {
  write_file(folder_ / "add", "天气好 v 2\n研究生 3\n");
  AddDataOptions more;
  more.add_words = folder_ / "add";
  const auto test = [&](DataKind kind, auto share) {
    const std::string path = add(kind).path;
    const auto before = share(path);
    EXPECT_EQ(share(""), before);
    add(kind);
    EXPECT_EQ(share(path), before) << "the same content";
    add(kind, more);
    const auto after = share(path);
    EXPECT_NE(after, before);
    EXPECT_EQ(after->content().hex(), content_of_data(path));
    EXPECT_EQ(share(""), after);
  };
  test(DataKind::jieba, shared_jieba);
  test(DataKind::hanlp, shared_hanlp);
  test(DataKind::ik, shared_ik);
}

TEST_F(DataStore, DirectoriesAreNoFiles) {
  const std::string directory = folder_ / "a.properties";
  fs::create_directories(directory);
  const auto refused = [&](const std::function<void()>& run) {
    const std::string message = message_of(run, ErrorCode::io);
    EXPECT_TRUE(holds(message, directory + ": cannot be read (Is a directory); ")) << message;
  };
  for (const DataKind kind : all_kinds) {
    for (auto option : {&AddDataOptions::add_words, &AddDataOptions::stop_words, &AddDataOptions::remove_stop_words}) {
      AddDataOptions options;
      options.*option = directory;
      refused([&] { add(kind, options); });
    }
  }
  leitong::Jieba jieba(add(DataKind::jieba).path);
  refused([&] { jieba.load_userdict(directory); });
  refused([&] { jieba.add_stop_words(directory); });
  refused([&] { (void)leitong::add_data(DataKind::hanlp, directory, {}); });
  fs::remove(folder_ / "jieba/dict.txt");
  fs::create_directories(folder_ / "jieba/dict.txt");
  EXPECT_TRUE(holds(message_of([&] { add(DataKind::jieba); }, ErrorCode::io), "dict.txt: cannot be read (Is a directory); "));
}

// What is there under a name stays as it was when the new file cannot be written.
TEST_F(DataStore, FailedWritesChangeNothing) {
  const DataInfo before = add(DataKind::ik);
  AddDataOptions options;
  options.output = folder_ / "ik/main.dic/below.data";
  EXPECT_NE(message_of([&] { add(DataKind::ik, options); }, ErrorCode::io), "no error");
  write_file(folder_ / "ik/main.dic", "\n");
  EXPECT_NE(message_of([&] { add(DataKind::ik); }, ErrorCode::usage), "no error");
  EXPECT_EQ(content_of_data(before.path), before.content);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "data"), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace leitong::segment
