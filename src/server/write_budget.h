// WriteBudget: how many bytes may wait to be written, of all clients together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

namespace leitong::server {

class WriteBudget {
 public:
  explicit WriteBudget(std::uint64_t most) : most_(most) {}
  // False: there is no room. With nothing waiting there is room for anything.
  [[nodiscard]] bool try_take(std::uint64_t bytes);
  // Calls `then` when the bytes are taken: at once, or from a thread that gives some back. First come, first served.
  void take(std::uint64_t bytes, std::function<void()> then);
  void give_back(std::uint64_t bytes);
  [[nodiscard]] std::uint64_t taken() const;

 private:
  struct Waiting {
    std::uint64_t bytes;
    std::function<void()> then;
  };
  [[nodiscard]] bool fits(std::uint64_t bytes) const { return taken_ == 0 || bytes <= most_ - std::min(taken_, most_); }

  mutable std::mutex mutex_;
  std::uint64_t most_, taken_ = 0;
  std::deque<Waiting> waiting_;
};

}  // namespace leitong::server
