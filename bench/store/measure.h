// Clocks, percentiles, bytes on disk and bytes written.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench_store {

[[nodiscard]] inline double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
template <typename Work>
[[nodiscard]] double seconds(Work&& work) {
  const double start = now();
  std::forward<Work>(work)();
  return now() - start;
}

// Times of single calls, in seconds.
class Latencies {
 public:
  template <typename Work>
  void take(Work&& work) {
    times_.push_back(seconds(std::forward<Work>(work)));
  }
  void clear() { times_.clear(); }
  void add(const Latencies& others) { times_.insert(times_.end(), others.times_.begin(), others.times_.end()); }
  [[nodiscard]] std::size_t count() const { return times_.size(); }
  [[nodiscard]] double sum() const;
  [[nodiscard]] double mean() const { return times_.empty() ? 0 : sum() / static_cast<double>(times_.size()); }
  [[nodiscard]] double at(double share) const;  // .5: the median; 1: the slowest

 private:
  std::vector<double> times_{};
};

[[nodiscard]] double median(std::vector<double> values);

// Of all files below a directory; one that vanishes meanwhile does not count.
[[nodiscard]] std::uint64_t bytes_in(const std::string& directory);
// What a process has caused to be written to disks so far, as the system counts it; 0: it does not tell.
[[nodiscard]] std::uint64_t bytes_written(pid_t process);

}  // namespace bench_store
