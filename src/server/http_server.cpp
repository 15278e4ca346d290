#include "server/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <charconv>
#include <csignal>
#include <set>
#include <utility>

#include "leitong/error.h"
#include "server/problem.h"

namespace leitong::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using asio::ip::tcp;
using Failure = boost::system::error_code;
using Clock = std::chrono::steady_clock;
template <class T>
using Task = asio::awaitable<T>;

constexpr std::size_t piece_bytes = std::size_t{64} << 10, buffer_bytes = std::size_t{16} << 10;
constexpr std::chrono::seconds linger_time{2};
constexpr std::uint64_t linger_bytes = 64ULL << 20;

auto into(Failure& failure) { return asio::redirect_error(asio::use_awaitable, failure); }

// Waits for what `start` passes on from any thread; goes on in the executor's.
template <class T>
Task<T> result_of(asio::any_io_executor executor, std::function<void(std::function<void(T)>)> start) {
  auto initiate = [executor, start = std::move(start)](auto handler) {
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    start([executor, shared](T value) {
      auto result = std::make_shared<T>(std::move(value));
      asio::post(executor, [shared, result] { std::move (*shared)(std::move(*result)); });
    });
  };
  return asio::async_initiate<const asio::use_awaitable_t<>, void(T)>(std::move(initiate), asio::use_awaitable);
}

// Lets coroutines of one thread wait for each other. What they wait for is looked at again after each wait.
class Bell {
 public:
  explicit Bell(const asio::any_io_executor& executor) : timer_(executor, Clock::time_point::max()) {}
  Task<void> wait() {
    Failure failure;
    co_await timer_.async_wait(into(failure));
  }
  void ring() { timer_.cancel(); }

 private:
  asio::steady_timer timer_;
};

// A connection as the server sees it.
class Connection {
 public:
  Connection() = default;
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual void stop_if_idle() = 0;  // nothing was asked that has not been answered
  virtual void stop() = 0;
};

// What connections share.
struct Shared {
  const ServerOptions& options;
  Service& service;
  bool stopping = false;  // no answer keeps its connection
  std::set<Connection*> open;
};

beast::tcp_stream& socket_of(beast::tcp_stream& stream) { return stream; }
beast::tcp_stream& socket_of(beast::ssl_stream<beast::tcp_stream>& stream) { return stream.next_layer(); }

