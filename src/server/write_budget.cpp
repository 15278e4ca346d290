#include "server/write_budget.h"

#include <vector>

namespace leitong::server {

bool WriteBudget::try_take(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (!waiting_.empty() || !fits(bytes)) return false;
  taken_ += bytes;
  return true;
}

void WriteBudget::take(std::uint64_t bytes, std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    if (!waiting_.empty() || !fits(bytes)) {
      waiting_.push_back({bytes, std::move(then)});
      return;
    }
    taken_ += bytes;
  }
  then();
}

void WriteBudget::give_back(std::uint64_t bytes) {
  std::vector<std::function<void()>> next;
  {
    const std::lock_guard lock(mutex_);
    taken_ -= bytes;
    while (!waiting_.empty() && fits(waiting_.front().bytes)) {
      taken_ += waiting_.front().bytes;
      next.push_back(std::move(waiting_.front().then));
      waiting_.pop_front();
    }
  }
  for (const auto& then : next) then();
}

std::uint64_t WriteBudget::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

}  // namespace leitong::server
