// Trace: where the time of a request went, and what it did, for its line in the log.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace leitong::server {

struct TraceCounts {
  std::atomic<std::uint64_t> records{0};
  std::atomic<std::uint64_t> queued{0}, computing{0}, syncing{0};  // microseconds
};
// Shared, for a stream outlives the request that began it.
using Trace = std::shared_ptr<TraceCounts>;

}  // namespace leitong::server
