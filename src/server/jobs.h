// Jobs: what takes longer than somebody waits for an answer. One runs at a time, in the order in which they came.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "leitong/job.h"
#include "server/workers.h"

namespace leitong::server {

struct Job {
  std::string id, kind, collection;
  std::atomic<bool> stop{false};

  mutable std::mutex mutex;  // of what follows
  enum class State { queued, running, done, failed, stopped } state = State::queued;
  std::string stage, result, problem;  // the latter two: JSON
  std::uint64_t done = 0, total = 0;

  void progress(const Progress& progress);
  [[nodiscard]] std::string json() const;
  [[nodiscard]] bool ended() const;
};
using JobPtr = std::shared_ptr<Job>;

class Jobs {
 public:
  ~Jobs() { stop_all(); }
  // `work` returns the result, as JSON. Throws Problem(429) if too many wait.
  JobPtr start(std::string kind, std::string collection, std::function<std::string(Job&)> work);
  [[nodiscard]] JobPtr find(std::string_view id) const;  // throws Problem(404)
  void stop_all();

 private:
  static constexpr std::size_t most_kept = 200, most_waiting = 32;
  mutable std::mutex mutex_;
  std::deque<JobPtr> jobs_;
  Workers worker_{1};
};

}  // namespace leitong::server
