// HttpServer: sockets, TLS, HTTP/1.1 and signals, on one thread. The only source that knows Boost is http_server.cpp.
#pragma once

#include <cstdint>
#include <memory>

#include "leitong/server.h"
#include "server/http.h"

namespace leitong::server {

class HttpServer {
 public:
  // Listens from now on. Throws Error(usage) for an address that is none, Error(io) if it cannot listen or read the certificate.
  HttpServer(const ServerOptions& options, Service& service);
  ~HttpServer();

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] bool is_local() const;  // the address is of this machine alone
  // Until SIGTERM or SIGINT, and then until what had begun has ended.
  void run();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::server