template <class Transport>
class Session : public Connection, public std::enable_shared_from_this<Session<Transport>> {
 public:
  Session(Transport transport, Shared& shared, std::string peer)
      : transport_(std::move(transport)), shared_(shared), peer_(std::move(peer)), limits_(shared.options.limits) {
    buffer_.reserve(buffer_bytes);
    shared_.open.insert(this);
    shared_.service.connections(shared_.open.size());
  }
  ~Session() override {
    shared_.open.erase(this);
    shared_.service.connections(shared_.open.size());
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void stop_if_idle() override {
    if (idle_) stop();
  }
  void stop() override {
    Failure failure;
    socket_of(transport_).socket().close(failure);
  }

  Task<void> run() {
    Failure failure;
    if constexpr (!std::is_same_v<Transport, beast::tcp_stream>) {
      socket_of(transport_).expires_after(limits_.header_time);
      co_await transport_.async_handshake(ssl::stream_base::server, into(failure));
      if (failure) co_return;
    }
    for (bool first = true;; first = false) {
      const bool again = co_await serve_one(first);
      if (!again) break;
    }
    co_await end();
  }

 private:
  using Parser = http::request_parser<http::buffer_body>;
  using Sent = Service::Served;

  void expires_after(std::chrono::seconds time) { socket_of(transport_).expires_after(time); }
  asio::any_io_executor executor() { return transport_.get_executor(); }

  // One request and its answer. False: the connection ends.
  Task<bool> serve_one(bool first) {
    Failure failure;
    if (buffer_.size() == 0) {
      idle_ = true;
      if (shared_.stopping) co_return false;
      expires_after(first ? limits_.header_time : limits_.idle_time);
      const std::size_t got = co_await transport_.async_read_some(buffer_.prepare(buffer_bytes), into(failure));
      idle_ = false;
      if (failure) co_return false;
      buffer_.commit(got);
    }
    Parser parser;
    parser.header_limit(limits_.header);
    parser.body_limit(boost::none);
    expires_after(limits_.header_time);
    co_await http::async_read_header(transport_, buffer_, parser, into(failure));
    const auto begun = Clock::now();
    if (failure) co_return co_await refuse_header(failure);
    auto request = std::make_shared<Request>(request_of(parser));
    Sent sent;
    const bool again = co_await answer(parser, request, sent);
    sent.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    shared_.service.served(request.get(), sent);
    co_return again && !shared_.stopping;
  }

  Task<bool> refuse_header(const Failure& failure) {
    if (failure == beast::error::timeout) shared_.service.rejected("slow");
    if (failure.category() != http::make_error_code(http::error::bad_value).category() || failure == http::error::end_of_stream ||
        failure == http::error::partial_message)
      co_return false;
    const bool large = failure == http::error::header_limit || failure == http::error::buffer_overflow;
    Sent sent;
    Response response = shared_.service.refusal(
        nullptr, large ? 431 : 400,
        large ? fmt::format("the header has more than {} bytes", limits_.header) : "this is no HTTP: " + failure.message(),
        large ? limits_.header : 0);
    co_await send(std::move(response), 11, false, false, sent);
    shared_.service.served(nullptr, sent);
    co_return false;
  }

  [[nodiscard]] Request request_of(const Parser& parser) const {
    const auto& message = parser.get();
    Request request;
    request.method = std::string(message.method_string());
    request.target = std::string(message.target());
    request.peer = peer_;
    request.headers.reserve(12);
    for (const auto& field : message) request.headers.push_back({std::string(field.name_string()), std::string(field.value())});
    request.has_body = parser.chunked() || parser.content_length().has_value();
    return request;
  }

  // What a strict server refuses though the parser lets it pass; empty: nothing.
  static std::string_view ambiguity_of(const Request& request, const Parser& parser) {
    const auto count = [&](std::string_view name) {
      return std::count_if(request.headers.begin(), request.headers.end(), [&](const Header& one) { return is_same_name(one.name, name); });
    };
    if (count("Content-Length") > 1) return "there are several Content-Length";
    if (count("Content-Length") > 0 && count("Transfer-Encoding") > 0) return "there are both Content-Length and Transfer-Encoding";
    if (count("Transfer-Encoding") > 0 && !is_same_name(request.header("Transfer-Encoding"), "chunked"))
      return "Transfer-Encoding may be chunked, and nothing else";
    if (parser.get().version() == 11 && count("Host") != 1) return "there must be one Host";
    if (parser.get().version() != 11 && parser.get().version() != 10) return "HTTP/1.1 or HTTP/1.0 is wanted";
    return {};
  }

  Task<bool> answer(Parser& parser, std::shared_ptr<Request> request, Sent& sent) {
    const unsigned version = parser.get().version();
    const std::string_view ambiguity = ambiguity_of(*request, parser);
    // Where this request ends is not sure if it is ambiguous: what follows it is not looked at.
    const bool head = request->method == "HEAD", keep = parser.get().keep_alive() && !shared_.stopping && ambiguity.empty();
    Service::Plan plan = shared_.service.plan(*request);
    if (!ambiguity.empty()) plan.answer = shared_.service.refusal(request.get(), 400, ambiguity, 0);
    if (!plan.answer && plan.body == BodyKind::whole && parser.content_length() && *parser.content_length() > plan.most)
      plan.answer = too_large(*request, plan.most);
    // A body that nobody reads ends the connection, else it would be taken for the next request.
    const bool unread = request->has_body && !parser.is_done();
    if (plan.answer || (plan.body == BodyKind::none && unread)) {
      Response response = plan.answer ? std::move(*plan.answer) : shared_.service.refusal(request.get(), 400, "no body is wanted here", 0);
      co_return co_await send(std::move(response), version, keep && !unread, head, sent) && !unread;
    }
    if (unread && is_same_name(request->header("Expect"), "100-continue") && !co_await go_on(version)) co_return false;
    if (plan.body == BodyKind::whole) {
      const int status = co_await read_whole(parser, *request, plan.most);
      sent.received = request->body.size();
      if (status != 200) {
        sent.status = status;
        sent.cut = status == 408;
        if (sent.cut) co_return false;
        co_await send(too_large(*request, plan.most), version, false, head, sent);
        co_return false;
      }
    }
    std::function<void(std::function<void(Response)>)> ask = [this, request](std::function<void(Response)> reply) {
      shared_.service.answer(request, std::move(reply));
    };
    Response response = co_await result_of<Response>(executor(), std::move(ask));
    if (response.stream && head) response.stream.reset();
    if (!response.stream) co_return co_await send(std::move(response), version, keep, head, sent);
    co_return co_await run_stream(parser, std::move(response), version, keep, sent);
  }

  Response too_large(const Request& request, std::uint64_t most) {
    return shared_.service.refusal(&request, 413,
                                   fmt::format("the body has more than {} bytes; send application/x-ndjson for many records", most), most);
  }

  Task<bool> go_on(unsigned version) {
    Failure failure;
    http::response<http::empty_body> response(http::status::continue_, version);
    expires_after(limits_.body_time);
    co_await http::async_write(transport_, response, into(failure));
    co_return !failure;
  }

  // Reads some of the body; `piece` is what came.
  Task<void> read_some(Parser& parser, std::string& piece, Failure& failure) {
    piece.resize(piece_bytes);
    auto& body = parser.get().body();
    body.data = piece.data();
    body.size = piece.size();
    co_await http::async_read_some(transport_, buffer_, parser, into(failure));
    if (failure == http::error::need_buffer) failure = {};
    piece.resize(piece.size() - body.size);
  }

  // 200: it is there; 413: it is larger; 408: the client went away or was too slow. Each 64 KiB have their time, however they come.
  Task<int> read_whole(Parser& parser, Request& request, std::uint64_t most) {
    std::string piece;
    std::uint64_t next_time = 0;
    while (!parser.is_done()) {
      if (request.body.size() >= next_time) {
        deadline_ = Clock::now() + limits_.body_time;
        next_time = request.body.size() + piece_bytes;
      }
      socket_of(transport_).expires_at(deadline_);
      Failure failure;
      co_await read_some(parser, piece, failure);
      if (failure == beast::error::timeout) shared_.service.rejected("slow");
      if (failure) co_return 408;
      request.body += piece;
      if (request.body.size() > most) co_return 413;
    }
    co_return 200;
  }

  template <class Message>
  void add_headers(Message& message, const Response& response, bool keep) {
    for (const Header& header : response.headers) message.insert(header.name, header.value);
    message.set(http::field::server, "leitong");
    message.keep_alive(keep && !shared_.stopping);
  }

  // True: the connection may go on.
  Task<bool> send(Response response, unsigned version, bool keep, bool head, Sent& sent) {
    Failure failure;
    http::response<http::string_body> message(static_cast<http::status>(response.status), version);
    message.reason(title_of(response.status));
    add_headers(message, response, keep);
    const bool bodiless = response.status == 204 || response.status == 304;
    sent.status = response.status;
    if (!bodiless) message.content_length(response.body.size());
    if (!head && !bodiless) message.body() = std::move(response.body);
    sent.sent = message.body().size();
    expires_after(limits_.body_time * static_cast<int>(1 + sent.sent / (std::size_t{1} << 20)));
    http::response_serializer<http::string_body> serializer(message);
    if (head || bodiless)
      co_await http::async_write_header(transport_, serializer, into(failure));
    else
      co_await http::async_write(transport_, serializer, into(failure));
    sent.cut = static_cast<bool>(failure);
    lingers_ = !keep;
    co_return !failure && keep;
  }

  // What a stream sends is written by a coroutine of its own, so that a client that sends everything before it reads anything is read on.
  struct Outgoing {
    explicit Outgoing(const asio::any_io_executor& executor) : more(executor), room(executor) {}
    std::string bytes;
    bool ended = false, done = false, failed = false, chunked = true;
    std::uint64_t sent = 0;
    Bell more, room;
  };

  Task<void> write_all(std::shared_ptr<Outgoing> out) {
    std::string piece;
    while (!out->failed) {
      if (out->bytes.empty()) {
        if (out->ended) break;
        co_await out->more.wait();
        continue;
      }
      if (out->bytes.size() <= piece_bytes) {
        piece = std::exchange(out->bytes, {});
      } else {
        piece = out->bytes.substr(0, piece_bytes);
        out->bytes.erase(0, piece_bytes);
      }
      Failure failure;
      expires_after(limits_.body_time);
      if (out->chunked)
        co_await asio::async_write(transport_, http::make_chunk(asio::buffer(piece)), into(failure));
      else
        co_await asio::async_write(transport_, asio::buffer(piece), into(failure));
      out->failed = static_cast<bool>(failure);
      out->sent += piece.size();
      out->room.ring();
    }
    if (!out->failed && out->chunked) {
      Failure failure;
      expires_after(limits_.body_time);
      co_await asio::async_write(transport_, http::make_chunk_last(), into(failure));
      out->failed = static_cast<bool>(failure);
    }
    out->done = true;
    out->room.ring();
  }

  Task<bool> send_head(const Response& response, unsigned version, bool keep, Failure& failure) {
    http::response<http::empty_body> message(static_cast<http::status>(response.status), version);
    message.reason(title_of(response.status));
    add_headers(message, response, keep && version == 11);
    if (version == 11) message.chunked(true);
    http::response_serializer<http::empty_body> serializer(message);
    expires_after(limits_.body_time);
    co_await http::async_write_header(transport_, serializer, into(failure));
    co_return !failure;
  }

  Task<Stream::Step> feed(Stream& stream, std::string bytes, bool last) {
    auto shared = std::make_shared<std::string>(std::move(bytes));
    std::function<void(std::function<void(Stream::Step)>)> start = [&stream, shared, last](std::function<void(Stream::Step)> then) {
      stream.feed(std::move(*shared), last, std::move(then));
    };
    co_return co_await result_of<Stream::Step>(executor(), std::move(start));
  }

  Task<bool> run_stream(Parser& parser, Response response, unsigned version, bool keep, Sent& sent) {
    sent.status = response.status;
    auto out = std::make_shared<Outgoing>(executor());
    out->chunked = version == 11;
    bool head_sent = false, broken = false;
    std::string piece;
    Clock::time_point line_began = Clock::now();
    while (!out->failed) {
      piece.clear();
      if (!parser.is_done()) {
        Failure failure;
        socket_of(transport_).expires_at(line_began + limits_.body_time);
        co_await read_some(parser, piece, failure);
        if (failure == beast::error::timeout) shared_.service.rejected("slow");
        broken = static_cast<bool>(failure);
        if (broken) break;
      }
      sent.received += piece.size();
      Stream::Step step = co_await feed(*response.stream, std::move(piece), parser.is_done());
      if (step.instead && !head_sent) {
        const bool unread = !parser.is_done();
        for (Header& header : response.headers)
          if (is_same_name(header.name, "X-Request-Id")) step.instead->headers.push_back(header);
        co_return co_await send(std::move(*step.instead), version, keep && !unread, false, sent) && !unread;
      }
      // A line has its time from its first byte on, and so has the time between two.
      if (!step.in_line || !in_line_) line_began = Clock::now();
      in_line_ = step.in_line;
      if (!head_sent && (!step.bytes.empty() || step.ended)) {
        Failure failure;
        head_sent = true;
        if (!co_await send_head(response, version, keep, failure)) {
          sent.cut = true;
          co_return false;
        }
        asio::co_spawn(executor(), hold(this->shared_from_this(), out), asio::detached);
      }
      out->bytes += step.bytes;
      out->more.ring();
      if (step.ended) break;
      // Something endless is made as fast as it is read; answers to what is sent may wait longer.
      const std::size_t most = parser.is_done() ? piece_bytes : static_cast<std::size_t>(limits_.answers);
      while (out->bytes.size() > most && !out->failed) co_await out->room.wait();
    }
    if (broken) out->failed = true;
    out->ended = true;
    out->more.ring();
    while (head_sent && !out->done) co_await out->room.wait();
    sent.sent = out->sent;
    sent.cut = out->failed || broken;
    lingers_ = !parser.is_done();
    co_return !out->failed && parser.is_done() && keep && version == 11;
  }

  static Task<void> hold(std::shared_ptr<Session> self, std::shared_ptr<Outgoing> out) {
    try {
      co_await self->write_all(out);
    } catch (const std::exception&) {
      out->failed = out->done = true;
      out->room.ring();
    }
  }

  // What the client is still sending is read for a moment: else it would be told of a reset, and not of the answer.
  Task<void> end() {
    Failure failure;
    beast::tcp_stream& socket = socket_of(transport_);
    if (!socket.socket().is_open()) co_return;
    socket.expires_after(linger_time);
    if constexpr (!std::is_same_v<Transport, beast::tcp_stream>) {
      if (!lingers_) co_await transport_.async_shutdown(into(failure));
    }
    socket.socket().shutdown(tcp::socket::shutdown_send, failure);
    std::string piece(lingers_ ? piece_bytes : 1024, '\0');
    socket.expires_after(linger_time);
    for (std::uint64_t bytes = 0; bytes < linger_bytes && !failure;)
      bytes += co_await socket.async_read_some(asio::buffer(piece), into(failure));
    socket.close();
  }

  Transport transport_;
  Shared& shared_;
  std::string peer_;
  const ServerLimits& limits_;
  beast::flat_buffer buffer_;
  Clock::time_point deadline_;
  bool idle_ = false, lingers_ = false, in_line_ = false;
};

tcp::endpoint endpoint_of(asio::io_context& io, const std::string& listen) {
  const std::size_t colon = listen.rfind(':');
  std::uint16_t port = 0;
  const char* end = listen.data() + listen.size();
  if (colon == std::string::npos || std::from_chars(listen.data() + colon + 1, end, port).ptr != end || colon + 1 == listen.size())
    throw Error(ErrorCode::usage, fmt::format("{}: where to listen is ADDRESS:PORT, such as 127.0.0.1:7700 or [::1]:7700", listen));
  std::string host = listen.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  Failure failure;
  const auto address = asio::ip::make_address(host, failure);
  if (!failure) return {address, port};
  tcp::resolver resolver(io);
  const auto found = resolver.resolve(host, std::to_string(port), failure);
  if (failure || found.empty()) throw Error(ErrorCode::usage, fmt::format("{}: there is no such address: {}", listen, failure.message()));
  return found.begin()->endpoint();
}

std::shared_ptr<ssl::context> tls_of(const ServerOptions& options) {
  if (options.certificate.empty()) return nullptr;
  try {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
    context->set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1 |
                         ssl::context::single_dh_use);
    context->use_certificate_chain_file(options.certificate);
    context->use_private_key_file(options.certificate_key, ssl::context::pem);
    return context;
  } catch (const boost::system::system_error& error) {
    throw Error(ErrorCode::io,
                fmt::format("{}, {}: the certificate cannot be used: {}", options.certificate, options.certificate_key, error.what()));
  }
}

}  // namespace

