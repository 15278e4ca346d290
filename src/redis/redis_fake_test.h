// For tests: a Redis server on loopback whose replies the test chooses, for replies that no real server gives.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "redis/redis.h"
#include "redis/resp.h"

namespace leitong::redis {

class RedisFake {
 public:
  // Maps the words of a command to the bytes of the reply; empty: "+OK". If it throws, the connection is cut.
  using Answer = std::function<std::string(const std::vector<std::string>& words)>;

  explicit RedisFake(Answer answer) : answer_(std::move(answer)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("the fake cannot listen");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~RedisFake() {
    stop_ = true;
    thread_.join();
    ::close(listener_);
  }
  RedisFake(const RedisFake&) = delete;
  RedisFake& operator=(const RedisFake&) = delete;

  [[nodiscard]] RedisSettings settings() const {
    RedisSettings settings;
    settings.servers = {{"127.0.0.1", port_}};
    settings.retry.attempts = 1;
    settings.retry.first_pause = settings.retry.longest_pause = std::chrono::milliseconds(1);
    settings.stream.read_timeout = std::chrono::milliseconds(5'000);
    return settings;
  }

 private:
  [[nodiscard]] bool readable(int fd) const {
    pollfd one{fd, POLLIN, 0};
    return ::poll(&one, 1, 5) > 0;
  }

  void serve() {  // serves one connection after the other
    while (!stop_) {
      if (!readable(listener_)) continue;
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) continue;
      try {
        talk(client);
      } catch (const std::exception&) {
      }
      ::close(client);
    }
  }

  void talk(int client) {
    Decoder decoder;  // a command has the form of an array in a reply
    char bytes[64 * 1024];
    while (!stop_) {
      if (!readable(client)) continue;
      const ssize_t count = ::recv(client, bytes, sizeof bytes, 0);
      if (count <= 0) return;
      decoder.feed({bytes, static_cast<std::size_t>(count)});
      if (decoder.size() == 0 || !decoder.between_replies()) continue;
      const ReplyArena commands = decoder.take();
      std::string out;
      for (const std::uint32_t node : commands.tops) {
        std::vector<std::string> words;
        for (const Reply& word : Reply(commands, node)) words.emplace_back(word.text());
        const std::string said = answer_(words);
        out += said.empty() ? "+OK\r\n" : said;
      }
      if (::send(client, out.data(), out.size(), MSG_NOSIGNAL) < 0) return;
    }
  }

  Answer answer_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace leitong::redis
