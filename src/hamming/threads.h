// One piece of work on several threads: the same for each, or shares of a range, or items taken in turn. All wait until every thread has
// ended, then throw what the first thread that failed threw. Thread 0 is the caller.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <concepts>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace leitong::hamming {

// work(thread) for each thread.
template <typename Work>
void on_threads(unsigned threads, const Work& work) {
  std::exception_ptr failure;
  std::mutex mutex;
  const auto guarded = [&](unsigned thread) {
    try {
      work(thread);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(guarded, thread);
    guarded(0);
  }
  if (failure) std::rethrow_exception(failure);
}

// The share of thread `thread` in 0 … count - 1: begin and end, the same each time.
template <std::unsigned_integral Count>
std::pair<Count, Count> share_of(unsigned thread, unsigned threads, Count count) {
  const auto begin = [&](unsigned t) {
    return static_cast<Count>(count / threads * t + std::min<Count>(static_cast<Count>(t), count % threads));
  };
  return {begin(thread), begin(thread + 1)};
}

// work(thread, begin, end) for one share of 0 … count - 1 a thread, the same shares each time.
template <std::unsigned_integral Count, typename Work>
void in_shares(unsigned threads, Count count, const Work& work) {
  on_threads(threads, [&](unsigned thread) {
    const auto [begin, end] = share_of(thread, threads, count);
    work(thread, begin, end);
  });
}

// work(thread, item) for the items 0 … items - 1, begun in that order. A failure keeps the rest from being begun.
template <std::unsigned_integral Item, typename Work>
void run_items(unsigned threads, Item items, const Work& work) {
  std::atomic<std::size_t> next = 0;
  on_threads(static_cast<unsigned>(std::min<std::size_t>(threads, items)), [&](unsigned thread) {
    try {
      for (std::size_t item = next++; item < items; item = next++) work(thread, static_cast<Item>(item));
    } catch (...) {
      next = items;
      throw;
    }
  });
}

// Threads that go through the same steps together, each beginning a step when all have ended the one before. Starting threads anew for each
// step would cost more than short steps take: a millisecond on a busy machine.
class Steps {
 public:
  // One thread's work in a step; all threads of the team call it as often. False: a thread has failed, in this step or before; nothing more
  // is done, and the thread returns.
  template <typename Work>
  bool step(const Work& work) {
    try {
      if (!over_) work();
    } catch (...) {
      fail();
    }
    barrier_.arrive_and_wait();
    return !over_;
  }

 private:
  template <typename Work>
  friend void run_team(unsigned threads, const Work& work);

  // Decided once a step, while all wait: a thread that failed in the next step must not be seen by those still on their way out of this
  // one.
  struct Decide {
    Steps* steps;
    void operator()() const noexcept { steps->over_ = steps->failed_.load(); }
  };

  explicit Steps(unsigned threads) : barrier_(threads, Decide{this}) {}
  void fail() {
    const std::lock_guard lock(mutex_);
    if (!failed_) failure_ = std::current_exception();
    failed_ = true;
  }

  std::barrier<Decide> barrier_;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_ = false, over_ = false;
};

// work(thread, steps) on a team of threads, the caller being thread 0. Throws what the first thread that failed threw, also if that was the
// system refusing to start one: the others are let go at their next step.
template <typename Work>
void run_team(unsigned threads, const Work& work) {
  Steps steps(threads);
  const auto guarded = [&](unsigned thread) {
    try {
      work(thread, steps);
    } catch (...) {
      steps.fail();
    }
    steps.barrier_.arrive_and_drop();
  };
  {
    std::vector<std::jthread> others;
    unsigned started = 1;
    try {
      for (; started < threads; ++started) others.emplace_back(guarded, started);
    } catch (...) {
      steps.fail();
      for (; started < threads; ++started) steps.barrier_.arrive_and_drop();
    }
    guarded(0);
  }
  if (steps.failure_) std::rethrow_exception(steps.failure_);
}

}  // namespace leitong::hamming
