// The pipeline on which stages run. Each item passes through the ordered steps one at a time, in the order of reading; the work between the
// steps runs in parallel.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace leitong::job {

// One round of parallel work and the ordered step after it. Either may be empty.
template <typename Item>
struct PipelineRound {
  std::function<void(Item&, unsigned worker)> work;  // `worker` in 0..threads-1 identifies the thread's scratch
  std::function<void(Item&)> ordered;                // called by one thread at a time, in the order of reading
};

// Reads items until `read` returns false, and takes each through the rounds. Items are reused. The first exception ends everything and is
// rethrown. A thread processes an item through all rounds, so there are at most `threads` items.
template <typename Item>
void ordered_pipeline(unsigned threads, const std::function<bool(Item&)>& read, std::span<const PipelineRound<Item>> rounds) {
  if (threads <= 1) {
    Item item;
    while (read(item))
      for (const auto& round : rounds) {
        if (round.work) round.work(item, 0);
        if (round.ordered) round.ordered(item);
      }
    return;
  }
  struct Turn {
    std::mutex mutex;
    std::condition_variable changed;
    std::uint64_t next = 0;
  };
  std::mutex read_mutex, failure_mutex;
  std::vector<Turn> turns(rounds.size());
  std::uint64_t next_read = 0;
  bool ended = false;
  std::atomic<bool> failed = false;
  std::exception_ptr failure;
  const auto fail = [&] {
    {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
    failed = true;
    for (Turn& turn : turns) {
      const std::lock_guard lock(turn.mutex);  // so that no thread is between checking the condition and waiting
      turn.changed.notify_all();
    }
  };
  const auto take = [&](Item& item, std::uint64_t sequence, unsigned worker) {
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      if (rounds[r].work) rounds[r].work(item, worker);
      Turn& turn = turns[r];
      std::unique_lock lock(turn.mutex);
      turn.changed.wait(lock, [&] { return failed || turn.next == sequence; });
      if (failed) return;
      if (rounds[r].ordered) rounds[r].ordered(item);
      ++turn.next;
      turn.changed.notify_all();
    }
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
        take(item, sequence, worker);
      }
    } catch (...) {
      fail();
    }
  };
  std::vector<std::jthread> workers;
  workers.reserve(threads);
  for (unsigned worker = 0; worker < threads; ++worker) workers.emplace_back(run, worker);
  workers.clear();
  if (failure) std::rethrow_exception(failure);
}

// The usual case: read, work in parallel, commit in order.
template <typename Item>
void ordered_pipeline(unsigned threads, const std::function<bool(Item&)>& read, const std::function<void(Item&, unsigned worker)>& work,
                      const std::function<void(Item&)>& commit) {
  const std::array<PipelineRound<Item>, 1> rounds = {{{work, commit}}};
  ordered_pipeline<Item>(threads, read, std::span<const PipelineRound<Item>>(rounds));
}

}  // namespace leitong::job
