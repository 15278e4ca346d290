// What every stage needs of its caller: threads, memory, progress, a way to stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "leitong/job.h"

namespace leitong::job {

class Job {
 public:
  Job(const JobOptions& options, const char* stage);
  [[nodiscard]] unsigned threads() const { return threads_; }
  [[nodiscard]] std::uint64_t memory() const { return memory_; }
  // What is left of the budget for what grows with the collection: the program itself, its buffers and blocks take the rest.
  [[nodiscard]] std::uint64_t room() const { return memory_ - fixed_memory; }
  static constexpr std::uint64_t least_memory = 64ULL << 20, fixed_memory = 32ULL << 20;
  // Throws Error(interrupted) if the caller asked to stop.
  void check_stop() const;
  // Tells the caller how far the stage is, at most ten times a second. One thread at a time.
  void progress(std::uint64_t done, std::uint64_t total, std::uint64_t records);
  void note(const std::string& sentence) const;              // to the caller, who shows it
  void unread(const std::vector<std::string>& paths) const;  // to the caller: inputs that could not be read to their end
  void finish_progress(std::uint64_t done, std::uint64_t records);

 private:
  const JobOptions& options_;
  const char* stage_;
  unsigned threads_;
  std::uint64_t memory_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace leitong::job
