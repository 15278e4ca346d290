// For tests: a TCP proxy on loopback that cuts, delays or damages the stream at a byte that the test chooses.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "net/tcp_stream.h"

namespace leitong::net {

class TcpProxy {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  enum class Way { up, down };  // to the server, from the server

  // Bytes are counted over all connections since the last arm(). When `at` bytes have passed in this direction, the fault occurs once.
  struct Fault {
    enum class Kind { none, cut, reset, garble, stall } kind = Kind::none;
    Way way = Way::up;
    std::int64_t at = never;
    char garbage = 0;                    // garble: XORed with the byte
    std::chrono::milliseconds delay{0};  // before each piece
    std::size_t piece = 64 * 1024;       // most bytes passed on at once
    bool refuse_later = false;           // refuse connections after the fault
  };

  explicit TcpProxy(Endpoint target) : target_(std::move(target)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("the proxy cannot listen");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~TcpProxy() {
    stop_ = true;
    thread_.join();
    ::close(listener_);
  }
  TcpProxy(const TcpProxy&) = delete;
  TcpProxy& operator=(const TcpProxy&) = delete;

  void arm(const Fault& fault) {
    const std::lock_guard lock(mutex_);
    fault_ = fault;
    passed_[0] = passed_[1] = 0;
    struck_ = false;
  }
  [[nodiscard]] std::int64_t passed(Way way) {
    const std::lock_guard lock(mutex_);
    return passed_[static_cast<int>(way)];
  }
  [[nodiscard]] bool struck() const { return struck_; }
  [[nodiscard]] Endpoint endpoint() const { return {"127.0.0.1", port_}; }

 private:
  static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }

  void serve() {
    std::vector<std::jthread> connections;
    while (!stop_) {
      pollfd one{listener_, POLLIN, 0};
      if (::poll(&one, 1, 5) <= 0) continue;
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client >= 0) connections.emplace_back([this, client] { connect(client); });
    }
  }

  void connect(int client) {
    const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(target_.port);
    bool hard = false;
    if (!(struck_ && current().refuse_later) && ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      hard = pass(client, server);
    }
    if (hard) {
      const linger at_once{1, 0};
      (void)::setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
    ::close(client);
    ::close(server);
  }

  Fault current() {
    const std::lock_guard lock(mutex_);
    return fault_;
  }

  // Returns true if the connection must end with a reset.
  bool pass(int client, int server) {
    char bytes[64 * 1024];
    while (!stop_) {
      pollfd both[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
      if (::poll(both, 2, 5) <= 0) continue;
      for (int way = 0; way < 2; ++way) {
        if (both[way].revents == 0) continue;
        const Fault fault = current();
        const ssize_t count = ::recv(both[way].fd, bytes, std::min(fault.piece, sizeof bytes), 0);
        if (count <= 0) return false;
        if (fault.delay.count() > 0) std::this_thread::sleep_for(fault.delay);
        std::int64_t through = count;
        bool strikes = false;
        {
          const std::lock_guard lock(mutex_);
          const std::int64_t before = passed_[way];
          strikes = !struck_ && fault_.kind != Fault::Kind::none && static_cast<int>(fault_.way) == way && fault_.at >= before &&
                    fault_.at < before + count;
          if (strikes) {
            if (fault_.kind == Fault::Kind::garble) {
              bytes[fault_.at - before] = static_cast<char>(bytes[fault_.at - before] ^ fault_.garbage);
            } else {
              through = fault_.at - before;
            }
            struck_ = true;
          }
          passed_[way] += through;
        }
        send_all(both[1 - way].fd, bytes, static_cast<std::size_t>(through));
        if (!strikes || fault.kind == Fault::Kind::garble) continue;
        // The server may still answer complete requests; the answers are dropped.
        while (fault.kind == Fault::Kind::stall && !stop_ && open(client)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return fault.kind == Fault::Kind::reset;
      }
    }
    return false;
  }

  static bool open(int fd) {
    char byte = 0;
    const ssize_t count = ::recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  }

  static void send_all(int fd, const char* bytes, std::size_t size) {
    while (size > 0) {
      const ssize_t count = ::send(fd, bytes, size, MSG_NOSIGNAL);
      if (count <= 0) return;
      bytes += count;
      size -= static_cast<std::size_t>(count);
    }
  }

  Endpoint target_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  Fault fault_;
  std::int64_t passed_[2] = {0, 0};
  std::atomic<bool> struck_{false}, stop_{false};
  std::thread thread_;
};

}  // namespace leitong::net
