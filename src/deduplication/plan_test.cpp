// The disk space that --dry-run predicts, against what the run uses. Time is not tested, because it depends on the load of the machine.

#include "deduplication/plan.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "leitong/dedup.h"
#include "records/read_input_test.h"
#include "stages/stages.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

class PlanTest : public testing::Test {
 protected:
  [[nodiscard]] std::string operator/(const std::string& name) const { return directory_ / name; }

  // Texts of which one in four is an edited copy of another: of any earlier one, or (`near`) of one just before.
  static std::vector<std::string> texts(int count, bool near) {
    std::mt19937_64 random(11);
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) {
      if (i > 0 && random() % 4 == 0) {
        const std::size_t back = near ? 1 : 1 + random() % all.size();
        all.push_back(all[all.size() - back] + " once more");
        continue;
      }
      std::string text;
      for (std::uint64_t words = 40 + random() % 200; words > 0; --words) text += "word" + std::to_string(random() % 5000) + " ";
      all.push_back(text);
    }
    return all;
  }

  [[nodiscard]] DedupOptions options(const std::string& input) const {
    DedupOptions options;
    options.input.paths = {*this / input};
    options.output_dir = *this / "out";
    options.job.threads = 1;
    options.overwrite = true;
    return options;
  }

  [[nodiscard]] double disk_of_run(const DedupOptions& options) const {
    dedup(options);
    double bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(options.output_dir))
      if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
    return bytes;
  }

  void expect_near(const Plan& plan, double real, double tolerance) const {
    EXPECT_NEAR(static_cast<double>(plan.disk_bytes) / real, 1, tolerance) << plan.disk_bytes << " planned, " << real << " taken";
    EXPECT_FALSE(plan.basis.empty());
    EXPECT_GT(plan.seconds, 0);
  }

  void write_lines(const std::string& name, const std::vector<std::string>& all) const {
    std::ofstream file(*this / name);
    for (std::size_t i = 0; i < all.size(); ++i) file << R"({"id":)" << i << R"(,"text":")" << all[i] << "\"}\n";
  }

 private:
  TemporaryDirectory directory_;
};

TEST_F(PlanTest, ASmallInputIsRunWhole) {
  write_lines("in.jsonl", texts(300, false));
  const Plan planned = plan(options("in.jsonl"));
  EXPECT_TRUE(planned.exact);
  EXPECT_EQ(planned.records, 300U);
  EXPECT_FALSE(fs::exists(*this / "out")) << "a plan leaves nothing";
  expect_near(planned, disk_of_run(options("in.jsonl")), 0.02);
}

TEST_F(PlanTest, OfLinesASampleTellsTheDisk) {
  for (const bool near : {false, true}) {
    write_lines("in.jsonl", texts(4000, near));
    const Plan planned = deduplication::plan_by_sample(options("in.jsonl"), 1 << 20);
    EXPECT_FALSE(planned.exact);
    EXPECT_LT(planned.sampled_records, 2000U);
    EXPECT_NEAR(static_cast<double>(planned.records), 4000, 400);
    expect_near(planned, disk_of_run(options("in.jsonl")), 0.2);
    DedupOptions annotate = options("in.jsonl");
    annotate.annotate = true;
    expect_near(deduplication::plan_by_sample(annotate, 1 << 20), disk_of_run(annotate), 0.2);
  }
}

TEST_F(PlanTest, OfADirectoryASampleTellsTheDisk) {
  fs::create_directories(*this / "in");
  const auto all = texts(2000, false);
  for (std::size_t i = 0; i < all.size(); ++i)
    std::ofstream(*this / ("in/" + std::to_string(i) + (i % 10 == 0 ? ".log" : ".txt"))) << all[i];
  DedupOptions some = options("in");
  some.input.include = {"*.txt"};
  const Plan planned = deduplication::plan_by_sample(some, 512 << 10);
  EXPECT_NEAR(static_cast<double>(planned.records), 1800, 180);
  expect_near(planned, disk_of_run(some), 0.2);
}

TEST_F(PlanTest, OfAPipeItSaysWhatItSees) {
  std::signal(SIGPIPE, SIG_IGN);
  ASSERT_EQ(mkfifo((*this / "pipe").c_str(), 0600), 0);
  const auto all = texts(2000, false);
  for (const bool whole : {true, false}) {
    std::thread writer([&] {
      std::ofstream pipe(*this / "pipe");
      for (const std::string& text : all) pipe << R"({"text":")" << text << "\"}\n";
    });
    const Plan planned = deduplication::plan_by_sample(options("pipe"), whole ? 8 << 20 : 1 << 20);
    writer.join();
    EXPECT_EQ(planned.exact, whole);
    EXPECT_EQ(planned.open_ended, !whole);
    EXPECT_GT(planned.spool_bytes, 0U);
    if (whole)
      EXPECT_EQ(planned.records, 2000U);
    else
      EXPECT_LT(planned.records, 2000U);
  }
}

}  // namespace
}  // namespace leitong
