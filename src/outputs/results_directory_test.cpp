// What a run must never change: its inputs, files of others, and old results until the new ones are complete.

#include "outputs/results_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "leitong/dedup.h"
#include "leitong/error.h"
#include "leitong/overlap.h"
#include "leitong/stages.h"
#include "records/read_input_test.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

constexpr const char* records_twice = "{\"id\":1,\"text\":\"one and the same text\"}\n{\"id\":2,\"text\":\"one and the same text\"}\n";

class ResultsDirectory : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) const { directory_.write(name, bytes); }
  [[nodiscard]] std::string at(const std::string& name) const { return directory_ / name; }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] DedupOptions options(const std::string& input, const std::string& output) const {
    DedupOptions all;
    all.input.paths = {at(input)};
    all.profile = load_profile(profile_names().front());
    all.job.threads = 1;
    all.output_dir = at(output);
    return all;
  }
  template <typename Run>
  static std::string refusal(const Run& run) {
    try {
      run();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "not refused";
    return {};
  }

  TemporaryDirectory directory_;
};

// With --resume and --overwrite too: what is in the directory stays as it is.
TEST_F(ResultsDirectory, HoldsTheResultsOfOneCommand) {
  write("a.jsonl", records_twice);
  OverlapOptions passages;
  passages.a.paths = passages.b.paths = {at("a.jsonl")};
  passages.job.threads = 1;
  passages.output_dir = at("passages");
  overlap(passages);
  const std::string summary = read("passages/summary.json");
  for (const auto& [resume, overwrite] : {std::pair(false, false), std::pair(true, false), std::pair(false, true)}) {
    DedupOptions all = options("a.jsonl", "passages");
    all.resume = resume, all.overwrite = overwrite;
    EXPECT_NE(refusal([&] { dedup(all); }).find("of leitong overlap"), std::string::npos);
  }
  EXPECT_EQ(read("passages/summary.json"), summary);
  EXPECT_FALSE(fs::exists(at("passages/kept.jsonl")));
  dedup(options("a.jsonl", "deduplicated"));
  passages.output_dir = at("deduplicated");
  passages.overwrite = true;
  EXPECT_NE(refusal([&] { overlap(passages); }).find("of leitong dedup"), std::string::npos);
}

TEST_F(ResultsDirectory, AnInputIsNeverWritten) {
  write("d/kept.jsonl", records_twice);
  EXPECT_NE(refusal([&] { dedup(options("d/kept.jsonl", "d")); }).find("d/kept.jsonl"), std::string::npos);
  EXPECT_NE(refusal([&] { dedup(options("d", "d")); }).find("is an input"), std::string::npos);
  EXPECT_EQ(read("d/kept.jsonl"), records_twice);
  EXPECT_FALSE(fs::exists(at("d/.leitong-results")));  // otherwise the directory would count as one of results
}

TEST_F(ResultsDirectory, NorThroughALink) {
  write("x.jsonl", records_twice);
  dedup(options("x.jsonl", "out"));
  fs::remove(at("out/removed.jsonl"));
  fs::create_hard_link(at("x.jsonl"), at("out/removed.jsonl"));
  DedupOptions again = options("x.jsonl", "out");
  again.overwrite = true;
  EXPECT_NE(refusal([&] { dedup(again); }).find("the same file"), std::string::npos);
  fs::remove(at("out/removed.jsonl"));
  fs::create_symlink(at("x.jsonl"), at("out/removed.jsonl"));
  EXPECT_NE(refusal([&] { dedup(again); }).find("the same file"), std::string::npos);
  fs::remove(at("out/removed.jsonl"));
  fs::create_symlink(at("out"), at("another"));
  again.input.paths = {at("another/kept.jsonl")};
  EXPECT_NE(refusal([&] { dedup(again); }).find("another/kept.jsonl, the same file"), std::string::npos);
  EXPECT_EQ(read("x.jsonl"), records_twice);
}

TEST_F(ResultsDirectory, WhatOthersMadeIsNeverReplaced) {
  write("x.jsonl", records_twice);
  for (const char* name : {"kept.jsonl", "rejected.jsonl", "summary.json", "stages/sketch.ltt", "stages", "unfinished/mine"}) {
    const std::string out = std::string("out-") + fs::path(name).filename().string();
    write(out + "/" + name, "mine");
    for (const bool overwrite : {false, true}) {
      DedupOptions run = options("x.jsonl", out);
      run.overwrite = overwrite;
      EXPECT_NE(refusal([&] { dedup(run); }).find("move it away"), std::string::npos);
    }
    EXPECT_EQ(read(out + "/" + name), "mine");
  }
  write("over/matches.jsonl", "mine");
  OverlapOptions overlap_options;
  overlap_options.a.paths = overlap_options.b.paths = {at("x.jsonl")};
  overlap_options.output_dir = at("over");
  EXPECT_NE(refusal([&] { overlap(overlap_options); }).find("matches.jsonl"), std::string::npos);
  EXPECT_EQ(read("over/matches.jsonl"), "mine");
}

