// What every stage needs of its caller: threads, memory, progress, a way to stop; and the ordered pipeline that stages run on.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "leitong/dedup.h"

namespace leitong::corpus {

class Job {
 public:
  Job(const JobOptions& options, const char* stage);
  [[nodiscard]] unsigned threads() const { return threads_; }
  [[nodiscard]] std::uint64_t memory() const { return memory_; }
  // Throws Error(interrupted) if the caller asked to stop.
  void check_stop() const;
  // Tells the caller how far the stage is, at most ten times a second. One thread at a time.
  void progress(std::uint64_t done, std::uint64_t total, std::uint64_t records);
  void finish_progress(std::uint64_t done, std::uint64_t records);

 private:
  const JobOptions& options_;
  const char* stage_;
  unsigned threads_;
  std::uint64_t memory_;
  std::chrono::steady_clock::time_point last_{};
};

// Runs read → work → commit for items until read returns false. read and commit are called by one thread at a time, in the same order;
// work runs in parallel, `worker` in 0..threads-1 tells it which scratch to use. Items are reused. The first exception ends all and is
// thrown again.
template <typename Item>
void ordered_pipeline(unsigned threads, const std::function<bool(Item&)>& read, const std::function<void(Item&, unsigned worker)>& work,
                      const std::function<void(Item&)>& commit) {
  if (threads <= 1) {
    Item item;
    while (read(item)) {
      work(item, 0);
      commit(item);
    }
    return;
  }
  std::mutex read_mutex, commit_mutex;
  std::condition_variable turn;
  std::uint64_t next_read = 0, next_commit = 0;
  bool ended = false;
  std::atomic<bool> failed = false;
  std::exception_ptr failure;  // under commit_mutex
  const auto fail = [&] {
    const std::lock_guard lock(commit_mutex);
    if (!failure) failure = std::current_exception();
    failed = true;
    turn.notify_all();
  };
  const auto run = [&](unsigned worker) {
    try {
      Item item;
      for (;;) {
        std::uint64_t sequence = 0;
        {
          const std::lock_guard lock(read_mutex);
          if (ended || failed || !read(item)) {
            ended = true;
            return;
          }
          sequence = next_read++;
        }
        work(item, worker);
        std::unique_lock lock(commit_mutex);
        turn.wait(lock, [&] { return failed || next_commit == sequence; });
        if (failed) return;
        commit(item);
        ++next_commit;
        turn.notify_all();
      }
    } catch (...) {
      fail();
    }
  };
  std::vector<std::jthread> workers;
  for (unsigned worker = 0; worker < threads; ++worker) workers.emplace_back(run, worker);
  workers.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace leitong::corpus
