// RedisLeases: rights to the neighbourhoods of fingerprints, as fields of one hash of a Redis server or cluster.
//
// A field is a neighbourhood, its value says until when, by the server's clock, and whose it is. One script looks at all neighbourhoods of
// a fingerprint and takes them, or none, so that no two wait for each other; one hash is of one slot, so that a cluster can do it, too.
// A field that is still ours has been nobody else's since it was taken: every taking has a name of its own.
//
// Threads: an object belongs to one thread at a time. Errors: as Redis.
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
  using Run = std::function<Replies(const Commands&)>;  // throws error replies
  RedisLeases(std::string key, unsigned k, std::chrono::milliseconds time);

  // Which of them are ours until `time` has passed.
  [[nodiscard]] std::vector<bool> take(std::span<const std::uint64_t> fingerprints, const Run& run);
  // Which of those that were taken last have been ours all the time. keep(): and are for another `time`. release(): until now.
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
