#include "net/tcp_stream.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>

namespace leitong::net {
namespace {

constexpr std::size_t max_step = std::size_t{1} << 30;  // OpenSSL counts in int

[[noreturn]] void fail(const std::string& name, std::string_view doing, std::string_view reason) {
  throw Error(ErrorCode::io, fmt::format("{}: {}: {}", name, doing, reason));
}

[[noreturn]] void refuse(const std::string& name, std::string_view doing, std::string_view reason) {
  throw Refusal(fmt::format("{}: {}: {}", name, doing, reason));
}

std::string explain(int error) {
  switch (error) {
    case ECONNREFUSED:
      return "refused: is the server running, and is this its port?";
    case ETIMEDOUT:
      return "timed out: is the host up, and does a firewall let this port through?";
    case EHOSTUNREACH:
    case ENETUNREACH:
      return "no route to the host: is the address right, and the network up?";
    case ECONNRESET:
    case EPIPE:
      return "the other side closed the connection: its log says why; a port that speaks TLS does so when TLS is not asked for";
    default:
      return std::generic_category().message(error);
  }
}

std::chrono::milliseconds left_until(Clock::time_point deadline) {
  return std::max(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()), std::chrono::milliseconds(0));
}

bool wait_one(int socket, short events, Clock::time_point deadline) {
  pollfd one{socket, events, 0};
  wait_for({&one, 1}, deadline);
  return one.revents != 0;
}

// Connects to one address; returns the socket, or -1 and sets `error`.
int connect_address(const addrinfo& address, Clock::time_point deadline, int& error) {
  const int fd = ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol);
  if (fd < 0) {
    error = errno;
    return -1;
  }
  error = ::connect(fd, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS || error == EINTR) {  // an interrupted connect continues in the background
    error = ETIMEDOUT;
    socklen_t size = sizeof error;
    if (wait_one(fd, POLLOUT, deadline) && ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  }
  if (error == 0) {
    // Small commands are sent without delay, and a dead peer is detected eventually. The connection also works without these options.
    const int on = 1;
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    return fd;
  }
  ::close(fd);
  return -1;
}

int connect_host(const Endpoint& endpoint, const std::string& name, std::chrono::milliseconds timeout) {
  addrinfo hints{}, *list = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  const int status = ::getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &hints, &list);
  if (status == EAI_SYSTEM) fail(name, "looking up the host", explain(errno));
  if (status != 0) fail(name, "looking up the host", fmt::format("{}: is the name right?", ::gai_strerror(status)));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(list, ::freeaddrinfo);
  int addresses = 0, error = 0;
  for (const addrinfo* at = list; at != nullptr; at = at->ai_next) ++addresses;
  const Clock::time_point deadline = Clock::now() + timeout;
  for (const addrinfo* at = list; at != nullptr; at = at->ai_next, --addresses) {
    // Each address gets an equal share of the remaining time, so that one that never answers does not use up all of it.
    const int fd = connect_address(*at, Clock::now() + left_until(deadline) / addresses, error);
    if (fd >= 0) return fd;
  }
  fail(name, "connecting", error == ETIMEDOUT ? fmt::format("no answer in {} ms; {}", timeout.count(), explain(error)) : explain(error));
}

// The transport for OpenSSL: reads from and writes to the socket. OpenSSL's own socket BIO would raise SIGPIPE.
struct Wire {
  int socket = -1;
  int error = 0;
  bool ended = false;
};

Wire& wire_of(BIO* bio) { return *static_cast<Wire*>(BIO_get_data(bio)); }

template <class Transfer>
int transfer(BIO* bio, int retry, Transfer&& once) {
  BIO_clear_retry_flags(bio);
  Wire& wire = wire_of(bio);
  ssize_t count = 0;
  do count = once(wire.socket);
  while (count < 0 && errno == EINTR);
  if (count < 0) {
    if (errno == EAGAIN) {
      BIO_set_flags(bio, retry | BIO_FLAGS_SHOULD_RETRY);
    } else {
      wire.error = errno;
    }
  }
  return static_cast<int>(count);
}

int wire_write(BIO* bio, const char* bytes, int size) {
  return transfer(bio, BIO_FLAGS_WRITE, [&](int fd) { return ::send(fd, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL); });
}

int wire_read(BIO* bio, char* into, int size) {
  const int count = transfer(bio, BIO_FLAGS_READ, [&](int fd) { return ::recv(fd, into, static_cast<std::size_t>(size), 0); });
  if (count == 0) wire_of(bio).ended = true;
  return count;
}

long wire_control(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_EOF) return wire_of(bio).ended ? 1 : 0;
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

