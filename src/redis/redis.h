// Redis: sends batches of commands to a server or a cluster, with retries. The rest of the room uses this class.
//
//   Redis redis({.servers = {{"localhost", 6379}}});
//   Commands batch;
//   batch.add({"SADD", "a", "1"}, Repeat::harmless);
//   const Replies replies = redis.run(batch);
//   replies[0].integer();
//
// A batch is one pipelined round trip with each server that has keys of it, to all servers at the same time. In a cluster, a command goes
// to the master that has its key's slot. MOVED and ASK redirections are followed; replicas are never used.
//
// Retries: a command is sent again if a server answers that it cannot execute it now (LOADING, MASTERDOWN, TRYAGAIN, CLUSTERDOWN and the
// like) or if the connection was lost, with growing pauses and within the limits of attempts and time, provided that the command is marked
// Repeat::harmless. Retries change the order, so commands that depend on each other must be in successive batches.
//
// Threads: an object may be used by one thread at a time.
// Errors: as RedisServer. In addition, OOM, READONLY, NOAUTH, WRONGPASS, NOPERM, WRONGTYPE, MISCONF and the like cause a Refusal that names
// the server, the command and a remedy (other commands of the batch may have been executed). If retries do not succeed, an Error(io) names
// the commands that were not executed and those for which this is unknown. Other error replies are returned as values. After an error the
// object can be used again.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "net/tcp_stream.h"
#include "redis/commands.h"
#include "redis/redis_server.h"
#include "redis/resp.h"

namespace leitong::redis {

struct RetrySettings {
  unsigned attempts = 24;                          // in all; following a redirection counts as one
  std::chrono::milliseconds total{60'000};         // no attempt begins after this time
  std::chrono::milliseconds first_pause{20};       // doubled each time ...
  std::chrono::milliseconds longest_pause{2'000};  // ... up to this one
};

struct RedisSettings {
  std::vector<net::Endpoint> servers;  // the server; for a cluster: some of its nodes
  bool cluster = false;
  RedisAccount account;
  net::StreamSettings stream;
  RetrySettings retry;
  DecodeLimits limits;
};

// The replies to a batch, in the order of its commands. Views (Reply, text) are valid as long as this object exists.
class Replies {
 public:
  explicit Replies(std::size_t size = 0) : at_(size) {}
  [[nodiscard]] std::size_t size() const { return at_.size(); }
  [[nodiscard]] Reply operator[](std::size_t i) const { return {*arenas_[at_[i].arena], at_[i].node}; }

 private:
  friend class Redis;
  struct At {
    std::uint32_t arena = 0, node = 0;
  };
  std::vector<std::unique_ptr<ReplyArena>> arenas_;
  std::vector<At> at_;
};

class Redis {
 public:
  // Connects; in a cluster to the first node that answers, and reads the table of slots. Does not retry, so that wrong settings show at
  // once.
  explicit Redis(RedisSettings settings);
  ~Redis();
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;

  // Returns when every command is answered, or throws. A batch has at most 2^32 - 2 commands.
  Replies run(const Commands& commands);

  // The masters, for commands that must be sent to each of them (INFO, SCAN, DBSIZE); without a cluster, the server. Valid until the next
  // run().
  [[nodiscard]] std::vector<RedisServer*> masters();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::redis
