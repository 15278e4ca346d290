// TcpStream: one TCP connection, with TLS (OpenSSL 3) if asked for. Once it is connected, no call blocks.
//
//   TcpStream stream({"localhost", 6379}, settings);         connects, or throws
//   sent += stream.write(bytes.substr(sent));                 writes what the system takes now
//   if (const auto n = stream.read(buffer)) ...               reads what has arrived
//   pollfd one = stream.waiting(sent < bytes.size());         otherwise wait, and try both again
//   wait_for({&one, 1}, deadline);
//
// Threads: an object belongs to one thread at a time. Signals: EINTR is never seen, SIGPIPE is never raised.
// Errors: Error(io) names host:port, what was being done and what to do; Refusal if another attempt with the same settings cannot succeed
// (for example if the certificate is not trusted). After an error the stream cannot be used. Names are resolved by the system's resolver,
// whose time-outs are not under our control.
#pragma once

#include <poll.h>

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "leitong/error.h"

namespace leitong::net {

using Clock = std::chrono::steady_clock;

// An error that the same request with the same settings would cause again.
class Refusal : public Error {
 public:
  explicit Refusal(const std::string& message) : Error(ErrorCode::io, message) {}
};

struct Endpoint {
  std::string host;  // a name, or an IPv4 or IPv6 address without brackets
  std::uint16_t port = 0;
  // host:port; [host]:port of an IPv6 address. Here, for addresses are named where there is no net too (CONTRIBUTING.md, "A smaller
  // build").
  [[nodiscard]] std::string text() const {
    return (host.find(':') == std::string::npos ? host : '[' + host + ']') + ':' + std::to_string(port);
  }
  friend auto operator<=>(const Endpoint&, const Endpoint&) = default;
};

struct TlsSettings {
  std::string ca_file;                     // PEM; empty: the system's certificates
  std::string certificate_file, key_file;  // PEM, without a pass phrase; empty: the client shows no certificate
  std::string server_name;                 // what the certificate must name; empty: the host
  bool insecure = false;                   // accepts any certificate
};

struct StreamSettings {
  std::chrono::milliseconds connect_timeout{5'000};  // all addresses of the host together, and as much again for TLS
  std::chrono::milliseconds read_timeout{10'000};    // the longest wait for bytes of an answer (enforced by the caller)
  std::chrono::milliseconds write_timeout{10'000};   // the longest wait until bytes are accepted (enforced by the caller)
  std::optional<TlsSettings> tls;                    // none: plain TCP
};

class TcpStream {
 public:
  TcpStream(const Endpoint& endpoint, const StreamSettings& settings);
  ~TcpStream();
  TcpStream(const TcpStream&) = delete;
  TcpStream& operator=(const TcpStream&) = delete;

  // Both transfer what they can without waiting, and return the number of bytes. If read() returns 0, nothing has arrived yet or, if
  // ended(), nothing more will arrive. After a read of more than 0 bytes, read again before waiting: TLS may hold bytes that poll does not
  // see.
  std::size_t read(std::span<char> into);
  std::size_t write(std::string_view bytes);
  [[nodiscard]] bool ended() const;  // the peer closed the connection properly

  [[nodiscard]] pollfd waiting(bool unsent) const;  // `unsent`: there is something to write

 private:
  class Tls;
  int socket_ = -1;
  bool ended_ = false;
  std::string name_;  // host:port, for messages
  std::unique_ptr<Tls> tls_;
};

// Waits until one of the streams can continue or the deadline has passed.
void wait_for(std::span<pollfd> streams, Clock::time_point deadline);

}  // namespace leitong::net
