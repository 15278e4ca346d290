// A value that one writer replaces while readers hold older ones: readers wait for as long as a pointer takes to be copied, never for the
// making of a value. Not std::atomic<std::shared_ptr>: in GNU's library (versions 12 to 15 at least) its load gives the lock bit back with
// relaxed order, so that the store after it races with the load by the letter of the memory model, and the thread sanitizer says so.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

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
    // The old value goes, if nobody else holds it, after the lock is given back.
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace leitong::hamming