struct HttpServer::Impl {
  Impl(const ServerOptions& server_options, Service& asked) : options(server_options), service(asked), shared{options, service, false, {}} {
    tls = tls_of(options);
    endpoint = endpoint_of(io, options.listen);
    Failure failure;
    acceptor.open(endpoint.protocol(), failure);
    if (!failure) acceptor.set_option(tcp::acceptor::reuse_address(true), failure);
    if (!failure) acceptor.bind(endpoint, failure);
    if (!failure) acceptor.listen(asio::socket_base::max_listen_connections, failure);
    if (!failure) endpoint = acceptor.local_endpoint(failure);
    if (failure) throw Error(ErrorCode::io, fmt::format("{}: cannot listen there: {}", options.listen, failure.message()));
  }

  Task<void> accept() {
    while (acceptor.is_open()) {
      Failure failure;
      tcp::socket socket = co_await acceptor.async_accept(into(failure));
      if (failure == asio::error::operation_aborted || !acceptor.is_open()) co_return;
      if (failure) {  // no descriptor is left, or a client that has gone already
        asio::steady_timer pause(io, std::chrono::milliseconds(50));
        co_await pause.async_wait(into(failure));
        continue;
      }
      begin(std::move(socket));
    }
  }

  void begin(tcp::socket socket) {
    Failure failure;
    socket.set_option(tcp::no_delay(true), failure);
    const auto peer = socket.remote_endpoint(failure);
    if (shared.open.size() >= options.limits.connections) {
      service.rejected("connections");
      constexpr std::string_view busy =
          "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
      socket.non_blocking(true, failure);
      socket.send(asio::buffer(busy), 0, failure);
      return;
    }
    if (tls)
      spawn(beast::ssl_stream<beast::tcp_stream>(beast::tcp_stream(std::move(socket)), *tls), peer.address().to_string());
    else
      spawn(beast::tcp_stream(std::move(socket)), peer.address().to_string());
  }

