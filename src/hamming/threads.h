// One piece of work on several threads: the same for each, or shares of a range, or items taken in turn. All wait until every thread has
// ended, then throw what the first thread that failed threw. Thread 0 is the caller.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
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

// work(thread, begin, end) for one share of 0 … count - 1 a thread, the same shares each time.
template <std::unsigned_integral Count, typename Work>
void in_shares(unsigned threads, Count count, const Work& work) {
  const auto share = [&](unsigned thread) {
    return static_cast<Count>(count / threads * thread + std::min<Count>(static_cast<Count>(thread), count % threads));
  };
  on_threads(threads, [&](unsigned thread) { work(thread, share(thread), share(thread + 1)); });
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

}  // namespace leitong::hamming
