// A walk over all keys of a server or cluster, in steps; the position remains valid in other connections and processes.
//
// A cursor of SCAN is only valid in one process of the server, and a key that moves to another node may be missed. So the position records
// the server processes and slots with which it was made. If these change during the walk, it visits everything once more at the end.
//
// Threads: as Redis. Errors: as Redis; Error(usage) for a malformed position; Error(format) for a reply that does not come from SCAN;
// Error(io) if the servers change so often that the walk would not end; Refusal if no node of a cluster has slots.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "redis/redis.h"

namespace leitong::redis {

// Sends the same commands to each master, with retries; the replies are in the order of the masters. An error reply causes an Error(io) or
// a Refusal.
[[nodiscard]] std::vector<ReplyArena> ask_masters(Redis& redis, const Commands& commands, const RetrySettings& retry);
// The value in a line "name:value" of the reply to INFO; empty if there is no such line.
[[nodiscard]] std::string info_field(std::string_view info, std::string_view name);
// A pattern of SCAN that matches exactly these bytes.
[[nodiscard]] std::string glob_escaped(std::string_view text);

// The reply to SCAN, HSCAN or SSCAN: the next cursor, and the elements. Throws Error(format) for any other reply.
struct ScanReply {
  std::uint64_t cursor = 0;
  Reply found;
};
[[nodiscard]] ScanReply read_scan(const Reply& reply);

struct KeyWalk {
  std::string match;  // pattern of SCAN
  std::string type;   // empty: any type
  bool cluster = false;
  RetrySettings retry;
  // Visits keys from `place` on (empty: from the beginning), for which the server looks at about `count` keys. Returns the next position;
  // empty: the end.
  std::string step(Redis& redis, const std::string& place, std::size_t count,
                   const std::function<void(const std::vector<std::string>&)>& keys) const;
  // Visits the fields of one hash in the same way.
  std::string hash_step(Redis& redis, const std::string& key, const std::string& place, std::size_t count,
                        const std::function<void(std::string_view field, std::string_view value)>& visit) const;
};

}  // namespace leitong::redis
