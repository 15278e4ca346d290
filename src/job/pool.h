// A pool of objects that are expensive to make and used by one thread at a time; makes as many as are in use at once. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace leitong::job {

template <typename T>
class Pool {
 public:
  explicit Pool(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}
  template <typename Use>
  void with_one(const Use& use) {
    std::unique_ptr<T> one;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        one = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (!one) one = make_();
    use(*one);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(one));
  }

 private:
  std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace leitong::job