BIO_METHOD* wire_method() {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "leitong");
    BIO_meth_set_write(made, wire_write);
    BIO_meth_set_read(made, wire_read);
    BIO_meth_set_ctrl(made, wire_control);
    return made;
  }();
  return method;
}

bool is_address(const std::string& host) {
  unsigned char bytes[16];
  return ::inet_pton(AF_INET, host.c_str(), bytes) == 1 || ::inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

std::string reason_of(unsigned long error) {
  const char* words = ERR_reason_error_string(error);
  return words != nullptr ? words : fmt::format("error {:#x}", error);
}

}  // namespace

class TcpStream::Tls {
 public:
  Tls(const Endpoint& endpoint, const StreamSettings& settings, int socket, const std::string& name) : name_(name) {
    wire_.socket = socket;
    context_.reset(SSL_CTX_new(TLS_client_method()));
    if (!context_) refuse(name_, "setting up TLS", reason_of(ERR_get_error()));
    trust(*settings.tls);
    show_certificate(*settings.tls);
    ssl_.reset(SSL_new(context_.get()));
    BIO* bio = ssl_ ? BIO_new(wire_method()) : nullptr;
    if (bio == nullptr) refuse(name_, "setting up TLS", reason_of(ERR_get_error()));
    BIO_set_data(bio, &wire_);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl_.get(), bio, bio);  // takes ownership
    expect(settings.tls->server_name.empty() ? endpoint.host : settings.tls->server_name);
    shake_hands(Clock::now() + settings.connect_timeout, settings.connect_timeout);
  }

  ~Tls() {
    ERR_clear_error();
    if (healthy_) (void)SSL_shutdown(ssl_.get());  // sends the close message without waiting for an answer
    ERR_clear_error();
  }

  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  std::size_t read(std::span<char> into, bool& ended) {
    ERR_clear_error();
    const int count = SSL_read(ssl_.get(), into.data(), static_cast<int>(std::min(into.size(), max_step)));
    read_events = POLLIN;
    if (count > 0) return static_cast<std::size_t>(count);
    ended = pause_or_fail(count, "reading", read_events);
    return 0;
  }

  std::size_t write(std::string_view bytes) {
    ERR_clear_error();
    const int count = SSL_write(ssl_.get(), bytes.data(), static_cast<int>(std::min(bytes.size(), max_step)));
    write_events = POLLOUT;
    if (count > 0) return static_cast<std::size_t>(count);
    if (pause_or_fail(count, "writing", write_events)) fail(name_, "writing", explain(EPIPE));
    return 0;
  }

  short read_events = POLLIN, write_events = POLLOUT;  // events to wait for: TLS may have to write in order to read

 private:
  void trust(const TlsSettings& tls) {
    SSL_CTX* const context = context_.get();
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_verify(context, tls.insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
    if (tls.ca_file.empty()) {
      if (SSL_CTX_set_default_verify_paths(context) != 1) refuse(name_, "reading the system's certificates", reason_of(ERR_get_error()));
    } else if (SSL_CTX_load_verify_file(context, tls.ca_file.c_str()) != 1) {
      refuse(name_, "reading ca=" + tls.ca_file, reason_of(ERR_peek_last_error()) + ": it must be a file of certificates in PEM");
    }
  }

  void show_certificate(const TlsSettings& tls) {
    if (tls.certificate_file.empty() != tls.key_file.empty()) {
      refuse(name_, "setting up TLS", "a client certificate needs both cert=FILE and key=FILE");
    }
    if (tls.certificate_file.empty()) return;
    // Without this callback OpenSSL would ask for a pass phrase on the terminal.
    SSL_CTX_set_default_passwd_cb(context_.get(), [](char*, int, int, void*) { return -1; });
    if (SSL_CTX_use_certificate_chain_file(context_.get(), tls.certificate_file.c_str()) != 1) {
      refuse(name_, "reading cert=" + tls.certificate_file, reason_of(ERR_peek_last_error()) + ": it must be a certificate in PEM");
    }
    if (SSL_CTX_use_PrivateKey_file(context_.get(), tls.key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
      refuse(name_, "reading key=" + tls.key_file,
             reason_of(ERR_peek_last_error()) + ": it must be the certificate's key in PEM, without a pass phrase");
    }
  }

  void expect(const std::string& host) {
    const bool address = is_address(host);
    // The server may choose its certificate by this name. It must be a name, not an address.
    if (!address) SSL_set_tlsext_host_name(ssl_.get(), host.c_str());
    if (address) {
      X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str());
    } else {
      SSL_set1_host(ssl_.get(), host.c_str());
    }
  }

  void shake_hands(Clock::time_point deadline, std::chrono::milliseconds timeout) {
    constexpr std::string_view doing = "beginning TLS";
    for (;;) {
      ERR_clear_error();
      const int done = SSL_connect(ssl_.get());
      if (done == 1) break;
      short events = POLLIN;
      if (pause_or_fail(done, doing, events)) fail(name_, doing, "the server closed the connection: does this port speak TLS?");
      if (!wait_one(wire_.socket, events, deadline)) {
        fail(name_, doing, fmt::format("no answer in {} ms: does this port speak TLS?", timeout.count()));
      }
    }
    healthy_ = established_ = true;
  }

  // Returns true if the stream has ended, and false if it can continue after `events`.
  bool pause_or_fail(int count, std::string_view doing, short& events) {
    const int error = SSL_get_error(ssl_.get(), count);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
      events = error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
      return false;
    }
    healthy_ = false;
    if (error == SSL_ERROR_ZERO_RETURN) return true;
    if (error == SSL_ERROR_SYSCALL) fail(name_, doing, explain(wire_.error != 0 ? wire_.error : ECONNRESET));
    say_why(doing);
  }

  [[noreturn]] void say_why(std::string_view doing) {
    const unsigned long error = ERR_peek_error();
    switch (ERR_GET_REASON(error)) {
      case SSL_R_CERTIFICATE_VERIFY_FAILED: {
        const long verified = SSL_get_verify_result(ssl_.get());
        const bool named = verified == X509_V_ERR_HOSTNAME_MISMATCH || verified == X509_V_ERR_IP_ADDRESS_MISMATCH;
        refuse(name_, doing,
               fmt::format(
                   "the server's certificate is not trusted ({}): {}", X509_verify_cert_error_string(verified),
                   named ? "connect by a name that it holds, or give it as server name" : "give the authority that signed it as ca=FILE"));
      }
      case SSL_R_WRONG_VERSION_NUMBER:
        if (established_) fail(name_, doing, "TLS: " + reason_of(error));
        refuse(name_, doing, "the server does not speak TLS on this port: use its TLS port, or no TLS");
      case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
      case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
        refuse(name_, doing, reason_of(error) + ": the server may want a client certificate: give cert=FILE and key=FILE");
      case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
      case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
        refuse(name_, doing, reason_of(error) + ": the server does not trust the client's certificate: give one that its authority signed");
      case SSL_R_UNEXPECTED_EOF_WHILE_READING:
        fail(name_, doing, explain(ECONNRESET));
      default:
        fail(name_, doing, "TLS: " + reason_of(error));
    }
  }

  std::string name_;
  Wire wire_;
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_{nullptr, SSL_CTX_free};
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_{nullptr, SSL_free};
  bool established_ = false;  // the handshake is done
  bool healthy_ = false;      // ... and nothing has failed since
};

