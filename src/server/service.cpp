#include "server/service.h"

#include <arpa/inet.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "leitong/version.h"
#include "server/addition.h"
#include "server/answers.h"
#include "server/coding.h"
#include "server/packed_stream.h"

namespace leitong::server {
namespace {

constexpr std::size_t least_packed = 1024;
constexpr unsigned ticks_between_signs = 15;  // of life to streams that have nothing to say

bool is_address(const std::string& host) {
  in6_addr any{};
  const std::string bare = host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
  return ::inet_pton(AF_INET, bare.c_str(), &any) == 1 || ::inet_pton(AF_INET6, bare.c_str(), &any) == 1;
}

std::string without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  return std::string(colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos ? host.substr(0, colon) : host);
}

bool is_loopback(std::string_view peer) { return peer.starts_with("127.") || peer == "::1" || peer.starts_with("::ffff:127."); }

bool is_json(const Request& request) {
  const std::string_view type = request.header("Content-Type");
  return is_same_name(type.substr(0, type.find(';')), "application/json");
}

// Of a route that takes lines: whole unless lines, or for documents a Parquet file, come.
BodyKind body_kind(const Request& request) {
  if (request.route->body != BodyKind::streamed || is_ndjson(request)) return request.route->body;
  return request.route->run == add_documents && is_parquet(request) ? BodyKind::streamed : BodyKind::whole;
}

// 00-TRACE-PARENT-FLAGS of lower-case hexadecimal digits; anything else is left out of answers and logs.
bool is_traceparent(std::string_view value) {
  constexpr std::string_view form = "00-hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh-hhhhhhhhhhhhhhhh-hh";
  return value.size() == form.size() && std::equal(value.begin(), value.end(), form.begin(), [](char c, char wanted) {
           return wanted == 'h' ? (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') : c == wanted;
         });
}

std::uint64_t random_number() {
  std::random_device random;
  return std::uint64_t{random()} << 32U | random();
}

}  // namespace

ApiService::ApiService(Api& api) : api_(api), process_(random_number()) {
  const ServerOptions& options = api.engine.options;
  keys_ = std::make_shared<const Keys>(options.keys.empty() ? Keys() : Keys::read(options.keys));
  api.engine.metrics.set(Metrics::build_info, {version(), instruction_set()}, 1);
  api.engine.metrics.set(Metrics::requests_in_flight, {}, 0);
  api.engine.metrics.set(Metrics::process_start_seconds, {}, static_cast<double>(std::time(nullptr)));
}

void ApiService::require_host(const Request& request) const {
  // A foreign page whose name was made to lead here (DNS rebinding) still says its own name.
  const std::string host = without_port(request.header("Host"));
  const auto& names = api_.engine.options.hosts;
  const bool known = is_same_name(host, "localhost") || is_address(host) ||
                     std::any_of(names.begin(), names.end(), [&](const std::string& name) { return is_same_name(name, host); });
  if (!known) throw Problem(421, "host", "the server does not go by this name; --host NAME adds one");
}

void ApiService::require_origin(const Request& request) const {
  const std::string_view origin = request.header("Origin");
  if (origin.empty() || origin == api_.engine.options.cors_origin) return;
  const std::size_t host = origin.find("://");
  if (host != std::string_view::npos && is_same_name(origin.substr(host + 3), request.header("Host"))) return;
  throw Problem(403, "origin", "pages of another origin may not ask this server; --cors-origin allows one");
}

void ApiService::require_key(Request& request) const {
  const Scope scope = request.route->scope;
  const std::shared_ptr<const Keys> keys = keys_.load();
  if (scope == Scope::none || api_.engine.options.keys.empty()) return;
  if (scope == Scope::metrics && is_loopback(request.peer)) return;
  std::string_view given = request.header("Authorization");
  constexpr std::string_view scheme = "Bearer ";
  if (given.size() <= scheme.size() || !is_same_name(given.substr(0, scheme.size()), scheme))
    throw Problem(401, "key", "a key is needed: Authorization: Bearer KEY");
  const Key* key = keys->find(given.substr(scheme.size()), std::chrono::system_clock::now());
  if (key == nullptr) throw Problem(401, "key", "the key is not known, or has expired");
  request.key = std::make_shared<const Key>(*key);
  if (!key->may(scope)) throw Problem(403, "scope", "the key has not the scope that this needs");
}

void ApiService::admit(Request& request) {
  require_host(request);
  require_origin(request);
  Routed routed = find_route(routes(), request.method, request.target);
  if (routed.route == nullptr) {
    if (routed.allowed.empty()) throw Problem(404, "no-route", "there is nothing at this path; /openapi.json says what there is");
    throw Problem(405, "method", "this path takes " + routed.allowed, member("allow", std::string_view(routed.allowed)));
  }
  request.route = routed.route;
  request.parameters = std::move(routed.parameters);
  require_key(request);
}

Service::Plan ApiService::plan(Request& request) {
  request.id = fmt::format("{:016x}", process_ + ++requests_ * 0x9e3779b97f4a7c15ULL);
  request.trace = std::make_shared<TraceCounts>();
  api_.engine.metrics.add(Metrics::requests_in_flight, {});
  Plan plan;
  const ServerOptions& options = api_.engine.options;
  try {
    if (request.method == "OPTIONS" && !options.cors_origin.empty() && request.header("Origin") == options.cors_origin) {
      plan.answer = Response{204,
                             {{"Access-Control-Allow-Methods", "GET, POST, PUT, DELETE"},
                              {"Access-Control-Allow-Headers", "Authorization, Content-Type, Content-Encoding, If-Match"}}};
    } else {
      admit(request);
      plan.body = body_kind(request);
      plan.most = options.limits.body;
      if (plan.body != BodyKind::none && !request.has_body)
        throw Problem(411, "length", "a body is wanted, with Content-Length or Transfer-Encoding: chunked");
      if (plan.body == BodyKind::whole && !is_json(request))
        throw Problem(415, "type",
                      fmt::format("the body must be application/json{}{}",
                                  request.route->body == BodyKind::streamed ? " or application/x-ndjson" : "",
                                  request.route->run == add_documents ? " or application/vnd.apache.parquet" : ""));
      static_cast<void>(coding_of(request.header("Content-Encoding")));
    }
  } catch (...) {
    const Problem problem = problem_of(std::current_exception());
    plan.answer = to_response(problem, request.id);
    if (problem.status == 405) {
      const Routed routed = find_route(routes(), "", request.target);
      plan.answer->headers.push_back({"Allow", routed.allowed});
    }
  }
  if (plan.answer) finish(request, *plan.answer);
  return plan;
}

void ApiService::answer(std::shared_ptr<Request> request, Reply reply) {
  const auto since = std::chrono::steady_clock::now();
  api_.engine.workers.post([this, request = std::move(request), reply = std::move(reply), since] {
    request->trace->queued +=
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - since).count());
    run(request, reply);
  });
}