  template <class Transport>
  void spawn(Transport transport, std::string peer) {
    auto session = std::make_shared<Session<Transport>>(std::move(transport), shared, std::move(peer));
    asio::co_spawn(io, run(std::move(session), tls), asio::detached);
  }
  // The context lives as long as a connection that uses it, also when another one has taken its place.
  template <class Transport>
  static Task<void> run(std::shared_ptr<Session<Transport>> session, std::shared_ptr<ssl::context>) {
    try {
      co_await session->run();
    } catch (const std::exception&) {  // no memory: this connection ends, the others go on
      session->stop();
    }
  }

  Task<void> tick() {
    Failure failure;
    while (!ended) {
      timer.expires_after(std::chrono::seconds(1));
      co_await timer.async_wait(into(failure));
      if (!ended) service.tick();
    }
  }

  Task<void> watch_reload() {
    asio::signal_set reloads(io, SIGHUP);
    while (!ended) {
      Failure failure;
      co_await reloads.async_wait(into(failure));
      if (failure) co_return;
      service.reload();
      try {
        tls = tls_of(options);
      } catch (const Error& error) {
        if (options.note) options.note(fmt::format("the certificate stays as it was: {}", error.what()));
      }
    }
  }

  Task<void> watch_end() {
    asio::signal_set ends(io, SIGTERM, SIGINT);
    Failure failure;
    const int signal = co_await ends.async_wait(into(failure));
    ends.async_wait([](const Failure& wrong, int second) {  // at once, by the signal's own means
      if (wrong) return;
      std::signal(second, SIG_DFL);
      std::raise(second);
    });
    service.stopping();
    if (signal == SIGTERM) co_await pause(options.drain, false);
    acceptor.close(failure);
    shared.stopping = true;
    stop_idle();
    co_await pause(options.grace, true);
    for (Connection* one : std::vector(shared.open.begin(), shared.open.end())) one->stop();
    co_await pause(std::chrono::seconds(10), true);  // what workers still do for them ends
    ended = true;
    io.stop();
  }

