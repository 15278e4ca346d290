#include "leitong/overlap.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "leitong/error.h"
#include "passages/character_offsets.h"
#include "records/json_object.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

std::vector<std::string> lines(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> all;
  for (std::string line; std::getline(file, line);) all.push_back(line);
  return all;
}

std::string words(std::mt19937& random, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += (i > 0 ? " w" : "w") + std::to_string(random() % 5000);
  return out;
}

class OverlapTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() / (std::string("leitong-overlap-") + test->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& bytes) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << bytes;
  }
  static std::string record(const std::string& id, const std::string& text) { return R"({"id":")" + id + R"(","text":")" + text + "\"}\n"; }

  [[nodiscard]] OverlapOptions options(const std::string& a, const std::string& b, const std::string& out) const {
    OverlapOptions options;
    options.a.paths = {(root_ / a).string()};
    options.b.paths = {(root_ / b).string()};
    options.output_dir = (root_ / out).string();
    options.job.threads = 2;
    return options;
  }
  // What must be the same bytes.
  [[nodiscard]] std::string results(const std::string& out) const {
    std::string all;
    for (const char* name : {"matches.jsonl", "summary.json", "report.html", "rejected.jsonl"}) all += content(root_ / out / name);
    return all;
  }

  fs::path root_;
};

TEST_F(OverlapTest, FindsAQuestionInsideAPage) {
  std::mt19937 random(1);
  const std::string question = words(random, 40), other = words(random, 40);
  const std::string half = question.substr(0, question.find(' ', question.size() / 2 + 12));
  write("a/page.jsonl", record("p0", words(random, 3000)) + record("p1", words(random, 900) + " " + question + ". " + words(random, 5000)) +
                            record("p2", words(random, 50) + " " + half + " " + words(random, 50)));
  write("b/one.jsonl", record("q0", question) + record("q1", other) + "{\"id\":\"bad\"\n" + record("q2", "far too short"));
  write("b/two.jsonl", record("q3", "The W" + question.substr(1)));
  OverlapOptions given = options("a", "b", "out");
  given.contained = 0.7;
  const OverlapCounts counts = overlap(given);
  EXPECT_EQ(counts.a_records, 3U);
  EXPECT_EQ(counts.b_records, 5U);
  EXPECT_EQ(counts.b_rejected, 1U);
  EXPECT_EQ(counts.too_short, 1U);
  EXPECT_EQ(counts.contained, 2U);
  EXPECT_EQ(counts.partial, 0U);
  EXPECT_EQ(counts.holding, 2U);
  EXPECT_EQ(counts.readings, 1U);
  ASSERT_EQ(counts.matrix.size(), 2U);
  EXPECT_EQ(counts.matrix[0].contained, 1U);
  const std::vector<std::string> matches = lines(root_ / "out" / "matches.jsonl");
  ASSERT_EQ(matches.size(), counts.pairs);
  ASSERT_GE(matches.size(), 2U);
  const records::JsonReader first(matches[0], "match");
  EXPECT_EQ(first.text(first.root()["b"], "id"), "q0");
  EXPECT_EQ(first.text(first.root()["a"], "id"), "p1");
  EXPECT_EQ(first.text(first.root(), "verdict"), "contained");
  EXPECT_EQ(first.text(first.root(), "excerpt").substr(0, 40), question.substr(0, 40));
  const records::JsonReader second(matches[1], "match");
  EXPECT_EQ(second.text(second.root()["a"], "id"), "p2");
  EXPECT_EQ(second.text(second.root(), "verdict"), "partial");
  EXPECT_EQ(lines(root_ / "out" / "rejected.jsonl").size(), 1U);
  EXPECT_NE(content(root_ / "out" / "rejected.jsonl").find("\"collection\":\"b\""), std::string::npos);
  EXPECT_FALSE(fs::exists(root_ / "out" / "stages"));
}

TEST_F(OverlapTest, PlacesAreCharacters) {
  const std::string passage = "第一条 为了规范公共场所的卫生管理，预防疾病，保障人体健康，制定本条例";
  write("a.jsonl", record("a", "é\\ud83d\\ude00\\ud800 序言。" + passage + "。尾"));
  write("b.jsonl", record("b", "“" + passage + "”"));
  EXPECT_EQ(overlap(options("a.jsonl", "b.jsonl", "out")).contained, 1U);
  const std::string match = content(root_ / "out" / "matches.jsonl");
  // é, the face, a lone surrogate, a space, three characters; then 34 of which the last is a letter.
  EXPECT_NE(match.find(R"("spans":[{"a":[7,42],"b":[1,36],"tokens":31}])"), std::string::npos) << match;
}

