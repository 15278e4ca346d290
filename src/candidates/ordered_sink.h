// Results of parallel parts, handed to one sink in the order of the parts, in bounded memory. Private to this room.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace leitong::candidates {

// Parts are numbered 0, 1, … and must be begun in that order. The part whose turn it is goes straight to the sink; later ones wait in
// memory, up to `most_waiting` items in all, beyond which their threads wait. So calls of the sink never overlap and their order is that of
// one thread.
template <typename Item>
class OrderedSink {
 public:
  OrderedSink(const std::function<void(std::span<const Item>)>& sink, std::size_t most_waiting)
      : sink_(sink), most_waiting_(most_waiting) {}

  // More items of an unfinished part, waiting for its turn if need be. False: another part failed, give up.
  bool flush(std::size_t part, std::vector<Item>& items) {
    std::unique_lock lock(mutex_);
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

}  // namespace leitong::candidates
