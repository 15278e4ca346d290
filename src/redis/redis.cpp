#include "redis/redis.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include "leitong/error.h"
#include "net/printable.h"
#include "redis/redis_errors.h"
#include "redis/redis_slots.h"

namespace leitong::redis {
namespace {

constexpr std::uint32_t asking = std::numeric_limits<std::uint32_t>::max();  // stands for an ASKING in the list of a server's commands

// The commands for one server in one attempt.
struct Part {
  RedisServer* server = nullptr;
  std::vector<std::uint32_t> which;  // indices of the commands in the batch
  Commands picked;                   // these commands, unless they are the whole batch
};

// The state of a batch that is being executed.
struct Batch {
  const Commands& commands;
  Replies replies;
  std::vector<std::uint32_t> pending;                       // ascending
  std::unordered_map<std::uint32_t, RedisServer*> askings;  // for a command answered by ASK: the server to ask next, once
  std::vector<bool> doubtful;                               // may have been executed already
  std::string last_problem;                                 // in the last attempt
  bool learn = false;                                       // the table of slots must be read again: it was wrong, or a node did not answer
  bool pause = false;  // a server refused a command for now, or a connection was lost: wait before the next attempt
};

// The reason why a batch cannot continue.
struct Obstacle {
  std::string message;
  bool final = false;  // another attempt cannot succeed
};

std::vector<std::uint32_t> all_of(std::size_t size) {
  std::vector<std::uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

// For example "1.2.3.4:6379: SADD a: OOM words: remedy".
std::string complaint(const RedisServer& server, const Commands& commands, std::uint32_t i, std::string_view said,
                      std::string_view remedy) {
  return fmt::format("{}: {}: {}{}{}", server.endpoint().text(), commands.describe(i), net::printable(said, 200),
                     remedy.empty() ? "" : ": ", remedy);
}

// Describes which commands have no reply: those not executed, and those that may have been.
std::string state_of(const Batch& batch) {
  std::vector<std::uint32_t> open, doubtful;
  for (const std::uint32_t i : batch.pending) (batch.doubtful[i] ? doubtful : open).push_back(i);
  std::string text;
  if (!doubtful.empty()) text += "; may or may not have been executed: " + name_commands(batch.commands, doubtful);
  if (!open.empty()) text += "; not executed: " + name_commands(batch.commands, open);
  return text;
}

}  // namespace

struct Redis::Impl {
  RedisSettings settings;
  std::map<net::Endpoint, std::unique_ptr<RedisServer>> servers;
  std::vector<RedisServer*> owner;  // of each slot; null: unknown. Without a cluster: one element
  unsigned turn = 0;                // rotates the order in which nodes are asked for the slots

  explicit Impl(RedisSettings given) : settings(std::move(given)) {
    if (settings.servers.empty()) throw Error(ErrorCode::usage, "Redis: no server is given (host:port)");
    if (!settings.cluster && settings.servers.size() > 1) {
      throw Error(ErrorCode::usage, "Redis: several servers are given, which only a cluster has: connect to it as a cluster");
    }
    if (settings.cluster && settings.account.database != 0) throw Error(ErrorCode::usage, "Redis: a cluster has only database 0");
  }

  RedisServer* server(const net::Endpoint& endpoint) {
    std::unique_ptr<RedisServer>& made = servers[endpoint];
    if (!made) made = std::make_unique<RedisServer>(endpoint, settings.stream, settings.account, settings.limits);
    return made.get();
  }

  void open() {
    if (!settings.cluster) {
      owner = {server(settings.servers.front())};
      owner.front()->connect();
      return;
    }
    owner.assign(hash_slots, nullptr);
    if (const auto problem = learn_slots()) throw Error(ErrorCode::io, *problem);
  }