TEST_F(OverlapTest, SameBytesWhateverThreadsAndMemory) {
  std::mt19937 random(2);
  std::vector<std::string> passages;
  for (int i = 0; i < 300; ++i) passages.push_back(words(random, 25 + static_cast<int>(random() % 60)));
  const std::string boilerplate = words(random, 40);
  std::string a, b;
  for (int i = 0; i < 2000; ++i) {
    a += record("a" + std::to_string(i),
                words(random, 100) + " " + passages[random() % passages.size()] + (i % 9 == 0 ? " " + boilerplate : ""));
    b += record("b" + std::to_string(i), (i < 300 ? passages[static_cast<std::size_t>(i)] : boilerplate) + " " + words(random, 1000));
  }
  write("a.jsonl", a), write("b.jsonl", b);
  OverlapOptions one = options("a.jsonl", "b.jsonl", "one"), two = options("a.jsonl", "b.jsonl", "two");
  one.job.threads = 1;
  two.job.threads = 3, two.job.memory = 64ULL << 20;
  const OverlapCounts at_once = overlap(one), in_parts = overlap(two);
  EXPECT_EQ(at_once.readings, 1U);
  EXPECT_GT(in_parts.readings, 1U);
  EXPECT_GT(at_once.pairs, 2000U);
  EXPECT_GE(at_once.common_passages, 1U);  // the boilerplate is named, and bounded
  EXPECT_LT(at_once.pairs, 2000U + 300U * 200U);
  EXPECT_EQ(results("one"), results("two"));
}

TEST_F(OverlapTest, RefusesWhatHasNoMeaning) {
  write("a.jsonl", record("a", "one two three"));
  const auto code = [](const OverlapOptions& given) {
    try {
      overlap(given);
    } catch (const Error& error) {
      return static_cast<int>(error.code());
    }
    return -1;
  };
  OverlapOptions given = options("a.jsonl", "none.jsonl", "out");
  EXPECT_EQ(code(given), static_cast<int>(ErrorCode::io));
  EXPECT_FALSE(fs::exists(root_ / "out"));
  given.a.paths = given.b.paths = {"-"};
  EXPECT_EQ(code(given), static_cast<int>(ErrorCode::usage));
  given = options("a.jsonl", "a.jsonl", "out");
  for (const double share : {0.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    given.contained = share;
    EXPECT_EQ(code(given), static_cast<int>(ErrorCode::usage));
  }
  given = options("a.jsonl", "a.jsonl", "out");
  EXPECT_EQ(code(given), -1);
  EXPECT_EQ(code(given), static_cast<int>(ErrorCode::usage));  // finished
  given.overwrite = true;
  EXPECT_EQ(code(given), -1);
}

TEST_F(OverlapTest, ManySourcesBecomeFewRows) {
  std::mt19937 random(3);
  const std::string question = words(random, 30);
  for (int i = 0; i < 60; ++i) {
    write("a/part" + std::to_string(i % 3) + "/" + std::to_string(i) + ".txt", words(random, 60) + (i % 2 == 0 ? " " + question : ""));
    write("b/set" + std::to_string(i % 4) + "/" + std::to_string(i) + ".txt", i % 4 == 1 ? question : words(random, 30));
  }
  const OverlapCounts counts = overlap(options("a", "b", "out"));
  EXPECT_EQ(counts.contained, 15U);
  EXPECT_EQ(counts.holding, 30U);
  ASSERT_EQ(counts.matrix.size(), 4U);
  std::uint64_t contained = 0;
  for (const OverlapCounts::Source& row : counts.matrix) contained += row.contained;
  EXPECT_EQ(contained, 15U);
  EXPECT_EQ(counts.matrix[1].contained, 15U);
  EXPECT_NE(content(root_ / "out" / "summary.json").find("\"cells\":[{\"a\":"), std::string::npos);
}

TEST(CharacterOffsets, CountsWhatBeginsBefore) {
  std::string text;
  for (int i = 0; i < 700; ++i) text += i % 3 == 0 ? "é" : i % 3 == 1 ? "汉" : "a";
  const passages::CharacterOffsets offsets(text);
  std::uint32_t count = 0;
  for (std::size_t byte = 0; byte <= text.size(); ++byte) {
    if (byte == text.size() || (text[byte] & 0xC0) != 0x80) {
      EXPECT_EQ(offsets.at(byte), count++);
    }
  }
  EXPECT_EQ(passages::CharacterOffsets("").at(0), 0U);
  EXPECT_EQ(passages::CharacterOffsets(std::string(1024, 'a')).at(1024), 1024U);
}

}  // namespace
}  // namespace leitong
