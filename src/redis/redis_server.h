// RedisServer: one connection to one Redis server, and exchange(): pipelined round trips with several of them at once.
//
// Replies are read while commands are still being written, so that neither side waits for the other whatever the size of a batch. The
// replies to single commands, errors too, are values.
//
// Threads: an object belongs to one thread at a time.
// Errors: Error(io) for a connection that cannot be made or is lost, Error(format | limit) for replies that are none, with the server's
// address; Refusal where trying again is of no use (TLS trust, a wrong password). The connection is then closed; the next use connects
// again.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "net/tcp_stream.h"
#include "redis/commands.h"
#include "redis/resp.h"

namespace leitong::redis {

struct RedisAccount {
  std::string user;      // empty: the server's default user
  std::string password;  // empty: no AUTH
  unsigned database = 0;
};

class RedisServer {
 public:
  // Does not connect yet.
  RedisServer(net::Endpoint endpoint, net::StreamSettings stream, RedisAccount account, DecodeLimits limits);

  // Connects and says AUTH, SELECT and CLIENT SETNAME in one round trip, where not connected (a connection that the server closed meanwhile
  // counts as none).
  void connect();
  void close();
  [[nodiscard]] bool connected() const { return stream_ != nullptr; }
  [[nodiscard]] const net::Endpoint& endpoint() const { return endpoint_; }

  // All commands in one pipelined round trip; one reply each, in order. Sent once: when the connection is lost, the error names the
  // commands that may or may not have been executed.
  ReplyArena run(const Commands& commands);

 private:
  friend void exchange(std::span<struct Exchange> all);
  void start(const Commands& commands);
  bool step();                             // whatever can be done without waiting; true: all replies are here
  [[nodiscard]] std::size_t sent() const;  // commands that have left as a whole
  void greet();
  void check_greeting(const ReplyArena& replies, std::size_t auth) const;
  [[noreturn]] void lose(const Error& error);

  net::Endpoint endpoint_;
  net::StreamSettings settings_;
  RedisAccount account_;
  std::unique_ptr<net::TcpStream> stream_;
  Decoder decoder_;
  std::vector<char> buffer_;
  const Commands* commands_ = nullptr;  // in flight
  std::size_t written_ = 0;             // of its bytes
  net::Clock::time_point deadline_;
};

// One server's part of an exchange.
struct Exchange {
  RedisServer* server = nullptr;
  const Commands* commands = nullptr;
  ReplyArena replies{};            // out: in order; fewer than commands after a failure
  std::size_t sent = 0;            // out: commands from replies' number to here may or may not have been executed
  std::optional<Error> failure{};  // out
  bool final = false;              // out: the failure is a Refusal
};

// Each server its commands, all at the same time; connects first where needed. The servers must be different. Throws nothing but
// std::bad_alloc.
void exchange(std::span<Exchange> all);

// "SADD a, SADD b and 40 more"
std::string name_commands(const Commands& commands, std::span<const std::uint32_t> which);

}  // namespace leitong::redis
