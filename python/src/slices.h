// Many small pieces of work, shared by threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace leitong::python {

// 0: as many as there are cores.
inline unsigned threads_of(unsigned wanted) { return wanted > 0 ? wanted : std::max(1U, std::thread::hardware_concurrency()); }

// Calls work(thread, i) for each i below `count`, a slice of neighbours at a time, on at most so many threads; the calling one is thread 0.
// Of what they throw, one exception is thrown when all have ended. Wants no lock of the interpreter, and `work` may touch nothing of
// Python.
inline void in_slices(std::size_t count, std::size_t slice, std::size_t threads,
                      const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t slices = (count + slice - 1) / slice;
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&](std::size_t thread) {
    try {
      for (std::size_t i = next++; i < slices; i = next++)
        for (std::size_t j = i * slice; j < std::min(count, (i + 1) * slice); ++j) work(thread, j);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(threads, slices); ++i) others.emplace_back(run, i);
  run(0);
  others.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace leitong::python
