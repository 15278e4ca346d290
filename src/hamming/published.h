// A value that one writer (at a time) replaces while readers hold older ones: readers wait for as long as a pointer takes to be copied,
// never for the making of a value. Not std::atomic<std::shared_ptr>: in GNU's library (versions 12 to 15 at least) its load gives the lock
// bit back with relaxed order, so that the store after it races with the load by the letter of the memory model, and the thread sanitizer
// says so.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace leitong::hamming {

template <typename T>
class Published {
 public:
  [[nodiscard]] std::shared_ptr<const T> get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  void set(std::shared_ptr<const T> value) {
    {
      const std::lock_guard lock(mutex_);
      value_.swap(value);
    }
    replaced_.push_back(std::move(value));
    (void)take_unread();
  }
  // Old values wait here until no reader has them: a reader who gave back the last hold would have to take the value down, and that may
  // take a thousand times as long as what it came for. set() looks after them; who seldom sets calls this now and then and lets what it
  // gives go. No new hold can come, so a count of one stays one.
  [[nodiscard]] std::vector<std::shared_ptr<const T>> take_unread() {
    const auto held = std::partition(replaced_.begin(), replaced_.end(), [](const auto& old) { return old.use_count() > 1; });
    std::vector<std::shared_ptr<const T>> unread(std::make_move_iterator(held), std::make_move_iterator(replaced_.end()));
    replaced_.erase(held, replaced_.end());
    return unread;
  }
  // Whoever has the last hold of an old value takes it down after all: for who may never set again.
  void leave_to_readers() { replaced_.clear(); }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
  std::vector<std::shared_ptr<const T>> replaced_;  // the writer's
};

}  // namespace leitong::hamming
