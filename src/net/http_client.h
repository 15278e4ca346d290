// HttpClient: requests to the nodes of one service over HTTP or HTTPS (libcurl), with kept connections and retries.
//
//   HttpClient http({.nodes = {{"localhost", 9200}}});
//   const HttpReply reply = http.send({.method = "GET", .path = "/_count"});
//
// Nodes take turns. One that does not answer is left out for a while, as long as another does. What a node answers with 429, 502, 503 or
// 504 (which a service sends before it has done anything, or when nobody knows), and what was lost with a connection, is sent again, with
// growing pauses, to the next node, as long as attempts and time last, if the request is marked Repeat::harmless.
//
// The environment's proxies (https_proxy, no_proxy) are used for other machines, never for this one. Redirections are not followed.
//
// Threads: an object belongs to one thread at a time. Signals: none are raised.
// Errors: Error(io) that names node, method and path (never a body or a secret), what was wrong and what to do; Refusal for certificates
// and keys. Any answer, whatever its status, is a value. The object can be used again.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/repeat.h"
#include "net/tcp_stream.h"

namespace leitong::net {

struct HttpRetry {
  unsigned attempts = 32;                   // each of all nodes
  std::chrono::milliseconds total{60'000};  // none is begun after it
  std::chrono::milliseconds first_pause{50};
  std::chrono::milliseconds longest_pause{3'000};
};

struct HttpSettings {
  std::vector<Endpoint> nodes;
  std::optional<TlsSettings> tls;  // none: plain HTTP
  std::string user, password;      // Basic; empty: none
  std::string api_key;             // "Authorization: ApiKey ..."; empty: none
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds timeout{30'000};   // of a whole request, unless it has its own
  std::chrono::milliseconds leave_out{2'000};  // a node that did not answer
  std::size_t gzip_from = 0;                   // bodies of so many bytes are sent compressed; 0: none
  std::size_t largest_answer = std::size_t{1} << 30;
  HttpRetry retry;
};

struct HttpRequest {
  std::string_view method = "GET";
  std::string path;  // with its query, encoded
  std::string_view body = {};
  std::string_view type = "application/json";
  Repeat repeat = Repeat::harmless;
  std::chrono::milliseconds timeout{0};  // 0: the settings'
  bool busy_is_answer = false;           // 429 comes back at once: who asks again asks for less
};

struct HttpReply {
  unsigned status = 0;
  std::string body;
  std::string node;  // host:port, which answered
};

class HttpClient {
 public:
  explicit HttpClient(HttpSettings settings);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  HttpReply send(const HttpRequest& request);
  [[nodiscard]] const HttpSettings& settings() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Bytes as they stand in a path or query: what is no letter, digit or one of "-._~" as %XX.
[[nodiscard]] std::string percent_encoded(std::string_view bytes);

}  // namespace leitong::net
