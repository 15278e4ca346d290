// Parts of a join on several threads; what they find goes to one sink in the order of the parts, in bounded memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "hamming/threads.h"

namespace leitong::hamming {

// Thrown by what adds to a part when another part has failed: the rest is not wanted. join_parts and its like catch it.
struct PartsStopped {};

// Parts are numbered 0, 1, … and must be begun in that order. The part whose turn it is goes straight to the sink; later ones wait in
// memory, up to `most_waiting` items in all, beyond which their threads wait. So calls of the sink never overlap and their order is that of
// one thread.
template <typename Item>
class OrderedSink {
 public:
  OrderedSink(const std::function<void(std::span<const Item>)>& sink, std::size_t most_waiting)
      : sink_(sink), most_waiting_(most_waiting) {}

  // More items of an unfinished part. They stay with it until its turn comes, or until they are so many that it has to wait for that.
  // False: another part failed, give up.
  bool flush(std::size_t part, std::vector<Item>& items) {
    std::unique_lock lock(mutex_);
    if (turn_ != part && !stopped_ && items.size() < most_waiting_ / 4) return true;
    turned_.wait(lock, [&] { return turn_ == part || stopped_; });
    return !stopped_ && give(items);
  }

  // The last items of a part.
  bool finish(std::size_t part, std::vector<Item>& items) {
    std::unique_lock lock(mutex_);
    turned_.wait(lock, [&] { return turn_ == part || stopped_ || waiting_items_ + items.size() <= most_waiting_; });
    if (stopped_) return false;
    if (turn_ != part) {
      waiting_items_ += items.size();
      waiting_.emplace(part, std::move(items));
      items = {};
      return true;
    }
    if (!give(items)) return false;
    ++turn_;
    while (!waiting_.empty() && waiting_.begin()->first == turn_) {
      waiting_items_ -= waiting_.begin()->second.size();
      if (!give(waiting_.begin()->second)) return false;
      waiting_.erase(waiting_.begin());
      ++turn_;
    }
    turned_.notify_all();
    return true;
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    turned_.notify_all();
  }

 private:
  bool give(std::vector<Item>& items) {
    if (!items.empty()) sink_(items);
    items.clear();
    return true;
  }

  const std::function<void(std::span<const Item>)>& sink_;
  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable turned_;
  std::map<std::size_t, std::vector<Item>> waiting_;
  std::size_t turn_ = 0, waiting_items_ = 0;
  bool stopped_ = false;
};

// What a thread finds in the part that it works on.
template <typename Item>
class Found {
 public:
  static constexpr std::size_t flush_at = 8192;  // items handed to the sink at once

  explicit Found(OrderedSink<Item>& sink) : sink_(sink) {}
  void add(const Item& item) { items_.push_back(item); }
  void add(std::span<const Item> items) {
    items_.insert(items_.end(), items.begin(), items.end());
    flush_if_full();
  }
  void flush_if_full() {
    if (items_.size() < next_flush_) return;
    if (!sink_.flush(part_, items_)) throw PartsStopped();
    next_flush_ = items_.size() + flush_at;
  }

  void begin(std::size_t part) { part_ = part; }
  void finish() {
    if (!sink_.finish(part_, items_)) throw PartsStopped();
    next_flush_ = flush_at;
  }

 private:
  OrderedSink<Item>& sink_;
  std::vector<Item> items_;
  std::size_t part_ = 0, next_flush_ = flush_at;
};

// Joins the parts 0 … parts - 1 on threads that take them in turn: join(worker, part) adds to worker.found, a Found<Item>. Each thread has
// a Worker of its own, made of a Found<Item>.
template <typename Worker, typename Item, typename Join>
void join_parts(unsigned threads, std::size_t parts, const std::function<void(std::span<const Item>)>& sink, const Join& join) {
  constexpr std::size_t most_waiting = 4 << 20;  // 48 MiB of pairs of later parts
  OrderedSink<Item> ordered(sink, most_waiting);
  std::atomic<std::size_t> next = 0;
  on_threads(static_cast<unsigned>(std::min<std::size_t>(threads, parts)), [&](unsigned) {
    try {
      Worker worker{Found<Item>(ordered)};
      for (std::size_t part = next++; part < parts; part = next++) {
        worker.found.begin(part);
        join(worker, part);
        worker.found.finish();
      }
    } catch (const PartsStopped&) {
      return;
    } catch (...) {
      ordered.stop();
      throw;
    }
  });
}

}  // namespace leitong::hamming
