// Runs on records in memory: the same results as of the same records in files, and nothing of them on the disk.

#include "leitong/run_results.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "leitong/columns.h"
#include "leitong/dedup.h"
#include "leitong/error.h"
#include "support/temporary_directory.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

// Copies with edits among others.
std::vector<std::string> texts() {
  std::mt19937_64 random(7);
  std::vector<std::string> all;
  for (int i = 0; i < 300; ++i) {
    std::string text;
    if (i > 0 && random() % 3 == 0)
      text = all[random() % all.size()] + " and one more word " + std::to_string(random() % 3);
    else
      for (int word = 0; word < 60; ++word) text += "w" + std::to_string(random() % 3000) + " ";
    all.push_back(text);
  }
  all[17] = "bad \xFF bytes";
  all[40] = all[3];
  return all;
}

std::vector<std::string> ids(std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back("d" + std::to_string(i));
  return all;
}

class RunResultsTest : public testing::Test {
 protected:
  DedupOptions in_memory(const std::string& output) const {
    DedupOptions options;
    options.input.in_memory["<records>"] = table_of({{"id", {ids_.begin(), ids_.end()}}, {"text", {texts_.begin(), texts_.end()}}});
    options.input.paths = {"<records>"};
    options.output_dir = directory_ / output;
    return options;
  }
  DedupOptions of_file(const std::string& output) const {
    const std::string path = directory_ / "in.jsonl";
    std::ofstream file(path);
    for (std::size_t i = 0; i < texts_.size(); ++i) file << "{\"id\":\"" << ids_[i] << "\",\"text\":\"" << texts_[i] << "\"}\n";
    DedupOptions options;
    options.input.paths = {path};
    options.output_dir = directory_ / output;
    return options;
  }

  TemporaryDirectory directory_;
  std::vector<std::string> texts_ = texts(), ids_ = ids(texts_.size());
};

TEST_F(RunResultsTest, AreThoseOfTheSameRecordsInAFile) {
  DedupOptions memory = in_memory("m"), file = of_file("f");
  memory.outputs = Outputs::none;
  const Counts counts = dedup(memory);
  dedup(file);
  const RunResults a = run_results(memory.output_dir), b = run_results(file.output_dir);
  EXPECT_GT(counts.removed, 30U);
  EXPECT_EQ(counts.removed, b.counts.removed);
  EXPECT_EQ(a.fates, b.fates);
  ASSERT_EQ(a.fates.size(), texts_.size());
  EXPECT_EQ(a.fates[17], RunResults::Fate::rejected);
  ASSERT_EQ(a.members.size(), b.members.size());
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    EXPECT_EQ(a.members[i].record, b.members[i].record);
    EXPECT_EQ(a.members[i].kept_record, b.members[i].kept_record);
    EXPECT_EQ(a.members[i].similarity, b.members[i].similarity);
    EXPECT_EQ(a.members[i].distance, b.members[i].distance);
  }
  ASSERT_EQ(a.edges.size(), b.edges.size());
  for (std::size_t i = 0; i < a.edges.size(); ++i) {
    EXPECT_EQ(a.edges[i].a, b.edges[i].a);
    EXPECT_EQ(a.edges[i].b, b.edges[i].b);
  }
}

TEST_F(RunResultsTest, AreWhatTheOutputsSay) {
  DedupOptions file = of_file("f");
  dedup(file);
  const RunResults results = run_results(file.output_dir);
  std::set<std::string> kept;
  std::ifstream lines(file.output_dir + "/kept.jsonl");
  for (std::string line; std::getline(lines, line);) kept.insert(line.substr(7, line.find('"', 7) - 7));
  for (std::size_t i = 0; i < texts_.size(); ++i) EXPECT_EQ(results.fates[i] == RunResults::Fate::kept, kept.contains(ids_[i])) << i;
  std::size_t equal = 0;
  for (const RunResults::Member& member : results.members) {
    EXPECT_EQ(results.fates[member.record] == RunResults::Fate::kept, member.record == member.kept_record);
    EXPECT_EQ(member.equal, texts_[member.record] == texts_[member.kept_record]) << member.record;
    equal += member.equal && member.record != member.kept_record ? 1 : 0;
  }
  EXPECT_GT(equal, 0U);
  bool zero = false;
  for (const RunResults::Edge& edge : results.edges) zero = zero || (edge.a == 3 && edge.b == 40 && edge.equal && edge.distance == 0);
  EXPECT_TRUE(zero);
}

TEST_F(RunResultsTest, RecordsInMemoryAreNotWritten) {
  DedupOptions options = in_memory("m");
  options.outputs = Outputs::no_records;
  dedup(options);
  EXPECT_FALSE(fs::exists(options.output_dir + "/kept.jsonl"));
  for (const char* name : {"report.html", "summary.json", "removed.jsonl", "clusters.jsonl", "rejected.jsonl"})
    EXPECT_TRUE(fs::exists(options.output_dir + "/" + name)) << name;
  DedupOptions all = in_memory("all");
  dedup(all);
  std::ifstream kept(all.output_dir + "/kept.jsonl");
  std::string line;
  std::getline(kept, line);
  EXPECT_TRUE(line.starts_with("{\"id\":\"d")) << line;
}

TEST_F(RunResultsTest, TheReportCanBeMadeLater) {
  DedupOptions options = in_memory("m");
  options.outputs = Outputs::none;
  dedup(options);
  EXPECT_FALSE(fs::exists(options.output_dir + "/report.html"));
  ApplyOptions apply;
  apply.clusters = options.output_dir + "/stages/clusters.ltt", apply.output_dir = directory_ / "report";
  apply.outputs = Outputs::no_records, apply.in_memory = options.input.in_memory;
  stage::apply(apply);
  EXPECT_TRUE(fs::exists(apply.output_dir + "/report.html"));
  EXPECT_FALSE(fs::exists(apply.output_dir + "/kept.jsonl"));
}

TEST_F(RunResultsTest, AnOldCollectionInMemoryKeepsItsOwnNumbers) {
  DedupOptions options = in_memory("m");
  options.outputs = Outputs::none;
  options.input.in_memory["<old>"] = table_of({{"id", {"x", "y"}}, {"text", {"something else", texts_[5]}}});
  options.against = {"<old>"};
  dedup(options);
  const RunResults results = run_results(options.output_dir);
  bool found = false;
  for (const RunResults::Member& member : results.members)
    found = found || (member.record == 5 && member.kept_is_old && member.kept_record == 1);
  EXPECT_TRUE(found);
  EXPECT_EQ(results.fates[5], RunResults::Fate::removed);
}

TEST_F(RunResultsTest, ARunOnRecordsInMemoryIsNotResumed) {
  DedupOptions options = in_memory("m");
  options.resume = true;
  EXPECT_THROW(dedup(options), Error);
}

}  // namespace
}  // namespace leitong
