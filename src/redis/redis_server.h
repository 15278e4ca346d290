// RedisServer: a connection to one Redis server, and exchange(): pipelined round trips with several servers at the same time.
//
// Replies are read while commands are still being written, so that the two sides never wait for each other, however large a batch is. The
// replies to single commands, including errors, are values.
//
// Threads: an object may be used by one thread at a time.
// Errors: Error(io) if a connection cannot be made or is lost, and Error(format | limit) for malformed replies, with the server's address;
// Refusal if another attempt cannot succeed (TLS trust, a wrong password). The connection is then closed, and the next use connects again.
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
  // Does not connect.
  RedisServer(net::Endpoint endpoint, net::StreamSettings stream, RedisAccount account, DecodeLimits limits);

  // If not connected, connects and sends AUTH, SELECT and CLIENT SETNAME in one round trip. A connection that the server has closed counts
  // as not connected.
  void connect();
  void close();
  [[nodiscard]] bool connected() const { return stream_ != nullptr; }
  [[nodiscard]] const net::Endpoint& endpoint() const { return endpoint_; }

  // Sends all commands in one pipelined round trip, and returns one reply for each, in order. Does not retry: if the connection is lost,
  // the error names the commands that may or may not have been executed.
  ReplyArena run(const Commands& commands);

 private:
  friend void exchange(std::span<struct Exchange> all);
  void start(const Commands& commands);
  bool step();                             // does what is possible without waiting; true: all replies have arrived
  [[nodiscard]] std::size_t sent() const;  // commands that were sent completely
  void greet();
  void check_greeting(const ReplyArena& replies, std::size_t auth) const;
  [[noreturn]] void lose(const Error& error);

  net::Endpoint endpoint_;
  net::StreamSettings settings_;
  RedisAccount account_;
  std::unique_ptr<net::TcpStream> stream_;
  Decoder decoder_;
  std::vector<char> buffer_;
  const Commands* commands_ = nullptr;  // being executed
  std::size_t written_ = 0;             // bytes of them
  net::Clock::time_point deadline_;
};

// The part of an exchange that concerns one server.
struct Exchange {
  RedisServer* server = nullptr;
  const Commands* commands = nullptr;
  ReplyArena replies{};            // out: in order; fewer than commands after a failure
  std::size_t sent = 0;            // out: commands from replies' number to this one may or may not have been executed
  std::optional<Error> failure{};  // out
  bool final = false;              // out: the failure is a Refusal
};

// Runs the commands of all servers at the same time, and connects first if necessary. The servers must be different. Throws only
// std::bad_alloc.
void exchange(std::span<Exchange> all);

// For example "SADD a, SADD b and 40 more".
std::string name_commands(const Commands& commands, std::span<const std::uint32_t> which);

}  // namespace leitong::redis
