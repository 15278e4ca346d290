#include "segment/jieba_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "leitong/error.h"
#include "segment/jieba.h"
#include "segment/small_jieba.h"

namespace leitong::segment {
namespace {

ErrorCode code_of(const std::string& bytes) {
  try {
    JiebaData::from_bytes(bytes, "x.bin").verify();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("x.bin", 0), 0U) << error.what();
    return error.code();
  }
  return ErrorCode::usage;
}

std::string message_of(const JiebaSources& sources) {
  try {
    (void)compile_jieba(sources);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(JiebaData, OpensWhatWasCompiled) {
  const std::string bytes = compile_jieba(small_sources());
  EXPECT_EQ(bytes, compile_jieba(small_sources()));
  const std::string path = ::testing::TempDir() + "leitong_jieba_data_test.bin";
  std::ofstream(path, std::ios::binary) << bytes;
  JiebaData data = JiebaData::open(path);
  data.verify();
  const JiebaData moved = std::move(data);
  moved.verify();
  EXPECT_EQ(moved.total(), 50U + 40 + 300 + 80 + 90 + 20 + 10 + 200 + 500 + 30 + 30 + 500 + 100 + 2 + 20 + 4 * 7 + 4 * 9 + 1);
  EXPECT_EQ(moved.idf(U"天气"), 8.5);
  EXPECT_EQ(moved.idf(U"中国"), 4.0) << "the last value counts";
  EXPECT_EQ(moved.idf(U"国"), 8.5) << "the median of 2.5, 4, 8.5, 11 as jieba takes it";
  EXPECT_EQ(moved.stop_words(), "the\nof\n");
  std::filesystem::remove(path);
  EXPECT_THROW(JiebaData::open(path), Error);
}

TEST(JiebaData, RefusesWhatIsDamaged) {
  const std::string bytes = compile_jieba(small_sources());
  EXPECT_EQ(code_of(bytes), ErrorCode::usage) << "that is: no error";
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 3) EXPECT_EQ(code_of(bytes.substr(0, size)), ErrorCode::format);
  EXPECT_EQ(code_of(bytes + "x"), ErrorCode::format);
  std::string version = bytes, order = bytes;
  version[12] = 2;
  std::reverse(order.begin() + 8, order.begin() + 12);
  EXPECT_EQ(code_of(version), ErrorCode::unsupported);
  EXPECT_EQ(code_of(order), ErrorCode::unsupported);
}

TEST(JiebaData, SurvivesDamageThatOpeningDoesNotSee) {
  const std::string bytes = compile_jieba(small_sources());
  std::mt19937 random(5);
  for (int i = 0; i < 400; ++i) {
    std::string damaged = bytes;
    // Half of the damage near the start, where the tables of sections and small sections are.
    const std::size_t range = i % 2 == 0 ? 512 : bytes.size();
    for (int flips = 0; flips < 3; ++flips) damaged[random() % range] ^= static_cast<char>(1U << random() % 8);
    if (damaged == bytes) continue;
    EXPECT_NE(code_of(damaged), ErrorCode::usage) << i;
    try {
      const Jieba jieba(std::make_shared<const JiebaData>(JiebaData::from_bytes(damaged, "x.bin")));
      Tokens tokens;
      const std::string text = "今天天气很好T恤衫C++王小明了国家中国国家零𠀀";
      jieba.cut(text, true, tokens);
      jieba.cut_all(text, tokens);
      jieba.cut_for_search(text, true, tokens);
      EXPECT_GT(tokens.size(), 0U);
    } catch (const Error&) {
    }
  }
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
  EXPECT_THROW((void)compile_jieba(std::string("/nowhere")), Error);
}

}  // namespace
}  // namespace leitong::segment
