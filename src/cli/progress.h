// The progress line on standard error.
#pragma once

#include <chrono>
#include <string>

#include "leitong/job.h"

namespace leitong::cli {

// One line of at most `width` columns, e.g. "sketch  412 MB of 2.1 GB (20 %), 61.2 MB/s, 140,233 records, 27 s left".
// `seconds`: since the stage began.
[[nodiscard]] std::string progress_text(const Progress& progress, double seconds, unsigned width);

// Draws only if standard error is a terminal; erased at destruction.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const Progress& progress);
  // `job` with its progress shown here, its notes printed, and a signal to stop it. This must outlive the job.
  [[nodiscard]] JobOptions watch(JobOptions job);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point stage_begin_;
};

}  // namespace leitong::cli
