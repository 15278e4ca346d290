#include "redis/redis_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "net/printable.h"
#include "redis/redis_errors.h"

namespace leitong::redis {
namespace {

constexpr std::size_t read_size = std::size_t{128} << 10;
constexpr std::size_t write_size = std::size_t{256} << 10;  // bytes written before replies are read

}  // namespace

RedisServer::RedisServer(net::Endpoint endpoint, net::StreamSettings stream, RedisAccount account, DecodeLimits limits)
    : endpoint_(std::move(endpoint)), settings_(std::move(stream)), account_(std::move(account)), decoder_(limits) {}

void RedisServer::close() {
  stream_.reset();
  commands_ = nullptr;
}

void RedisServer::lose(const Error& error) {
  close();
  std::string message = error.what();
  if (!message.starts_with(endpoint_.text())) message = endpoint_.text() + ": " + message;
  if (dynamic_cast<const net::Refusal*>(&error) != nullptr) throw net::Refusal(message);
  throw Error(error.code(), message);
}

void RedisServer::connect() {
  if (buffer_.empty()) buffer_.resize(read_size);
  if (stream_ && commands_ == nullptr) {
    // No reply is due. If anything has arrived, or the stream has ended, the server has closed the connection.
    try {
      if (stream_->read(buffer_) == 0 && !stream_->ended()) return;
    } catch (const Error&) {
    }
  }
  close();
  try {
    stream_ = std::make_unique<net::TcpStream>(endpoint_, settings_);
    greet();
  } catch (const Error& error) {
    lose(error);
  }
}

void RedisServer::greet() {
  Commands greeting;
  std::size_t auth = 0;
  if (!account_.password.empty() || !account_.user.empty()) {
    auth = 1;
    if (account_.user.empty()) {
      greeting.add({"AUTH", account_.password}, Repeat::harmless, Commands::no_key);
    } else {
      greeting.add({"AUTH", account_.user, account_.password}, Repeat::harmless, Commands::no_key);
    }
  }
  if (account_.database != 0) greeting.add({"SELECT", std::to_string(account_.database)}, Repeat::harmless, Commands::no_key);
  greeting.add({"CLIENT", "SETNAME", "leitong"}, Repeat::harmless, Commands::no_key);
  start(greeting);
  while (!step()) {
    pollfd one = stream_->waiting(written_ < greeting.bytes().size());
    net::wait_for({&one, 1}, deadline_);
  }
  commands_ = nullptr;
  check_greeting(decoder_.take(), auth);
}

void RedisServer::check_greeting(const ReplyArena& replies, std::size_t auth) const {
  for (std::size_t i = 0; i < replies.tops.size(); ++i) {
    const Reply reply(replies, replies.tops[i]);
    if (!reply.is_error()) continue;
    const KnownError& row = known_error(reply.error());
    const bool naming = i + 1 == replies.tops.size();
    // A server may quote the arguments of a command that it rejects, so its answer to AUTH must not be repeated: it may contain the
    // password.
    const std::string said = i < auth ? std::string(row.begins) : net::printable(reply.error(), 200);
    if (row.kind == ErrorKind::later) throw Error(ErrorCode::io, fmt::format("{}: {}: {}", endpoint_.text(), said, row.remedy));
    if (naming && row.begins != "NOAUTH" && row.begins != "DENIED") continue;  // the name of the connection is not essential
    if (i < auth && row.kind == ErrorKind::value) {
      throw net::Refusal(endpoint_.text() +
                         ": the server refused AUTH: does it have this user and a password at all, and the command AUTH?");
    }
    throw net::Refusal(fmt::format("{}: {}{}{}", endpoint_.text(), said, row.remedy.empty() ? "" : ": ", row.remedy));
  }
}

void RedisServer::start(const Commands& commands) {
  commands_ = &commands;
  written_ = 0;
  (void)decoder_.take();
  deadline_ = net::Clock::now() + settings_.write_timeout;
}

bool RedisServer::step() {
  const std::string_view bytes = commands_->bytes();
  bool progress = false;
  if (written_ < bytes.size()) {
    const std::size_t count = stream_->write(bytes.substr(written_, write_size));
    written_ += count;
    progress = count > 0;
  }
  while (decoder_.size() < commands_->size() || !decoder_.between_replies()) {
    const std::size_t count = stream_->read(buffer_);
    if (count == 0) break;
    decoder_.feed({buffer_.data(), count});
    progress = true;
  }
  if (decoder_.size() > commands_->size()) {
    throw Error(ErrorCode::format, "Redis: more replies than commands: is something between us and the server?");
  }
  if (decoder_.size() == commands_->size() && decoder_.between_replies() && written_ == bytes.size()) return true;
  if (stream_->ended()) {
    throw Error(ErrorCode::io,
                endpoint_.text() + ": the server closed the connection: is it shutting down, or does it speak only TLS here?");
  }
  const auto timeout = written_ < bytes.size() ? settings_.write_timeout : settings_.read_timeout;
  const net::Clock::time_point now = net::Clock::now();
  if (progress) deadline_ = now + timeout;
  if (now >= deadline_) {
    throw Error(ErrorCode::io, fmt::format("{}: no {} for {} ms: is the server overloaded, or the time-out too short?", endpoint_.text(),
                                           written_ < bytes.size() ? "bytes were taken" : "answer", timeout.count()));
  }
  return false;
}

std::size_t RedisServer::sent() const {
  std::size_t low = 0, high = commands_->size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (commands_->end_of(middle) <= written_) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

ReplyArena RedisServer::run(const Commands& commands) {
  Exchange one{this, &commands};
  exchange({&one, 1});
  if (!one.failure) return std::move(one.replies);
  std::vector<std::uint32_t> doubtful(one.sent - one.replies.tops.size());
  std::iota(doubtful.begin(), doubtful.end(), static_cast<std::uint32_t>(one.replies.tops.size()));
  std::string message = one.failure->what();
  if (!doubtful.empty()) message += "; may or may not have been executed: " + name_commands(commands, doubtful);
  if (one.final) throw net::Refusal(message);
  throw Error(one.failure->code(), message);
}

void exchange(std::span<Exchange> all) {
  std::vector<Exchange*> open;
  const auto guarded = [](Exchange& part, auto&& action) {
    try {
      return action();
    } catch (const Error& error) {
      RedisServer& server = *part.server;
      if (server.commands_ != nullptr) {
        part.sent = server.sent();
        part.replies = server.decoder_.take();
        part.sent = std::max(part.sent, part.replies.tops.size());
      }
      part.final = dynamic_cast<const net::Refusal*>(&error) != nullptr;
      try {
        server.lose(error);
      } catch (const Error& named) {
        part.failure = named;
      }
    }
    return true;
  };
  for (Exchange& part : all) {
    const bool failed = guarded(part, [&] {
      part.server->connect();
      return false;
    });
    if (!failed) open.push_back(&part);
  }
  for (Exchange* part : open) part->server->start(*part->commands);
  std::vector<pollfd> waits;
  for (;;) {
    std::erase_if(open, [&](Exchange* part) {
      return guarded(*part, [&] {
        RedisServer& server = *part->server;
        if (!server.step()) return false;
        server.commands_ = nullptr;
        part->sent = part->commands->size();
        part->replies = server.decoder_.take();
        return true;
      });
    });
    if (open.empty()) return;
    waits.clear();
    net::Clock::time_point deadline = net::Clock::time_point::max();
    for (const Exchange* part : open) {
      const RedisServer& server = *part->server;
      waits.push_back(server.stream_->waiting(server.written_ < part->commands->bytes().size()));
      deadline = std::min(deadline, server.deadline_);
    }
    try {
      net::wait_for(waits, deadline);
    } catch (const Error& error) {
      for (Exchange* part : open) (void)guarded(*part, [&]() -> bool { throw error; });
      return;
    }
  }
}

std::string name_commands(const Commands& commands, std::span<const std::uint32_t> which) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(which.size(), 3); ++i) text += (i > 0 ? ", " : "") + commands.describe(which[i]);
  return which.size() > 3 ? fmt::format("{} and {} more", text, which.size() - 3) : text;
}

}  // namespace leitong::redis