void ApiService::run(const std::shared_ptr<Request>& request, const Reply& reply) {
  const auto call = std::make_shared<Call>();
  call->request = request;
  call->key = request->key.get();
  call->reply = [this, request, reply](Response response) {
    finish(*request, response);
    reply(std::move(response));
  };
  answer_unless_thrown(call, [&] {
    const Coding coding = coding_of(request->header("Content-Encoding"));
    if (!request->body.empty() && coding != Coding::identity) {
      std::string plain;
      Unpacker(coding, api_.engine.options.limits.body).unpack(request->body, true, plain);
      request->body = std::move(plain);
    }
    request->route->run(api_, call);
  });
}

void ApiService::finish(const Request& request, Response& response) const {
  response.headers.push_back({"X-Request-Id", request.id});
  response.headers.push_back({"X-Content-Type-Options", "nosniff"});
  if (header_of(response.headers, "Content-Security-Policy").empty())
    response.headers.push_back({"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"});
  if (header_of(response.headers, "Cache-Control").empty()) response.headers.push_back({"Cache-Control", "no-store"});
  if (is_traceparent(request.header("traceparent")))
    response.headers.push_back({"traceparent", std::string(request.header("traceparent"))});
  const std::string& origin = api_.engine.options.cors_origin;
  if (!origin.empty()) {
    response.headers.push_back({"Access-Control-Allow-Origin", origin});
    response.headers.push_back({"Vary", "Origin"});
  }
  const Coding coding = accepted_coding(request.header("Accept-Encoding"));
  if (coding == Coding::identity || (!response.stream && response.body.size() < least_packed)) return;
  response.headers.push_back({"Content-Encoding", std::string(name_of(coding))});
  response.headers.push_back({"Vary", "Accept-Encoding"});
  if (response.stream) {
    response.stream = std::make_unique<PackedStream>(std::move(response.stream), coding);
  } else {
    std::string packed;
    Packer(coding).pack(response.body, true, packed);
    response.body = std::move(packed);
  }
}

