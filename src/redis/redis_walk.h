// A walk over all keys of a server or cluster, in steps whose place outlives connection and process.
//
// SCAN's cursors mean something to one process of the server only, and a key that moves to another node may be missed. The place therefore
// holds which processes and slots it was made with; where these change on the way, the walk goes over everything once more at its end.
//
// Threads: as Redis. Errors: as Redis; Error(usage) for a place that is none; Error(format) for a reply that is none of SCAN's; Error(io)
// where the servers change again and again, so that a walk would not come to its end; Refusal for a cluster in which nobody has slots.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "redis/redis.h"

namespace leitong::redis {

// The same commands asked of each master, with retries; the replies in the masters' order. An error reply is an Error(io) or Refusal.
[[nodiscard]] std::vector<ReplyArena> ask_masters(Redis& redis, const Commands& commands, const RetrySettings& retry);
// Of a line "name:value" in the reply to INFO; empty: it is not there.
[[nodiscard]] std::string info_field(std::string_view info, std::string_view name);
// The same bytes in a pattern of SCAN.
[[nodiscard]] std::string glob_escaped(std::string_view text);

// The reply to SCAN, HSCAN or SSCAN: the next cursor, and what was found. Error(format) for any other reply.
struct ScanReply {
  std::uint64_t cursor = 0;
  Reply found;
};
[[nodiscard]] ScanReply read_scan(const Reply& reply);

struct KeyWalk {
  std::string match;  // a pattern of SCAN
  std::string type;   // empty: any
  bool cluster = false;
  RetrySettings retry;
  // Visits about `count` looked-at keys' worth from `place` on (empty: from the beginning); where it goes on, empty: that was the end.
  std::string step(Redis& redis, const std::string& place, std::size_t count,
                   const std::function<void(const std::vector<std::string>&)>& keys) const;
  // The same over the fields of one hash.
  std::string hash_step(Redis& redis, const std::string& key, const std::string& place, std::size_t count,
                        const std::function<void(std::string_view field, std::string_view value)>& visit) const;
};

}  // namespace leitong::redis
