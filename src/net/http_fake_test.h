// For tests: an HTTP server on loopback, in the same process, whose answers the test chooses.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "net/tcp_stream.h"

namespace leitong::net {

struct FakeRequest {
  std::string method, path, headers, body;
};

struct FakeAnswer {
  int status = 200;
  std::string body = "{}";
  std::size_t cut = std::string::npos;  // the connection is closed after this many bytes of the body
  bool silent = false;                  // the connection is closed without an answer
  std::chrono::milliseconds delay{0};
};

class FakeHttpServer {
 public:
  using Answer = std::function<FakeAnswer(const FakeRequest&)>;

  explicit FakeHttpServer(Answer answer) : answer_(std::move(answer)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("the fake server cannot listen");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~FakeHttpServer() {
    stop_ = true;
    thread_.join();
    for (const int fd : clients_) ::close(fd);
    ::close(listener_);
  }
  FakeHttpServer(const FakeHttpServer&) = delete;
  FakeHttpServer& operator=(const FakeHttpServer&) = delete;

  [[nodiscard]] Endpoint endpoint() const { return {"127.0.0.1", port_}; }
  [[nodiscard]] std::vector<FakeRequest> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  [[nodiscard]] unsigned connections() const { return connections_; }

 private:
  void serve() {
    while (!stop_) {
      std::vector<pollfd> all = {{listener_, POLLIN, 0}};
      for (const int fd : clients_) all.push_back({fd, POLLIN, 0});
      if (::poll(all.data(), all.size(), 5) <= 0) continue;
      if (all[0].revents != 0) {
        clients_.push_back(::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC));
        ++connections_;
      }
      for (std::size_t i = 1; i < all.size(); ++i) {
        if (all[i].revents == 0 || one_request(all[i].fd)) continue;
        ::close(all[i].fd);
        std::erase(clients_, all[i].fd);
      }
    }
  }

  // Returns false when the connection is over.
  bool one_request(int fd) {
    std::string bytes;
    std::size_t end = std::string::npos;
    while (end == std::string::npos) {
      if (!more(fd, bytes)) return false;
      end = bytes.find("\r\n\r\n");
    }
    FakeRequest request;
    const std::size_t first = bytes.find(' '), second = bytes.find(' ', first + 1);
    request.method = bytes.substr(0, first);
    request.path = bytes.substr(first + 1, second - first - 1);
    request.headers = bytes.substr(0, end + 2);
    std::size_t length = 0;
    if (const std::size_t at = bytes.find("Content-Length: "); at < end) {
      (void)std::from_chars(bytes.data() + at + 16, bytes.data() + end, length);
    }
    while (bytes.size() < end + 4 + length) {
      if (!more(fd, bytes)) return false;
    }
    request.body = bytes.substr(end + 4);
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    return reply(fd, answer_(request));
  }

  static bool reply(int fd, const FakeAnswer& answer) {
    std::this_thread::sleep_for(answer.delay);
    if (answer.silent) return false;
    const std::string bytes = "HTTP/1.1 " + std::to_string(answer.status) +
                              " Said\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(answer.body.size()) +
                              "\r\n\r\n" + answer.body.substr(0, answer.cut);
    return ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()) && answer.cut == std::string::npos;
  }

  static bool more(int fd, std::string& bytes) {
    char piece[64 * 1024];
    const ssize_t count = ::recv(fd, piece, sizeof piece, 0);
    if (count > 0) bytes.append(piece, static_cast<std::size_t>(count));
    return count > 0;
  }

  Answer answer_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::vector<int> clients_;
  std::mutex mutex_;
  std::vector<FakeRequest> requests_;
  std::atomic<unsigned> connections_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace leitong::net
