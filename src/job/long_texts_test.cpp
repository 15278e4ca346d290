#include "job/long_texts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "leitong/dedup.h"
#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/stages.h"

namespace leitong {
namespace {

std::string words(std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() + 4 < bytes) {
    for (int i = 0; i < 3; ++i) text.push_back(static_cast<char>('a' + random() % 26));
    text.push_back(' ');
  }
  return text;
}

struct LongRun {
  explicit LongRun(const char* name) : directory(std::filesystem::temp_directory_path() / (std::string("leitong_long_") + name)) {
    std::filesystem::remove_all(directory);
    std::filesystem::create_directories(directory);
    options.input.paths = {(directory / "in.jsonl").string()};
    options.output_dir = (directory / "out").string();
    options.job.memory = job::Job::least_memory;
    options.job.threads = 2;
  }
  ~LongRun() { std::filesystem::remove_all(directory); }
  LongRun(const LongRun&) = delete;
  LongRun& operator=(const LongRun&) = delete;
  void write(const std::vector<std::string>& texts) const {
    std::ofstream file(directory / "in.jsonl");
    for (const std::string& text : texts) file << R"({"text":")" << text << "\"}\n";
  }
  [[nodiscard]] std::string rejected() const {
    std::ifstream file(directory / "out" / "rejected.jsonl");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::filesystem::path directory;
  DedupOptions options;
};

TEST(LongTexts, WhatTheBudgetHasNoRoomForIsRejectedAndTheRunGoesOn) {
  const LongRun run("rejected");
  const std::uint64_t limit = job::longest_document(job::Job(run.options.job, "test"));
  run.write({words(limit + 100, 1), "a short text that everybody has room for", words(100000, 2)});
  const Counts counts = dedup(run.options);
  EXPECT_EQ(counts.records, 3U);
  EXPECT_EQ(counts.rejected, 1U);
  DedupOptions planned = run.options;
  planned.output_dir.clear();
  EXPECT_NE(plan(planned).basis.back().find("were seen and are rejected"), std::string::npos);
  EXPECT_NE(run.rejected().find("the most that --memory has room for"), std::string::npos) << run.rejected();
}

TEST(LongTexts, AreWorkedOnAloneWithTheSameResult) {
  LongRun run("alone");
  const std::uint64_t limit = job::longest_document(job::Job(run.options.job, "test"));
  const std::string text = words(limit - 1000, 3);
  run.write({text, text.substr(0, text.size() - 2000), words(limit - 1000, 4)});
  const Counts counts = dedup(run.options);
  EXPECT_EQ(counts.rejected, 0U);
  EXPECT_EQ(counts.removed, 1U);
}

TEST(LongTexts, AMoreGenerousBudgetLeavesTheLimitAlone) {
  InputOptions input;
  JobOptions job;
  job.memory = 2ULL << 30;
  EXPECT_EQ(job::within_memory(input, job).max_document_bytes, input.max_document_bytes);
  job.memory = 64ULL << 20;
  EXPECT_EQ(job::within_memory(input, job).max_document_bytes, (32ULL << 20) / job::document_bytes_a_byte);
}

}  // namespace
}  // namespace leitong
