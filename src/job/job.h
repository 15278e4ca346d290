// What every stage gets from its caller: threads, memory, progress reports, and a way to stop.
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
  // The part of the budget for data that grows with the collection; the program, its buffers and blocks need the rest.
  [[nodiscard]] std::uint64_t room() const { return memory_ - fixed_memory; }
  static constexpr std::uint64_t least_memory = 64ULL << 20, fixed_memory = 32ULL << 20;
  // Throws Error(interrupted) if the caller asked to stop.
  void check_stop() const;
  // Reports the stage's progress to the caller, at most ten times a second. Only one thread at a time may call it.
  void progress(std::uint64_t done, std::uint64_t total, std::uint64_t records);
  void note(const std::string& sentence) const;              // passes a note to the caller, who shows it
  void unread(const std::vector<std::string>& paths) const;  // tells the caller which inputs could not be read to their end
  void finish_progress(std::uint64_t done, std::uint64_t records);

 private:
  const JobOptions& options_;
  const char* stage_;
  unsigned threads_;
  std::uint64_t memory_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace leitong::job