TcpStream::TcpStream(const Endpoint& endpoint, const StreamSettings& settings) : name_(endpoint.text()) {
  socket_ = connect_host(endpoint, name_, settings.connect_timeout);
  try {
    if (settings.tls) tls_ = std::make_unique<Tls>(endpoint, settings, socket_, name_);
  } catch (...) {
    ::close(socket_);
    throw;
  }
}

TcpStream::~TcpStream() {
  tls_.reset();
  ::close(socket_);
}

std::size_t TcpStream::read(std::span<char> into) {
  if (ended_ || into.empty()) return 0;
  if (tls_) return tls_->read(into, ended_);
  ssize_t count = 0;
  do count = ::recv(socket_, into.data(), into.size(), 0);
  while (count < 0 && errno == EINTR);
  if (count < 0 && errno != EAGAIN) fail(name_, "reading", explain(errno));
  ended_ = count == 0;
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

std::size_t TcpStream::write(std::string_view bytes) {
  if (bytes.empty()) return 0;
  if (tls_) return tls_->write(bytes);
  ssize_t count = 0;
  do count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  if (count < 0 && errno != EAGAIN) fail(name_, "writing", explain(errno));
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

bool TcpStream::ended() const { return ended_; }

pollfd TcpStream::waiting(bool unsent) const {
  const short read_events = tls_ ? tls_->read_events : short{POLLIN};
  const short write_events = tls_ ? tls_->write_events : short{POLLOUT};
  return {socket_, static_cast<short>(read_events | (unsent ? write_events : 0)), 0};
}

void wait_for(std::span<pollfd> streams, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::min<std::int64_t>(left_until(deadline).count(), std::numeric_limits<int>::max());
    if (::poll(streams.data(), streams.size(), static_cast<int>(left)) >= 0) return;
    if (errno != EINTR) throw Error(ErrorCode::io, "waiting for a connection: " + std::generic_category().message(errno));
  }
}

}  // namespace leitong::net
