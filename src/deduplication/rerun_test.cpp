// How runs in the same directory affect each other, and what they report about their inputs.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "leitong/dedup.h"
#include "leitong/error.h"
#include "leitong/stages.h"
#include "outputs/output_lock.h"
#include "records/made_files.h"
#include "records/read_input_test.h"
#include "sketches/sketch_file.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

class Rerun : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) const { directory_.write(name, bytes); }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::string at(const std::string& name) const { return directory_ / name; }
  DedupOptions options(const std::string& input, const std::string& output) {
    DedupOptions all;
    all.input.paths = {at(input)};
    all.profile = load_profile(profile_names().front());
    all.job.threads = 2;
    all.job.note = [this](const std::string& sentence) { notes_.push_back(sentence); };
    all.output_dir = at(output);
    return all;
  }

  TemporaryDirectory directory_;
  std::vector<std::string> notes_;
};

// Every file that a run writes must be in the list; otherwise the next run would read it as input.
TEST_F(Rerun, NothingThatARunWritesIsRead) {
  write("in/a.jsonl", "{\"text\":\"one and the same\"}\n{\"text\":\"one and the same\"}\n{broken\n");
  DedupOptions first = options("in", "in/out");
  dedup(first);
  first.annotate = true, first.overwrite = true;
  dedup(first);
  const records::MadeFiles made(at("in/out"));
  for (const auto& entry : fs::recursive_directory_iterator(at("in/out"))) {
    const std::string name = entry.path().lexically_relative(at("in/out")).string();
    EXPECT_TRUE(entry.is_directory() || name == records::results_marker || made.is_made(name)) << name;
  }
  write("in/out/mine.jsonl", "{\"text\":\"what somebody put there is read\"}\n");
  notes_.clear();
  EXPECT_EQ(dedup(options("in", "out")).records, 4U);
  EXPECT_EQ(notes_, (std::vector<std::string>{at("in/out") + ": holds results of Leitong; they were not read as input"}));
  EXPECT_NE(read("out/summary.json").find("holds results of Leitong"), std::string::npos);
}

TEST_F(Rerun, OneRunAtATimeWritesToADirectory) {
  write("in/a.jsonl", "{\"text\":\"some words\"}\n");
  {
    const outputs::OutputLock lock(at("out"));
    try {
      dedup(options("in", "out"));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_NE(std::string(error.what()).find(at("out") + ": another run"), std::string::npos);
    }
    EXPECT_FALSE(fs::exists(at("out/stages")));
  }
  EXPECT_EQ(dedup(options("in", "out")).kept, 1U);
}

TEST_F(Rerun, AMissingInputLeavesNothingBehind) {
  EXPECT_THROW(dedup(options("nothing", "out")), Error);
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(Rerun, RejectedRecordsCountForTheirSource) {
  write("in/a.jsonl", "{\"text\":\"some words\"}\n");
  write("in/b.jsonl", "{broken\n{\"id\":1}\n{\"text\":\"other words\"}\n");
  dedup(options("in", "out"));
  const sketches::SketchSet set({at("out/stages/sketch.ltt")});
  EXPECT_EQ(set.files().front().metadata.rejected_of, (std::vector<std::uint64_t>{0, 2}));
  const std::string page = read("out/report.html");
  EXPECT_NE(page.find("Rejected</th>"), std::string::npos);
  const std::size_t row = page.find("in/b.jsonl</th><td class=\"n\">3</td>");
  ASSERT_NE(row, std::string::npos);
  EXPECT_NE(page.substr(row, 400).find("<td class=\"n\">2</td></tr>"), std::string::npos);
}

TEST_F(Rerun, RulesThatFitNoRecordAreNamed) {
  write("in/a.jsonl", "{\"text\":\"some words\",\"date\":\"2024-01-02\",\"meta\":{\"rank\":3}}\n");
  DedupOptions all = options("in", "out");
  all.keep = "date:oldest,meta.rank:max,source:a>b,meta.rang:max,date:oldst,first";
  dedup(all);
  ASSERT_EQ(notes_.size(), 2U);
  EXPECT_NE(notes_[0].find("no record has a field \"meta.rang\""), std::string::npos);
  EXPECT_NE(notes_[1].find("no record's \"date\" has a value"), std::string::npos);
}

TEST_F(Rerun, ARelativePathSaysWhatItCountsFrom) {
  write("in/a.jsonl", "{\"text\":\"some words\"}\n{\"text\":\"some words\"}\n");
  const fs::path before = fs::current_path();
  fs::current_path(directory_.path());
  DedupOptions all = options("in", "out");
  all.input.paths = {"in/a.jsonl"};
  dedup(all);
  fs::current_path(at("in"));
  std::string message;
  try {
    stage::apply({at("out/stages/clusters.ltt"), at("again"), false, "leitong", 1000, {}, {}, {}});
  } catch (const Error& error) {
    message = error.what();
  }
  std::vector<std::string> restored;
  restore("../out", std::nullopt, [&](std::string_view record) { restored.emplace_back(record); });
  fs::current_path(before);
  EXPECT_NE(message.find("in/a.jsonl: it is not there; the path counts from the directory in which"), std::string::npos) << message;
  EXPECT_EQ(restored, (std::vector<std::string>{"{\"text\":\"some words\"}"}));
}

}  // namespace
}  // namespace leitong
