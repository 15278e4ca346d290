// HttpClient: requests to the nodes of one service over HTTP or HTTPS (libcurl), with kept connections and retries.
//
//   HttpClient http({.nodes = {{"localhost", 9200}}});
//   const HttpReply reply = http.send({.method = "GET", .path = "/_count"});
//
// Requests go to the nodes in turn. A node that does not answer is left out for a while, as long as another one answers. If a request is
// marked Repeat::harmless, it is sent again to the next node, with growing pauses and within the limits of attempts and time, after an
// answer of 429, 502, 503 or 504 (by which a service says that it did nothing, or does not know) and after a lost connection.
//
// Proxies from the environment (https_proxy, no_proxy) are used for other machines, never for this one. Redirections are not followed.
//
// Threads: an object may be used by one thread at a time. Signals: none are raised.
// Errors: Error(io) names node, method and path (never a body or a secret), what was wrong and what to do; Refusal for certificates and
// keys. Any answer, whatever its status, is returned as a value. After an error the object can be used again.
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
  unsigned attempts = 32;                   // over all nodes
  std::chrono::milliseconds total{60'000};  // no attempt begins after this time
  std::chrono::milliseconds first_pause{50};
  std::chrono::milliseconds longest_pause{3'000};
};

struct HttpSettings {
  std::vector<Endpoint> nodes;
  std::optional<TlsSettings> tls;  // none: plain HTTP
  std::string user, password;      // basic authentication; empty: none
  std::string api_key;             // "Authorization: ApiKey ..."; empty: none
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds timeout{30'000};   // of a whole request, unless the request has its own
  std::chrono::milliseconds leave_out{2'000};  // how long a node that did not answer is left out
  std::size_t gzip_from = 0;                   // bodies of at least this size are compressed; 0: none
  std::size_t largest_answer = std::size_t{1} << 30;
  HttpRetry retry;
};

struct HttpRequest {
  std::string_view method = "GET";
  std::string path;  // with its query, encoded
  std::string_view body = {};
  std::string_view type = "application/json";
  Repeat repeat = Repeat::harmless;
  std::chrono::milliseconds timeout{0};  // 0: the timeout of the settings
  bool busy_is_answer = false;           // return 429 at once: the caller will ask for less
};

struct HttpReply {
  unsigned status = 0;
  std::string body;
  std::string node;  // host:port of the node that answered
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

// Encodes bytes for a path or query: everything but letters, digits and "-._~" becomes %XX.
[[nodiscard]] std::string percent_encoded(std::string_view bytes);

}  // namespace leitong::net