  // Asks one node after the other for the table of slots, connected nodes first. Each call begins with another node, because a node that is
  // cut off from the others would return its old table every time. Returns the last problem if no node gives the table.
  std::optional<std::string> learn_slots() {
    for (const net::Endpoint& seed : settings.servers) server(seed);
    std::vector<RedisServer*> order;
    for (const auto& [endpoint, one] : servers) order.push_back(one.get());
    const auto unconnected = std::stable_partition(order.begin(), order.end(), [](const RedisServer* one) { return one->connected(); });
    if (unconnected != order.begin()) std::rotate(order.begin(), order.begin() + turn++ % (unconnected - order.begin()), unconnected);
    std::string problem;
    for (RedisServer* one : order) {
      try {
        Commands question;
        question.add({"CLUSTER", "SLOTS"}, Repeat::harmless, Commands::no_key);
        const ReplyArena replies = one->run(question);
        const Reply reply(replies, replies.tops[0]);
        if (!reply.is_error()) {
          take_slots(read_slots(reply, one->endpoint()));
          return std::nullopt;
        }
        problem = complaint(*one, question, 0, reply.error(), known_error(reply.error()).remedy);
      } catch (const Error& error) {
        problem = error.what();
      }
    }
    return problem;
  }

  void take_slots(const SlotTable& table) {
    std::vector<RedisServer*> masters;
    for (const net::Endpoint& endpoint : table.masters) masters.push_back(server(endpoint));
    for (unsigned slot = 0; slot < hash_slots; ++slot) {
      owner[slot] = table.owner[slot] == SlotTable::nobody ? nullptr : masters[table.owner[slot]];
    }
    for (const auto& [endpoint, one] : servers) {
      if (std::find(masters.begin(), masters.end(), one.get()) == masters.end()) one->close();
    }
  }

  RedisServer* choose(const Batch& batch, std::uint32_t i) {
    if (!settings.cluster) return owner.front();
    RedisServer* const one = batch.commands.has_key(i) ? owner[hash_slot(batch.commands.key(i))] : nullptr;
    if (one != nullptr) return one;
    // The command has no key, or the slot's owner is unknown: any connected node answers it or redirects it.
    for (const auto& [endpoint, any] : servers) {
      if (any->connected()) return any.get();
    }
    return servers.begin()->second.get();
  }

  std::vector<Part> split(Batch& batch) {
    if (!settings.cluster && batch.pending.size() == batch.commands.size()) return {{owner.front(), batch.pending, {}}};
    std::vector<Part> parts;
    std::unordered_map<RedisServer*, std::size_t> place;
    for (const std::uint32_t i : batch.pending) {
      const auto ask = batch.askings.find(i);
      RedisServer* const one = ask != batch.askings.end() ? ask->second : choose(batch, i);
      const auto [at, fresh] = place.try_emplace(one, parts.size());
      if (fresh) parts.push_back({one, {}, {}});
      Part& part = parts[at->second];
      if (ask != batch.askings.end()) {
        part.picked.add({"ASKING"}, Repeat::harmless, Commands::no_key);
        part.which.push_back(asking);
      }
      part.picked.append(batch.commands, i);
      part.which.push_back(i);
    }
    batch.askings.clear();
    return parts;
  }

  // One attempt: sends everything that is pending. What remains pending may be tried again.
  void attempt(Batch& batch) {
    std::vector<Part> parts = split(batch);
    std::vector<Exchange> exchanges;
    for (Part& part : parts) exchanges.push_back({part.server, part.picked.size() > 0 ? &part.picked : &batch.commands});
    exchange(exchanges);
    std::vector<Redirection> moves;
    std::vector<std::uint32_t> left;
    std::optional<Obstacle> obstacle;
    for (std::size_t p = 0; p < parts.size(); ++p) settle(batch, parts[p], exchanges[p], moves, left, obstacle);
    std::sort(left.begin(), left.end());
    batch.pending = std::move(left);
    if (obstacle && obstacle->final) throw net::Refusal(obstacle->message + state_of(batch));
    if (obstacle) throw Error(ErrorCode::io, obstacle->message + state_of(batch));
    if (batch.learn && settings.cluster) (void)learn_slots();                  // if it fails, the next attempt shows the problem
    for (const Redirection& move : moves) owner[move.slot] = server(move.to);  // newer than the table of some node
    batch.learn = false;
  }