  void stop_idle() {
    for (Connection* one : std::vector(shared.open.begin(), shared.open.end())) one->stop_if_idle();
  }

  // Until the time is over or, if asked for, nobody is connected.
  Task<void> pause(std::chrono::seconds time, bool until_empty) {
    const auto end = Clock::now() + time;
    Failure failure;
    while (Clock::now() < end && !(until_empty && shared.open.empty())) {
      asio::steady_timer wait(io, std::min<Clock::duration>(std::chrono::milliseconds(20), end - Clock::now()));
      co_await wait.async_wait(into(failure));
      if (until_empty) stop_idle();
    }
  }

  const ServerOptions& options;
  Service& service;
  Shared shared;  // outlives the connections, which the context holds
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  tcp::endpoint endpoint;
  asio::steady_timer timer{io};
  std::shared_ptr<ssl::context> tls;
  bool ended = false;
};

HttpServer::HttpServer(const ServerOptions& options, Service& service) : impl_(std::make_unique<Impl>(options, service)) {}
HttpServer::~HttpServer() = default;
std::uint16_t HttpServer::port() const { return impl_->endpoint.port(); }
bool HttpServer::is_local() const { return impl_->endpoint.address().is_loopback(); }

void HttpServer::run() {
  asio::co_spawn(impl_->io, impl_->accept(), asio::detached);
  asio::co_spawn(impl_->io, impl_->tick(), asio::detached);
  asio::co_spawn(impl_->io, impl_->watch_reload(), asio::detached);
  asio::co_spawn(impl_->io, impl_->watch_end(), asio::detached);
  impl_->io.run();
}

}  // namespace leitong::server