Response ApiService::refusal(const Request* request, int status, std::string_view why, std::uint64_t limit) {
  const Problem problem(status, status == 413 || status == 431 ? "limit" : "request", std::string(why),
                        limit == 0 ? std::string() : member("limit", limit));
  Response response = to_response(problem, request == nullptr ? std::string_view() : std::string_view(request->id));
  if (request != nullptr) finish(*request, response);
  return response;
}

void ApiService::served(const Request* request, const Served& served) {
  Metrics& metrics = api_.engine.metrics;
  const std::string_view route = request != nullptr && request->route != nullptr ? request->route->path : "none";
  const std::string_view method = request != nullptr && request->route != nullptr ? request->route->method : "none";
  const std::string code = std::to_string(served.status);
  metrics.add(Metrics::requests, {method, route, code});
  metrics.observe(Metrics::request_seconds, {method, route}, served.seconds);
  if (request != nullptr) metrics.add(Metrics::requests_in_flight, {}, -1);
  if (served.status == 413 || served.status == 431) metrics.add(Metrics::rejected, {"size"});
  if (api_.engine.options.log) api_.engine.options.log(log_line(request, served));
}

// Nothing of what was sent but what is known here by name: no text, no id of a document.
std::string ApiService::log_line(const Request* request, const Served& served) const {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto milliseconds = now.time_since_epoch().count() % 1000;
  std::string out =
      fmt::format("{{\"time\":\"{:%Y-%m-%dT%H:%M:%S}.{:03}Z\",\"code\":{}", fmt::gmtime(std::time(nullptr)), milliseconds, served.status);
  out +=
      fmt::format(",\"received\":{},\"sent\":{},\"us\":{}", served.received, served.sent, static_cast<std::uint64_t>(served.seconds * 1e6));
  if (served.cut) out += ",\"cut\":true";
  if (request != nullptr) {
    out += fmt::format(",\"request\":\"{}\",\"peer\":\"{}\"", request->id, request->peer);
    if (request->key) out += ",\"key\":" + json_text(request->key->name);
    if (request->route != nullptr) {
      out += fmt::format(",\"method\":\"{}\",\"route\":\"{}\"", request->route->method, request->route->path);
      if (request->route->scope != Scope::none && !request->parameter("collection").empty())
        out += ",\"collection\":" + json_text(request->parameter("collection").substr(0, 100));
    }
    if (request->trace)
      out += fmt::format(",\"records\":{},\"queued_us\":{},\"computing_us\":{},\"syncing_us\":{}", request->trace->records.load(),
                         request->trace->queued.load(), request->trace->computing.load(), request->trace->syncing.load());
    if (is_traceparent(request->header("traceparent"))) out += fmt::format(",\"traceparent\":\"{}\"", request->header("traceparent"));
  }
  return out + "}";
}

void ApiService::rejected(std::string_view reason) { api_.engine.metrics.add(Metrics::rejected, {reason}); }

void ApiService::connections(std::size_t open) { api_.engine.metrics.set(Metrics::connections, {}, static_cast<double>(open)); }

void ApiService::tick() {
  if (++ticks_ % ticks_between_signs != 0) return;
  for (const CollectionPtr& one : api_.collections.all()) one->feed().wake();
}

void ApiService::stopping() {
  api_.stopping = true;
  api_.jobs.stop_all();
  for (const CollectionPtr& one : api_.collections.all()) one->feed().wake();
}

void ApiService::reload() {
  const ServerOptions& options = api_.engine.options;
  if (options.keys.empty()) return;
  try {
    keys_ = std::make_shared<const Keys>(Keys::read(options.keys));
    if (options.note) options.note("the keys were read again");
  } catch (const std::exception& error) {
    if (options.note) options.note(fmt::format("the keys stay as they were: {}", error.what()));
  }
}

}  // namespace leitong::server
