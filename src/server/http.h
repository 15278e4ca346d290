// What the server knows of HTTP: a request, a response, a stream in both directions, and who answers. Free of sockets, so that everything
// but http_server.cpp is tested without any.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/trace.h"

namespace leitong::server {

struct Header {
  std::string name, value;
};
using Headers = std::vector<Header>;
// The first of that name, whatever its case; empty: there is none.
[[nodiscard]] std::string_view header_of(const Headers& headers, std::string_view name);
[[nodiscard]] bool is_same_name(std::string_view a, std::string_view b);

struct Route;
struct Key;

struct Request {
  std::string method, target;  // as they came
  Headers headers;
  std::string body;  // of a route that takes it whole
  std::string peer;  // address of the client, in digits
  bool has_body = false;

  // What the service found out before the body was read.
  const Route* route = nullptr;
  std::map<std::string, std::string, std::less<>> parameters;  // of the path, then of the query; decoded
  std::string id;                                              // of the request
  std::shared_ptr<const Key> key;                              // by which it may be answered; null: none was asked for
  Trace trace;

  [[nodiscard]] std::string_view header(std::string_view name) const { return header_of(headers, name); }
  // Empty: not given.
  [[nodiscard]] std::string_view parameter(std::string_view name) const;
};

class Stream;

struct Response {
  int status = 200;
  Headers headers = {};
  std::string body = {};
  std::unique_ptr<Stream> stream = {};  // instead of the body
};

// A body that is made while it is sent, perhaps of one that is received meanwhile. Its functions are called one at a time; `then` may be
// called from any thread, once, also before feed() returns.
class Stream {
 public:
  struct Step {
    std::string bytes;                // to be sent
    bool ended = false;               // nothing follows
    bool in_line = false;             // a line has begun and not ended
    std::optional<Response> instead;  // if nothing was sent yet: this answer, and nothing else
  };
  using Then = std::function<void(Step)>;

  Stream() = default;
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  // `last`: the received body has ended with these bytes. From then on it is called with nothing, until it has ended.
  virtual void feed(std::string bytes, bool last, Then then) = 0;
};

// How the body of a request is to be taken.
enum class BodyKind { none, whole, streamed };

// Answers requests. All functions are called from the thread of the sockets, and are quick.
class Service {
 public:
  using Reply = std::function<void(Response)>;

  Service() = default;
  virtual ~Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  struct Plan {
    BodyKind body = BodyKind::none;
    std::uint64_t most = 0;          // bytes of it, as it comes, if it is taken whole
    std::optional<Response> answer;  // at once, whatever the body would be
  };
  // After the header, before anything of the body is read.
  virtual Plan plan(Request& request) = 0;
  // With the body if it is taken whole. `reply` may be called from any thread, once.
  virtual void answer(std::shared_ptr<Request> request, Reply reply) = 0;
  // For what the sockets refuse: status, what is wrong, and the limit that it met (0: none). `request` is null for what was none.
  virtual Response refusal(const Request* request, int status, std::string_view why, std::uint64_t limit) = 0;

  // A request has had its answer. `request` is null for what was none.
  struct Served {
    int status = 0;
    std::uint64_t received = 0, sent = 0;  // bytes of bodies
    double seconds = 0;
    bool cut = false;  // the client went away, or was too slow
  };
  virtual void served(const Request* request, const Served& served) = 0;
  virtual void rejected(std::string_view reason) = 0;  // a connection that was not taken, or was ended
  virtual void connections(std::size_t open) = 0;      // so many now

  virtual void tick() = 0;      // once a second
  virtual void stopping() = 0;  // the end begins: not ready any more, streams without an end are to end
  virtual void reload() = 0;    // SIGHUP
};

}  // namespace leitong::server
