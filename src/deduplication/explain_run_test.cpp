// explain_run on small runs: compared with their stage files and outputs read whole; names, changed inputs and keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "leitong/dedup.h"
#include "leitong/error.h"
#include "leitong/explain.h"
#include "records/read_input_test.h"
#include "stages/pair_reader.h"
#include "support/read_json.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, stages::PairRow>;

Pairs pairs_of(const std::string& run, const std::string& kind) {
  const auto table = stages::open_stage_file(run + "/stages/" + kind + ".ltt", kind);
  Pairs all;
  stages::for_each_pair(table, ~0U, [] {}, [&](const stages::PairRow& pair) { all[{pair.a, pair.b}] = pair; });
  return all;
}

std::string sentence(std::mt19937_64& random, std::size_t words) {
  std::string text;
  while (words-- > 0) text += "w" + std::to_string(random() % 3000) + (words % 9 == 0 ? "。 " : " ");
  return text;
}

// The text with one word in `every` replaced.
std::string edited(const std::string& text, std::mt19937_64& random, std::uint64_t every) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size() - 1) + 1;
    out += random() % every == 0 ? "changed" + std::to_string(random() % 99) + " " : text.substr(at, end - at);
    at = end;
  }
  return out;
}

// Families, each of a text, copies that are equal after normalisation, and edited copies, mixed; ids d0, d1, ...
std::vector<std::string> collection(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> texts;
  for (int family = 0; family < 12; ++family) {
    const std::string origin = sentence(random, family % 3 == 0 ? 12 : 80);
    std::vector<std::string> kin = {origin, edited(origin, random, 15), edited(origin, random, 25)};
    for (int copy = 0; copy < 4; ++copy) {
      std::string text = kin[random() % kin.size()];
      if (copy % 2 == 0)
        for (char& c : text) c = c == 'w' ? 'W' : c;
      kin.push_back(text);
    }
    texts.insert(texts.end(), kin.begin(), kin.end());
  }
  std::shuffle(texts.begin(), texts.end(), random);
  return texts;
}

