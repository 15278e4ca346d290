// For tests: Debian's redis-server on loopback, with a free port and a folder of its own. It is killed with the object, or by the kernel
// when the test dies. If it is not installed, the test is skipped.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "net/thrown_test.h"
#include "redis/redis.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace leitong::redis {

// The Debian package that the test needs and does not find; empty if it is installed.
inline std::string missing_package() {
  if (!have_program("redis-server")) return "redis-server";
  if (!have_program("redis-cli")) return "redis-tools";
  return have_program("openssl") ? "" : "openssl";
}

#define LEITONG_NEEDS_REDIS()                                                          \
  if (const std::string package = leitong::redis::missing_package(); !package.empty()) \
  GTEST_SKIP() << "needs the Debian package " << package

class RedisProcess {
 public:
  // `options`: further arguments of the server ("--maxmemory", "2mb").
  explicit RedisProcess(std::vector<std::string> options = {}, bool tls_only = false) : options_(std::move(options)), tls_only_(tls_only) {
    for (int tries = 0; tries < 5; ++tries) {
      port_ = free_port();
      if (start()) return;
    }
    throw std::runtime_error("redis-server does not start: " + contents(log()));
  }

  // Starts the server again on the same port, with the data that it has saved or logged.
  bool start() {
    std::vector<std::string> words = {"redis-server",
                                      tls_only_ ? "--tls-port" : "--port",
                                      std::to_string(port_),
                                      "--bind",
                                      "127.0.0.1",
                                      "--dir",
                                      folder_ / "",
                                      "--save",
                                      "",
                                      "--daemonize",
                                      "no"};
    if (tls_only_) words.insert(words.end(), {"--port", "0"});
    words.insert(words.end(), options_.begin(), options_.end());
    child_ = std::make_unique<Child>(words, log());
    for (int i = 0; i < 2'000 && child_->running(); ++i) {
      if (try_port(port_, ::connect)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    child_.reset();
    return false;
  }

  void kill() { child_.reset(); }
  void pause() const { child_->pause(); }
  void resume() const { child_->resume(); }
  [[nodiscard]] net::Endpoint endpoint() const { return {"127.0.0.1", port_}; }
  [[nodiscard]] std::string log() const { return folder_ / "log"; }
  [[nodiscard]] RedisSettings settings() const {
    RedisSettings settings;
    settings.servers = {endpoint()};
    return settings;
  }

 private:
  std::vector<std::string> options_;
  bool tls_only_ = false;
  std::uint16_t port_ = 0;
  TemporaryDirectory folder_;
  std::unique_ptr<Child> child_;
};

// Runs one command, and returns the reply as text.
inline std::string ask(Redis& redis, std::initializer_list<std::string_view> words, std::size_t key = 1) {
  Commands commands;
  commands.add(words, Repeat::harmless, key);
  const Replies replies = redis.run(commands);
  const Reply reply = replies[0];
  if (reply.is_error()) return std::string("-").append(reply.error());
  if (reply.is_nil()) return "nil";
  return reply.type() == ReplyType::integer ? std::to_string(reply.integer()) : std::string(reply.text());
}

}  // namespace leitong::redis
