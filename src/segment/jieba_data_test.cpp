#include "segment/jieba_data.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "leitong/error.h"
#include "segment/damage_test.h"
#include "segment/jieba.h"
#include "segment/small_jieba.h"

namespace leitong::segment {
namespace {

std::string message_of(const JiebaSources& sources) {
  try {
    (void)compile_jieba(sources);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string hex_of(const JiebaSources& sources) { return JiebaData::from_bytes(compile_jieba(sources), "x").content().hex(); }

TEST(JiebaData, OpensWhatWasCompiled) {
  const std::vector<std::byte> bytes = compile_jieba(small_sources());
  EXPECT_EQ(bytes, compile_jieba(small_sources()));
  const std::string path = ::testing::TempDir() + "leitong_jieba_data_test_" + std::to_string(::getpid()) + ".data";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  JiebaData data = JiebaData::open(path);
  const JiebaData moved = std::move(data);
  EXPECT_EQ(moved.total(), 50U + 40 + 300 + 80 + 90 + 20 + 10 + 200 + 500 + 30 + 30 + 500 + 100 + 2 + 20 + 4 * 7 + 4 * 9 + 1);
  EXPECT_EQ(moved.idf(U"天气"), 8.5);
  EXPECT_EQ(moved.idf(U"中国"), 4.0) << "the last value counts";
  EXPECT_EQ(moved.idf(U"国"), 8.5) << "the median of 2.5, 4, 8.5, 11 as jieba takes it";
  EXPECT_EQ(moved.stop_words(), "of\nthe\n");
  std::filesystem::remove(path);
  EXPECT_THROW(JiebaData::open(path), Error);
}

TEST(JiebaData, KnowsTags) {
  JiebaSources sources = small_sources();
  sources.dictionary += "很好 20 x rest\n无 3\n𠀀𠀁 3 zz\n";
  const JiebaData data = JiebaData::from_bytes(compile_jieba(sources), "x");
  EXPECT_EQ(data.tag("今天天气"), "n");
  EXPECT_EQ(data.tag("中国"), "ns");
  EXPECT_EQ(data.tag("C++"), "nz");
  EXPECT_EQ(data.tag("零"), "m") << "a word of frequency 0";
  EXPECT_EQ(data.tag("很好"), "x") << "the last line counts";
  EXPECT_EQ(data.tag("𠀀𠀁"), "zz");
  for (const char* none : {"无", "今天天", "今", "𠀀", "", "没有", "天\xFF", "天气x"}) EXPECT_EQ(data.tag(none), "") << none;
}

TEST(JiebaData, ContentIdIsOfTheContentAlone) {
  const std::string id = hex_of(small_sources());
  JiebaSources same = small_sources();
  std::string ends;
  for (const char c : same.dictionary) ends += c == '\n' ? std::string(" \r\n") : std::string(1, c);
  same.dictionary = ends;
  same.dictionary = same.dictionary.substr(same.dictionary.find('\n') + 1) + same.dictionary.substr(0, same.dictionary.find('\n') + 1);
  same.stop_words = "STOP_WORDS = set((\n \"of\", \"the\", \"of\"\n))\n";
  EXPECT_EQ(hex_of(same), id);
  const auto differs = [&](auto change) {
    JiebaSources sources = small_sources();
    change(sources);
    EXPECT_NE(hex_of(sources), id);
  };
  differs([](JiebaSources& s) { s.dictionary += "新 1 n\n"; });
  differs([](JiebaSources& s) { s.dictionary += "零 0 q\n"; });
  differs([](JiebaSources& s) { s.idf += "新 1\n"; });
  differs([](JiebaSources& s) { s.start.replace(s.start.find("-1.4"), 4, "-1.5"); });
  differs([](JiebaSources& s) { s.transitions.replace(s.transitions.find("-1.2"), 4, "-1.3"); });
  differs([](JiebaSources& s) { s.emissions.replace(s.emissions.find("-6.0"), 4, "-6.5"); });
  differs([](JiebaSources& s) { s.more_stop_words = "很好\n"; });
  differs([](JiebaSources& s) { s.user_words = "好天 5\n"; });
  differs([](JiebaSources& s) { s.deleted_words = "很好\n"; });
}

TEST(JiebaData, BringsItsUserWords) {
  JiebaSources sources = small_sources();
  sources.user_words = "今天天气很好 900 a\n";
  sources.deleted_words = "天气\r\n";
  const auto cut = [](const JiebaSources& from) {
    const Jieba jieba(std::make_shared<const JiebaData>(JiebaData::from_bytes(compile_jieba(from), "x")));
    const std::string text = "今天天气很好天气";
    Tokens tokens;
    jieba.cut(text, false, tokens);
    std::string out;
    for (std::size_t i = 0; i < tokens.size(); ++i) out += std::string(tokens.view(text, i)) + " ";
    return out;
  };
  EXPECT_EQ(cut(small_sources()), "今天天气 很好 天气 ");
  EXPECT_EQ(cut(sources), "今天天气很好 天 气 ");
}

TEST(JiebaData, DamageIsAnErrorOrChangesNothing) {
  const std::vector<std::byte> bytes = compile_jieba(small_sources());
  const std::string text = "今天天气很好T恤衫C++王小明了国家中国国家零𠀀";
  test_damage(bytes, [&](std::vector<std::byte> damaged) {
    const auto data = std::make_shared<const JiebaData>(JiebaData::from_bytes(std::move(damaged), "x.data"));
    const Jieba jieba(data);
    Tokens tokens;
    std::string out;
    const auto add = [&] {
      for (std::size_t i = 0; i < tokens.size(); ++i)
        out += std::string(tokens.view(text, i)) + "/" + std::string(data->tag(tokens.view(text, i))) + " ";
    };
    jieba.cut(text, true, tokens);
    add();
    jieba.cut_all(text, tokens);
    add();
    jieba.cut_for_search(text, true, tokens);
    add();
    return out + std::to_string(data->idf(U"天气"));
  });
}

TEST(JiebaCompile, NamesTheLine) {
  JiebaSources sources = small_sources();
  sources.dictionary += "词 x n\n";
  EXPECT_EQ(message_of(sources).rfind("dict.txt:26: ", 0), 0U) << message_of(sources);
  sources = small_sources();
  sources.dictionary += "\n";
  EXPECT_NE(message_of(sources), "") << "jieba accepts no empty line";
  sources = small_sources();
  sources.idf += "词 1.5.2\n";
  EXPECT_EQ(message_of(sources).rfind("idf.txt:6: ", 0), 0U) << message_of(sources);
  sources = small_sources();
  sources.emissions = "P={'B': {'\\u738b': -2.0,\n 3}}";
  EXPECT_EQ(message_of(sources).rfind("prob_emit.py:2: ", 0), 0U) << message_of(sources);
  sources = small_sources();
  sources.start.clear();
  EXPECT_EQ(message_of(sources).rfind("prob_start.py:1: ", 0), 0U) << message_of(sources);
  EXPECT_THROW((void)read_jieba_folder("/nowhere"), Error);
}

// Label 0 stands behind every block. In a forged file it may have children: words run on then, but tokens stay inside of the text.
TEST(JiebaData, ChildrenByLabelZeroDoNoHarm) {
  std::vector<std::byte> bytes = compile_jieba(small_sources());
  int forged = 0;
  for (const JiebaSection section : {jieba_words, jieba_idf_words}) {
    const std::span<Node> nodes = items_of<Node>(bytes, section);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (base_of(nodes[n]) == 0 || check_of(nodes[n]) == no_parent) continue;
      const std::uint32_t child = base_of(nodes[n]);
      if (check_of(nodes[child]) != no_parent) continue;
      nodes[child] = make_node(child, static_cast<std::uint32_t>(n), 1);  // a word that is its own child
      ++forged;
    }
  }
  ASSERT_GT(forged, 3);
  forge_checksum(bytes);
  const auto data = std::make_shared<const JiebaData>(JiebaData::from_bytes(std::move(bytes), "x"));
  Jieba plain(data), with_words(data);
  with_words.add_word("国家天气");
  const std::string text = "今天天气很好，a1+中国国家。国家甲乙";
  Tokens tokens;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string_view part = std::string_view(text).substr(0, size);
    for (const Jieba* jieba : {&plain, &with_words}) {
      const auto check = [&] {
        for (const text::Range range : tokens.ranges()) ASSERT_TRUE(range.begin <= range.end && range.end <= size + tokens.joined().size());
      };
      jieba->cut(part, true, tokens), check();
      jieba->cut(part, false, tokens), check();
      jieba->cut_all(part, tokens), check();
      jieba->cut_for_search(part, true, tokens), check();
    }
  }
}

}  // namespace
}  // namespace leitong::segment