class ExplainRun : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::vector<std::string>& lines) {
    std::ofstream file(directory_ / name);
    for (const std::string& line : lines) file << line << "\n";
  }
  static std::vector<std::string> as_records(const std::vector<std::string>& texts) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < texts.size(); ++i) lines.push_back("{\"id\":\"d" + std::to_string(i) + "\",\"text\":\"" + texts[i] + "\"}");
    return lines;
  }
  void run(const std::vector<std::string>& inputs, const Profile& profile = {}) {
    DedupOptions options;
    for (const std::string& input : inputs) options.input.paths.push_back(directory_ / input);
    options.output_dir = run_dir();
    options.profile = profile;
    options.job.threads = 1;
    options.overwrite = true;
    (void)dedup(options);
  }
  [[nodiscard]] RunExplanation ask(const std::string& a, const std::string& b, const std::string& key = "") const {
    RunQuestion question;
    question.directory = run_dir(), question.a = a, question.b = b, question.key = key;
    return explain_run(question);
  }
  [[nodiscard]] std::string refusal(const std::string& a, const std::string& b) const {
    try {
      (void)ask(a, b);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  [[nodiscard]] std::string run_dir() const { return directory_ / "out"; }
  [[nodiscard]] std::string path(const std::string& name) const { return directory_ / name; }

 private:
  TemporaryDirectory directory_;
};

TEST_F(ExplainRun, SaysWhatTheStageFilesHold) {
  const std::vector<std::string> texts = collection(1);
  write("in.jsonl", as_records(texts));
  run({"in.jsonl"});
  const Pairs pairs = pairs_of(run_dir(), "pairs"), edges = pairs_of(run_dir(), "edges");
  const auto first = [&](std::uint32_t row) {
    for (const auto& [ends, pair] : pairs)
      if (pair.kind == stages::PairKind::equal && pair.b == row) return pair.a;
    return row;
  };
  std::mt19937_64 random(5);
  std::size_t chains = 0, refused = 0;
  for (int round = 0; round < 150; ++round) {
    const auto a = static_cast<std::uint32_t>(random() % texts.size()), b = static_cast<std::uint32_t>(random() % texts.size());
    if (a == b) continue;
    const RunExplanation said = ask("d" + std::to_string(a), "d" + std::to_string(b));
    EXPECT_EQ(said.a.self.record, a);
    EXPECT_EQ(said.a.self.line, a + 1);
    EXPECT_EQ(said.a.first.record, first(a));
    EXPECT_EQ(said.a.text, texts[a]);
    EXPECT_EQ(said.b.text, texts[b]);
    const auto ends = std::minmax({first(a), first(b)});
    const auto accepted = edges.find({ends.first, ends.second});
    const bool equal = ends.first == ends.second;
    EXPECT_EQ(said.nominated.has_value(), equal || pairs.contains({ends.first, ends.second}));
    ASSERT_EQ(said.accepted.has_value(), equal || accepted != edges.end());
    if (said.accepted && !equal) {
      EXPECT_FLOAT_EQ(static_cast<float>(*said.accepted), accepted->second.value);
      EXPECT_NEAR(*said.accepted, said.comparison->jaccard, 1e-6) << "the similarity is that of the texts";
    }
    refused += said.nominated && !said.accepted ? 1 : 0;
    std::uint64_t at = a;
    for (const RunEdge& edge : said.chain) {
      EXPECT_EQ(edge.from.record, at);
      at = edge.to.record;
      const auto ends_of_edge = std::minmax(edge.from.record, edge.to.record);
      ASSERT_TRUE(edges.contains({static_cast<std::uint32_t>(ends_of_edge.first), static_cast<std::uint32_t>(ends_of_edge.second)}));
    }
    EXPECT_EQ(said.chain.empty(), !said.a.cluster || said.a.cluster != said.b.cluster);
    if (!said.chain.empty()) {
      EXPECT_EQ(at, b);
      ++chains;
    }
    ASSERT_TRUE(said.explanation) << said.no_features;
    EXPECT_EQ(said.explanation->bits.size(), distance(*said.a.fingerprint, *said.b.fingerprint));
  }
  EXPECT_GT(chains, 2U);
}

TEST_F(ExplainRun, SaysWhatTheOutputsSay) {
  const std::vector<std::string> texts = collection(2);
  write("in.jsonl", as_records(texts));
  run({"in.jsonl"});
  std::ifstream removed(run_dir() + "/removed.jsonl");
  int count = 0;
  for (std::string line; std::getline(removed, line) && count < 30; ++count) {
    const JsonLine row(line);
    const RunExplanation said = ask(row.text("id"), row.text("kept"));
    EXPECT_FALSE(said.a.is_kept);
    EXPECT_TRUE(said.b.is_kept);
    EXPECT_EQ(said.a.cluster, static_cast<std::uint32_t>(row.number("cluster")));
    EXPECT_EQ(said.a.kept.record, row.number("kept_record"));
    EXPECT_EQ(said.a.kept.record, said.b.self.record);
    EXPECT_EQ(said.a.distance, static_cast<unsigned>(row.number("distance")));
    EXPECT_NEAR(said.a.similarity, row.at<double>("similarity"), 5e-5);
    EXPECT_EQ(said.a.equal, row.text("reason") == "equal");
    EXPECT_TRUE(said.accepted) << "what was removed was verified against what is kept";
    // Directly, or through the first of the equal texts, which stands for the others.
    const std::size_t stand_ins = (said.a.first.record != said.a.self.record ? 1 : 0) + (said.b.first.record != said.b.self.record ? 1 : 0);
    EXPECT_EQ(said.chain.size(), said.a.equal ? std::max<std::size_t>(stand_ins, 1) : stand_ins + 1) << line;
    EXPECT_EQ(said.a.cluster_size, said.b.cluster_size);
  }
  EXPECT_EQ(count, 30);
}

TEST_F(ExplainRun, NamesOfRecords) {
  write("a.jsonl", {R"({"id":"x","text":"one and two and three"})", R"({"id":"x","text":"four and five and six"})", "broken",
                    R"({"id":4,"text":"seven and eight and nine"})"});
  write("b.jsonl", {R"({"id":"q\"\u00e9","text":"ten"})", R"({"text":"eleven"})", R"({"id":"1","text":"twelve"})"});
  run({"a.jsonl", "b.jsonl"});
  EXPECT_EQ(ask(":0", ":1").b.self.id, "\"x\"");
  EXPECT_EQ(ask("4", "q\"é").a.self.record, 3U) << "an id before a number";
  EXPECT_EQ(ask("4", "q\"é").b.self.record, 4U);
  EXPECT_EQ(ask("1", "5").a.self.record, 6U) << "an id before a number";
  EXPECT_EQ(ask("1", "5").b.self.record, 5U) << "no id of that name: a number";
  EXPECT_EQ(ask("\"1\"", "4").a.self.record, 6U);
  EXPECT_EQ(ask(path("a.jsonl") + ":1", path("b.jsonl") + ":5").a.self.line, 2U);
  EXPECT_NE(refusal("x", "4").find(path("a.jsonl") + ":0, " + path("a.jsonl") + ":1"), std::string::npos) << refusal("x", "4");
  EXPECT_NE(refusal("4", "nobody").find("\"nobody\""), std::string::npos);
  EXPECT_NE(refusal("4", ":2").find("rejected.jsonl"), std::string::npos);
  EXPECT_NE(refusal("4", ":99").find("no record"), std::string::npos);
  EXPECT_NE(refusal("4", path("a.jsonl") + ":5").find("is of " + path("b.jsonl")), std::string::npos);
  EXPECT_NE(refusal("4", ":3").find("same record"), std::string::npos);
}

TEST_F(ExplainRun, AChainThroughEqualTexts) {
  std::mt19937_64 random(11);
  const std::string one = sentence(random, 80), other = edited(one, random, 20);
  std::string loud = one, loud_other = other;
  for (std::string* text : {&loud, &loud_other})
    for (char& c : *text) c = c == 'w' ? 'W' : c;
  write("in.jsonl", as_records({one, other, loud, loud_other}));
  run({"in.jsonl"});
  const RunExplanation said = ask("d2", "d3");
  ASSERT_EQ(said.chain.size(), 3U);
  EXPECT_EQ(said.chain[0].route, "equal");
  EXPECT_EQ(said.chain[1].from.id, "\"d0\"");
  EXPECT_EQ(said.chain[1].to.id, "\"d1\"");
  EXPECT_LT(said.chain[1].similarity, 1);
  EXPECT_EQ(said.chain[2].to.id, "\"d3\"");
  EXPECT_EQ(said.a.first.id, "\"d0\"");
  EXPECT_EQ(said.b.first.id, "\"d1\"");
  const RunExplanation equal = ask("d0", "d2");
  EXPECT_EQ(equal.nominated, "equal");
  EXPECT_EQ(equal.accepted, 1);
  EXPECT_EQ(equal.chain.size(), 1U);
  EXPECT_TRUE(equal.explanation->moved.empty());
}

TEST_F(ExplainRun, ChangedAndVanishedInputs) {
  const std::vector<std::string> records = as_records(collection(3));
  write("in.jsonl", records);
  run({"in.jsonl"});
  const RunExplanation before = ask("d0", "d1");
  write("in.jsonl", {records.begin(), records.end() - 1});
  const RunExplanation changed = ask("d0", "d1");
  EXPECT_NE(changed.no_texts.find("in.jsonl"), std::string::npos) << changed.no_texts;
  EXPECT_NE(changed.no_texts.find("changed"), std::string::npos) << changed.no_texts;
  EXPECT_FALSE(changed.comparison);
  EXPECT_EQ(changed.a.fingerprint, before.a.fingerprint);
  EXPECT_EQ(changed.a.cluster, before.a.cluster);
  fs::remove(path("in.jsonl"));
  EXPECT_NE(ask("d0", "d1").no_texts.find("not there"), std::string::npos);
  fs::remove(run_dir() + "/stages/edges.ltt");
  EXPECT_NE(refusal("d0", "d1").find("edges.ltt"), std::string::npos);
}

TEST_F(ExplainRun, StageFilesOfTwoRunsAreRefused) {
  write("in.jsonl", as_records(collection(3)));
  run({"in.jsonl"});
  fs::copy(run_dir() + "/stages/pairs.ltt", path("pairs.ltt"));
  write("in.jsonl", as_records(collection(4)));
  run({"in.jsonl"});
  fs::copy(path("pairs.ltt"), run_dir() + "/stages/pairs.ltt", fs::copy_options::overwrite_existing);
  EXPECT_NE(refusal("d0", "d1").find("different runs"), std::string::npos);
}

TEST_F(ExplainRun, AKeyedRunNeedsItsKey) {
  Profile keyed;
  keyed.key = "0123456789abcdef0123456789abcdef";
  write("in.jsonl", as_records(collection(6)));
  run({"in.jsonl"}, keyed);
  const RunExplanation without = ask("d0", "d1"), with = ask("d0", "d1", keyed.key), wrong = ask("d0", "d1", "ff");
  EXPECT_NE(without.no_features.find("key"), std::string::npos);
  EXPECT_FALSE(without.explanation);
  EXPECT_EQ(without.comparison->distance, distance(*without.a.fingerprint, *without.b.fingerprint));
  EXPECT_TRUE(with.explanation) << with.no_features;
  EXPECT_NE(wrong.no_features.find("not the run's"), std::string::npos);
}

}  // namespace
}  // namespace leitong
