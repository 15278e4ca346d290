// RedisLeases: reservations of the neighbourhoods of fingerprints, as fields of one hash on a Redis server or cluster.
//
// The field of a neighbourhood holds the owner and the time (of the server's clock) until which it is reserved. One script checks all
// neighbourhoods of a fingerprint and reserves all or none of them, so that no two writers wait for each other. A hash is in one slot, so
// this also works in a cluster. Every call of take() uses a new owner name; so if a field still has ours, nobody else has had it since.
//
// Threads: an object may be used by one thread at a time. Errors: as Redis.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "redis/commands.h"
#include "redis/redis.h"
#include "remote/neighbourhoods.h"

namespace leitong::redis {

class RedisLeases {
 public:
  using Run = std::function<Replies(const Commands&)>;  // must throw error replies
  RedisLeases(std::string key, unsigned k, std::chrono::milliseconds time);

  // Returns which of the fingerprints are reserved for us until `time` has passed.
  [[nodiscard]] std::vector<bool> take(std::span<const std::uint64_t> fingerprints, const Run& run);
  // Return which of the fingerprints taken last have been reserved for us without interruption. keep() extends these by `time`; release()
  // ends them.
  [[nodiscard]] std::vector<bool> keep(std::span<const std::uint64_t> fingerprints, const Run& run);
  [[nodiscard]] std::vector<bool> release(std::span<const std::uint64_t> fingerprints, const Run& run);

 private:
  [[nodiscard]] std::vector<bool> held_since(std::span<const std::uint64_t> fingerprints, std::string_view script, const Run& run);

  std::string key_, own_, taking_;
  remote::Neighbourhoods neighbourhoods_;
  std::chrono::milliseconds time_;
  std::uint64_t takings_ = 0;
};

}  // namespace leitong::redis