  void settle(Batch& batch, const Part& part, Exchange& done, std::vector<Redirection>& moves, std::vector<std::uint32_t>& left,
              std::optional<Obstacle>& obstacle) {
    auto arena = std::make_unique<ReplyArena>(std::move(done.replies));
    const auto number = static_cast<std::uint32_t>(batch.replies.arenas_.size());
    const std::size_t answered = arena->tops.size();
    for (std::size_t j = 0; j < part.which.size(); ++j) {
      const std::uint32_t i = part.which[j];
      if (i == asking) continue;
      if (j >= answered) {
        if (j < done.sent) batch.doubtful[i] = true;
        left.push_back(i);
        if (!obstacle && (done.final || batch.commands.repeat(i) == Repeat::never)) obstacle = {done.failure->what(), done.final};
        continue;
      }
      const Reply reply(*arena, arena->tops[j]);
      const KnownError& row = reply.is_error() ? known_error(reply.error()) : KnownError{};
      if (row.kind == ErrorKind::value) {
        batch.replies.at_[i] = {number, arena->tops[j]};
        continue;
      }
      left.push_back(i);
      if (redirect(batch, part, i, row.kind, reply, moves)) continue;
      const bool again = row.kind == ErrorKind::later && batch.commands.repeat(i) == Repeat::harmless;
      std::string problem = complaint(*part.server, batch.commands, i, reply.error(), row.remedy);
      if (again) {
        batch.last_problem = std::move(problem);
        batch.learn = batch.pause = true;
      } else if (!obstacle) {
        obstacle = {std::move(problem), row.kind != ErrorKind::later};
      }
    }
    if (done.failure) {
      batch.last_problem = done.failure->what();
      batch.learn = batch.pause = true;
    }
    batch.replies.arenas_.push_back(std::move(arena));
  }

  bool redirect(Batch& batch, const Part& part, std::uint32_t i, ErrorKind kind, const Reply& reply, std::vector<Redirection>& moves) {
    if (!settings.cluster || (kind != ErrorKind::moved && kind != ErrorKind::ask)) return false;
    batch.last_problem =
        complaint(*part.server, batch.commands, i, reply.error(), "the cluster sends us in circles: see redis-cli --cluster check");
    const auto to = read_redirection(reply.error(), part.server->endpoint());
    if (!to) {
      batch.learn = batch.pause = true;
    } else if (kind == ErrorKind::ask) {
      batch.askings[i] = server(to->to);
    } else {
      batch.learn = true;
      moves.push_back(*to);
    }
    return true;
  }

  Replies run(const Commands& commands) {
    if (commands.size() >= asking) throw Error(ErrorCode::limit, "Redis: more than 4,294,967,294 commands in one batch");
    Batch batch{commands, Replies(commands.size()), all_of(commands.size()), {}, std::vector<bool>(commands.size()), {}};
    const net::Clock::time_point begin = net::Clock::now();
    std::chrono::milliseconds pause = settings.retry.first_pause;
    for (unsigned tries = 1; !batch.pending.empty(); ++tries) {
      batch.pause = tries > 4;  // redirections are followed at once, but only a few times
      attempt(batch);
      if (batch.pending.empty()) break;
      const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(net::Clock::now() - begin);
      const auto rest = batch.pause ? pause : std::chrono::milliseconds(0);
      if (tries >= settings.retry.attempts || passed + rest >= settings.retry.total) {
        throw Error(ErrorCode::io,
                    fmt::format("{}; given up after {} attempts in {} ms{}", batch.last_problem, tries, passed.count(), state_of(batch)));
      }
      if (!batch.pause) continue;
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, settings.retry.longest_pause);
    }
    return std::move(batch.replies);
  }
};

Redis::Redis(RedisSettings settings) : impl_(std::make_unique<Impl>(std::move(settings))) { impl_->open(); }
Redis::~Redis() = default;

Replies Redis::run(const Commands& commands) { return impl_->run(commands); }

std::vector<RedisServer*> Redis::masters() {
  std::vector<RedisServer*> found;
  for (RedisServer* one : impl_->owner) {
    if (one != nullptr && (found.empty() || found.back() != one)) found.push_back(one);
  }
  std::sort(found.begin(), found.end(), [](const RedisServer* a, const RedisServer* b) { return a->endpoint() < b->endpoint(); });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace leitong::redis
