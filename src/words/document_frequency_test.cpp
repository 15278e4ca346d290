#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "leitong/idf.h"
#include "leitong/segment.h"
#include "records/json.h"
#include "records/read_input_test.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string line_of(const std::string& id, const std::string& text) {
  std::string out = "{\"id\":\"" + id + "\",\"text\":";
  records::append_json_string(out, text);
  return out + "}\n";
}

std::map<std::string, double> table(const std::string& content) {
  std::map<std::string, double> out;
  std::istringstream in(content);
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    EXPECT_EQ(space, line.rfind(' ')) << line;
    EXPECT_TRUE(out.emplace(line.substr(0, space), std::stod(line.substr(space + 1))).second) << line;
  }
  return out;
}

class Idf : public testing::Test {
 protected:
  IdfOptions options(const std::string& input, const std::string& output = "idf.txt") {
    IdfOptions options;
    options.input = records::options_for(input);
    options.output = directory / output;
    options.job.note = [this](const std::string& sentence) { notes.push_back(sentence); };
    return options;
  }
  TemporaryDirectory directory;
  std::vector<std::string> notes;
};

TEST_F(Idf, IsLogOfDocumentsByWord) {
  const std::string input = directory.write("in.jsonl", line_of("1", "red Red apple.") + line_of("2", "red pear, 雷同") + "broken\n" +
                                                            line_of("3", "...") + line_of("4", "red red plum 同"));
  const IdfCounts counts = make_idf(options(input));
  EXPECT_EQ(counts.documents, 4U);
  EXPECT_EQ(counts.records.rejected, 1U);
  EXPECT_EQ(counts.words, 6U);
  const std::string half = "0.6931471805599453";
  EXPECT_EQ(read(directory / "idf.txt"),
            "apple " + half + "\npear " + half + "\nplum " + half + "\nred 0\n同 0.28768207245178085\n雷 " + half + "\n");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("in.jsonl:3: "), std::string::npos) << notes[0];
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), {}), 2);
}

TEST_F(Idf, Formulas) {
  const std::string input =
      directory.write("in.jsonl", line_of("1", "a b") + line_of("2", "a") + line_of("3", "a c") + line_of("4", "a c"));
  const std::map<std::string, std::map<std::string, double>> expected = {
      {"standard", {{"a", 0}, {"b", std::log(2.0)}, {"c", std::log(4 / 3.0)}}},
      {"plain", {{"a", 0}, {"b", std::log(4.0)}, {"c", std::log(2.0)}}},
      {"plus-one", {{"a", 1}, {"b", 1 + std::log(4.0)}, {"c", 1 + std::log(2.0)}}},
      {"add-one", {{"a", 1}, {"b", 1 + std::log(2.5)}, {"c", 1 + std::log(5 / 3.0)}}},
      {"probabilistic", {{"a", 0}, {"b", std::log(3.0)}, {"c", 0}}},
      {"bm25", {{"a", std::log(1 + 0.5 / 4.5)}, {"b", std::log(1 + 3.5 / 1.5)}, {"c", std::log(2.0)}}}};
  ASSERT_EQ(idf_formulas().size(), expected.size());
  for (const IdfFormula& formula : idf_formulas()) {
    IdfOptions o = options(input);
    o.formula = formula.name;
    const IdfCounts counts = make_idf(o);
    const auto got = table(read(o.output));
    ASSERT_EQ(got.size(), 3U);
    for (const auto& [word, idf] : expected.at(std::string(formula.name))) EXPECT_DOUBLE_EQ(got.at(word), idf) << formula.name << word;
    // "a" is in all documents: below 0 by these two
    EXPECT_EQ(counts.raised, formula.name == "standard" || formula.name == "probabilistic" ? 1U : 0U) << formula.name;
  }
  IdfOptions o = options(input);
  o.formula = "other";
  EXPECT_THROW(make_idf(o), Error);
}

TEST_F(Idf, RareWordsAndNothingLeft) {
  const std::string input = directory.write("in.jsonl", line_of("1", "a b") + line_of("2", "a"));
  IdfOptions o = options(input);
  o.least_documents = 2;
  const IdfCounts counts = make_idf(o);
  EXPECT_EQ(counts.words, 1U);
  EXPECT_EQ(counts.rare, 1U);
  EXPECT_EQ(read(o.output), "a 0\n");
  o.least_documents = 3;
  try {
    make_idf(o);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::format);
    EXPECT_NE(std::string(error.what()).find("at least 3 of the 2 documents"), std::string::npos);
  }
  EXPECT_EQ(read(o.output), "a 0\n") << "the older table stays";
  o.output = directory.path();
  EXPECT_THROW(make_idf(o), Error);
  o.output = directory / "no-such-folder/idf.txt";
  EXPECT_THROW(make_idf(o), Error);
}

// The same bytes, and those of a plain computation.
TEST_F(Idf, SameBytesWhateverThreadsAndMemory) {
  std::mt19937 random(7);
  std::string lines;
  std::map<std::string, std::uint64_t> frequency;
  constexpr std::uint64_t documents = 3000;
  for (std::uint64_t i = 0; i < documents; ++i) {
    std::string text;
    std::set<std::string> words;
    for (int j = 0; j < 60; ++j) {
      const std::string word = "v" + std::to_string(random() % (2U << (random() % 18)));
      text += word + (j % 7 == 0 ? ", " : " ");
      words.insert(word);
    }
    for (const std::string& word : words) ++frequency[word];
    lines += line_of(std::to_string(i), text);
  }
  const std::string input = directory.write("in.jsonl", lines);
  std::string expected;
  for (const auto& [word, df] : frequency) {
    expected += word + " ";
    records::append_json_number(expected, std::max(0.0, std::log(static_cast<double>(documents) / static_cast<double>(df + 1))));
    expected += "\n";
  }
  for (const auto& [threads, memory] : {std::pair(1U, std::uint64_t{0}), std::pair(3U, std::uint64_t{64} << 20)}) {
    IdfOptions o = options(input);
    o.job.threads = threads;
    o.job.memory = memory;
    make_idf(o);
    EXPECT_EQ(read(o.output), expected) << threads << " threads";
  }
}

TEST_F(Idf, ServesAsTableOfTheProfiles) {
  const std::string input =
      directory.write("in.jsonl", line_of("1", "red apple") + line_of("2", "red pear") + line_of("3", "red plum") + line_of("4", "blue"));
  make_idf(options(input));
  Profile profile = load_profile("words-tf");
  profile.weights = WeightKind::tfidf;
  profile.idf_file = directory / "idf.txt";
  const Trace steps = trace("red apple", profile);
  ASSERT_EQ(steps.features.size(), 2U);
  for (const Trace::Feature& feature : steps.features)
    EXPECT_EQ(feature.weight > 0, feature.text == "apple") << feature.text << " " << feature.weight;
  // The table of a profile that needs one can be made with that profile.
  EXPECT_NO_THROW(make_idf([&] {
    IdfOptions o = options(input, "again.txt");
    o.profile = profile;
    o.profile.idf_file.clear();
    return o;
  }()));
  EXPECT_EQ(read(directory / "again.txt"), read(directory / "idf.txt"));
}

}  // namespace
}  // namespace leitong