TEST_F(ResultsDirectory, WhatSomebodyChangedIsTheirs) {
  write("x.jsonl", records_twice);
  dedup(options("x.jsonl", "out"));
  DedupOptions again = options("x.jsonl", "out");
  again.overwrite = true;
  dedup(again);
  std::ofstream(at("out/kept.jsonl"), std::ios::app) << "{\"text\":\"added by hand\"}\n";
  const std::string changed = read("out/kept.jsonl");
  EXPECT_NE(refusal([&] { dedup(again); }).find("out/kept.jsonl"), std::string::npos);
  EXPECT_EQ(read("out/kept.jsonl"), changed);
}

TEST_F(ResultsDirectory, ACopyOfADirectoryIsKnown) {
  write("x.jsonl", records_twice);
  dedup(options("x.jsonl", "out"));
  fs::copy(at("out"), at("copy"), fs::copy_options::recursive);
  DedupOptions again = options("x.jsonl", "copy");
  again.overwrite = true;
  EXPECT_EQ(dedup(again).kept, 1U);
}

TEST_F(ResultsDirectory, AFailedRunLeavesTheOldResults) {
  write("x.jsonl", records_twice);
  write("y.jsonl", "{\"id\":3,\"text\":\"a text\",\"leitong\":1}\n{\"id\":4,\"text\":\"a text\"}\n");
  dedup(options("x.jsonl", "out"));
  const std::string kept = read("out/kept.jsonl"), summary = read("out/summary.json");
  DedupOptions other = options("y.jsonl", "out");
  other.overwrite = other.annotate = true;  // the last stage will fail, because a record already has the field
  EXPECT_THROW(dedup(other), Error);
  EXPECT_EQ(read("out/kept.jsonl"), kept);
  EXPECT_EQ(read("out/summary.json"), summary);
  std::vector<std::string> restored;
  restore(at("out"), std::nullopt, [&](std::string_view record) { restored.emplace_back(record); });
  EXPECT_EQ(restored.size(), 1U);
  other.annotate_key = "mark", other.resume = true;
  EXPECT_EQ(dedup(other).kept, 1U);
  EXPECT_FALSE(fs::exists(at("out/kept.jsonl")));
  EXPECT_FALSE(fs::exists(at("out/unfinished")));
  EXPECT_NE(read("out/annotated.jsonl").find("\"mark\""), std::string::npos);
}

TEST_F(ResultsDirectory, ARunThatWasKilledWhileItMovedIsEnded) {
  write("x.jsonl", records_twice);
  dedup(options("x.jsonl", "out"));
  fs::create_directories(at("out/unfinished"));
  write("out/unfinished/.leitong-results", "");
  fs::rename(at("out/kept.jsonl"), at("out/unfinished/kept.jsonl"));
  records::MadeFiles(at("out")).begin_moving();
  outputs::OutputRule rule;
  const outputs::ResultsDirectory results(at("out"), rule, {});
  EXPECT_FALSE(fs::exists(at("out/unfinished")));
  EXPECT_FALSE(read("out/kept.jsonl").empty());
}

TEST_F(ResultsDirectory, SingleFiles) {
  write("x.jsonl", records_twice);
  SketchOptions sketch;
  sketch.input.paths = {at("x.jsonl")};
  sketch.profile = load_profile(profile_names().front());
  sketch.output = at("x.jsonl");
  EXPECT_NE(refusal([&] { stage::sketch(sketch); }).find("x.jsonl"), std::string::npos);
  write("foreign", "mine");
  sketch.output = at("foreign");
  EXPECT_NE(refusal([&] { stage::sketch(sketch); }).find("no stage file"), std::string::npos);
  sketch.output = at("x.sketch"), sketch.rejected = at("foreign");
  EXPECT_NE(refusal([&] { stage::sketch(sketch); }).find("foreign"), std::string::npos);
  fs::create_symlink(at("x.jsonl"), at("y.sketch.tmp"));  // the temporary name of the sketch file
  sketch.rejected.clear(), sketch.output = at("y.sketch");
  EXPECT_NE(refusal([&] { stage::sketch(sketch); }).find("the same file"), std::string::npos);
  sketch.output = at("x.sketch"), sketch.rejected = at("rejected");
  stage::sketch(sketch);
  stage::sketch(sketch);  // replaces its own files
  EXPECT_EQ(read("x.jsonl"), records_twice);
  EXPECT_EQ(read("foreign"), "mine");
}

}  // namespace
}  // namespace leitong
