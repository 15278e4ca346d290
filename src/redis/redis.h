// Redis: batches of commands to a server or a cluster, with retries. This is what the rest of the room uses.
//
//   Redis redis({.servers = {{"localhost", 6379}}});
//   Commands batch;
//   batch.add({"SADD", "a", "1"}, Repeat::harmless);
//   const Replies replies = redis.run(batch);
//   replies[0].integer();
//
// A batch is one pipelined round trip with each server that has keys of it, all at the same time. In a cluster commands follow their key's
// slot to its master: MOVED and ASK are followed, replicas never used.
//
// Retries: what a server answers with "not now" (LOADING, MASTERDOWN, TRYAGAIN, CLUSTERDOWN and the like) and what was lost with a
// connection is sent again, with growing pauses, as long as attempts and time last, if the command is marked Repeat::harmless. A retry
// changes the order: commands that build on one another belong to successive batches.
//
// Threads: an object belongs to one thread at a time.
// Errors: as RedisServer; besides, OOM, READONLY, NOAUTH, WRONGPASS, NOPERM, WRONGTYPE, MISCONF and their like are a Refusal that names
// server, command and remedy (other commands of the batch may have been executed), and retries that came to nothing are an Error(io) that
// names the commands that were not executed and those of which nobody knows. Other error replies are values. The object can be used again.
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
  unsigned attempts = 24;                          // in all; following a redirection is one too
  std::chrono::milliseconds total{60'000};         // none is begun after it
  std::chrono::milliseconds first_pause{20};       // doubled each time ...
  std::chrono::milliseconds longest_pause{2'000};  // ... up to this one
};

struct RedisSettings {
  std::vector<net::Endpoint> servers;  // the server; of a cluster: some of its nodes
  bool cluster = false;
  RedisAccount account;
  net::StreamSettings stream;
  RetrySettings retry;
  DecodeLimits limits;
};

// The replies to a batch, in the order of its commands. Views (Reply, text) are valid as long as this object.
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
  // Connects (in a cluster: to the first node that answers, and learns the slots). Not retried: wrong settings show at once.
  explicit Redis(RedisSettings settings);
  ~Redis();
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;

  // Every command is answered, or it throws. Up to 2^32 - 2 commands.
  Replies run(const Commands& commands);

  // The masters, for what must be asked of each (INFO, SCAN, DBSIZE); the server itself where there is no cluster. Valid until the next
  // run().
  [[nodiscard]] std::vector<RedisServer*> masters();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::redis
