// Compares with Python's jieba itself, on texts and on generated strings. Skipped, loudly, where Debian's python3-jieba is not installed.
//
// Texts: of the corpora in LEITONG_SHARED a fixed sample (LEITONG_JIEBA_SHARE, 0.01), with LEITONG_FULL all of them; and generated strings,
// LEITONG_JIEBA_HARD of them (3000, or 20000). LEITONG_JIEBA_SEED (1) seeds both.
// LEITONG_PYTHON: the interpreter; LEITONG_JIEBA: the package's folder.
#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "segment/jieba.h"
#include "segment/jieba_compile.h"
#include "segment/keywords.h"
#include "segment/python_text.h"

namespace leitong::segment {
namespace {

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

struct Record {
  char kind = 0;
  std::string argument;
  std::vector<std::string> results;
};

class Oracle {
 public:
  explicit Oracle(const std::string& command) : pipe_(::popen(command.c_str(), "r")) {}
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
  ~Oracle() { close(); }

  bool read(Record& record) {
    const int kind = std::fgetc(pipe_);
    if (kind == EOF) return false;
    record.kind = static_cast<char>(kind);
    record.argument = string();
    record.results.resize(number());
    for (std::string& result : record.results) result = string();
    return true;
  }
  int close() {
    const int status = pipe_ == nullptr ? 0 : ::pclose(pipe_);
    pipe_ = nullptr;
    return status;
  }

 private:
  std::uint32_t number() {
    std::uint32_t value = 0;
    if (std::fread(&value, sizeof value, 1, pipe_) != 1) value = 0;
    return value;
  }
  std::string string() {
    std::string value(number(), '\0');
    if (std::fread(value.data(), 1, value.size(), pipe_) != value.size()) value.clear();
    return value;
  }
  std::FILE* pipe_;
};

class Comparison {
 public:
  explicit Comparison(const std::shared_ptr<const JiebaData>& data) : jieba_(data) {}

  void compare(const Record& record) {
    const std::vector<std::string> found = answer(record);
    ++records;
    tokens += record.results.size();
    if (found == record.results) return;
    if (++mismatches > 10) return;
    std::size_t i = 0;
    while (i < found.size() && i < record.results.size() && found[i] == record.results[i]) ++i;
    ADD_FAILURE() << "kind " << record.kind << ", result " << i << " of [" << record.argument.substr(0, 400) << "]: found ["
                  << (i < found.size() ? found[i] : "(end)") << "], Python gives ["
                  << (i < record.results.size() ? record.results[i] : "(end)") << "]";
  }

  std::size_t records = 0, tokens = 0, mismatches = 0;

 private:
  std::vector<std::string> cut(const Record& record) {
    const std::string& text = record.argument;
    switch (record.kind) {
      case 'c':
        jieba_.cut(text, true, tokens_);
        break;
      case 'p':
        jieba_.cut(text, false, tokens_);
        break;
      case 'a':
        jieba_.cut_all(text, tokens_);
        break;
      case 's':
        jieba_.cut_for_search(text, true, tokens_);
        break;
      default:
        jieba_.cut_for_search(text, false, tokens_);
        break;
    }
    std::vector<std::string> words;
    for (std::size_t i = 0; i < tokens_.size(); ++i) words.emplace_back(tokens_.view(text, i));
    return words;
  }

  std::vector<std::string> frequencies(std::string_view words) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at <= words.size();) {
      const std::size_t end = std::min(words.find('\n', at), words.size());
      std::u32string points;
      EXPECT_TRUE(decode_strict(words.substr(at, end - at), points));
      const auto frequency = jieba_.frequency(points);
      out.push_back(frequency ? std::to_string(*frequency) : "-1");
      at = end + 1;
    }
    out.push_back(std::to_string(jieba_.total()));
    return out;
  }

  // What Python prints for a double reads back as the same double, so numbers are compared as such.
  std::vector<std::string> keywords(const Record& record) {
    std::vector<std::string> out;
    const auto found = Keywords(jieba_).extract(record.argument, 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      out.push_back(found[i].word);
      const bool same = 2 * i + 1 < record.results.size() && std::strtod(record.results[2 * i + 1].c_str(), nullptr) == found[i].weight;
      out.push_back(same ? record.results[2 * i + 1] : std::to_string(found[i].weight));
    }
    return out;
  }

  std::vector<std::string> answer(const Record& record) {
    const std::string& word = record.argument;
    switch (record.kind) {
      case '+':
        jieba_.add_word(word, record.results.empty() ? std::nullopt : std::optional<std::uint64_t>(std::stoull(record.results[0])));
        return record.results;
      case '-':
        jieba_.del_word(word);
        return {};
      case 'f':
      case 'g':
        return {std::to_string(jieba_.suggest_frequency(word, record.kind == 'f'))};
      case 'F':
      case 'G': {
        const std::string_view parts[2] = {record.results[0], record.results[1]};
        return {record.results[0], record.results[1], std::to_string(jieba_.suggest_frequency(parts, record.kind == 'F'))};
      }
      case 'l':
        jieba_.load_user_words(word, "user.txt");
        return {};
      case '=':
        return frequencies(word);
      case 'k':
        return keywords(record);
      default:
        return cut(record);
    }
  }

  Jieba jieba_;
  Tokens tokens_;
};

// The corpora, each quoted for the shell.
std::string corpora() {
  const std::filesystem::path folder = std::filesystem::path(variable("LEITONG_SHARED", "")) / "corpora";
  std::string files;
  if (!std::filesystem::is_directory(folder)) {
    std::cerr << "\n*** NO CORPORA: LEITONG_SHARED is not set; only generated strings are compared ***\n\n";
    return files;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().string().ends_with(".docs.jsonl.gz")) files += " '" + entry.path().string() + "'";
  return files;
}

TEST(JiebaOracle, GivesWhatPythonGives) {
  const std::string folder = variable("LEITONG_JIEBA", "/usr/lib/python3/dist-packages/jieba");
  const std::string python = variable("LEITONG_PYTHON", "/usr/bin/python3");  // the one that Debian's packages are for
  if (!std::filesystem::exists(folder + "/dict.txt") || std::system((python + " -c 'import jieba' >/dev/null 2>&1").c_str()) != 0) {
    std::cerr << "\n*** NOT COMPARED WITH PYTHON'S JIEBA: install python3-jieba ***\n\n";
    GTEST_SKIP() << "no Python jieba";
  }
  const bool full = std::getenv("LEITONG_FULL") != nullptr;
  Oracle oracle(python + " '" LEITONG_SOURCE_DIR "/tests/jieba/oracle.py' " + variable("LEITONG_JIEBA_SEED", "1") + " " +
                variable("LEITONG_JIEBA_SHARE", full ? "1" : "0.01") + " " + variable("LEITONG_JIEBA_HARD", full ? "20000" : "3000") +
                corpora());
  Comparison comparison(std::make_shared<const JiebaData>(JiebaData::from_bytes(compile_jieba(read_jieba_folder(folder)), "jieba data")));
  Record record;
  while (oracle.read(record)) comparison.compare(record);
  EXPECT_EQ(oracle.close(), 0) << "the script failed";
  EXPECT_EQ(comparison.mismatches, 0U);
  EXPECT_GT(comparison.tokens, 10000U);
  std::cerr << comparison.records << " comparisons, " << comparison.tokens << " results, " << comparison.mismatches << " mismatches\n";
}

}  // namespace
}  // namespace leitong::segment
