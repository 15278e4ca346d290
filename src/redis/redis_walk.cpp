#include "redis/redis_walk.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "leitong/error.h"
#include "net/printable.h"
#include "redis/redis_errors.h"

namespace leitong::redis {
namespace {

constexpr std::uint64_t least_rounds = 16;  // a walk may begin again at least this often before it fails

struct Place {
  std::uint64_t state = 0;    // of the servers when this round began
  std::uint64_t changed = 0;  // bit 0: the servers have changed, so another round is due; the other bits: number of such rounds so far
  std::uint64_t master = 0;
  std::uint64_t cursor = 0;
};

std::string text_of(const Place& place) { return fmt::format("{:x}.{}.{}.{}", place.state, place.changed, place.master, place.cursor); }

Place read_place(const std::string& text) {
  Place place;
  const char* at = text.data();
  const char* const end = at + text.size();
  int base = 16;
  for (std::uint64_t* part : {&place.state, &place.changed, &place.master, &place.cursor}) {
    const auto [stop, error] = std::from_chars(at, end, *part, base);
    const bool last = part == &place.cursor;
    if (error != std::errc() || (last ? stop != end : stop == end || *stop != '.')) {
      throw Error(ErrorCode::usage, fmt::format("\"{}\" is no place of a scan of Redis", net::printable(text, 64)));
    }
    at = stop + 1;
    base = 10;
  }
  return place;
}

[[noreturn]] void fail(const RedisServer& server, const std::string& command, std::string_view said) {
  const KnownError& known = known_error(said);
  const std::string message = fmt::format("{}: {}: {}{}{}", server.endpoint().text(), command, net::printable(said, 200),
                                          known.remedy.empty() ? "" : ": ", known.remedy);
  if (known.kind == ErrorKind::refuse) throw net::Refusal(message);
  throw Error(ErrorCode::io, message);
}

// The replies of `server`, or an error; a single attempt.
ReplyArena ask_once(RedisServer& server, const Commands& commands) {
  ReplyArena replies = server.run(commands);
  for (std::size_t i = 0; i < replies.tops.size(); ++i) {
    const Reply reply(replies, replies.tops[i]);
    if (reply.is_error()) fail(server, commands.describe(i), reply.error());
  }
  return replies;
}

template <class Attempt>
auto retried(const RetrySettings& retry, Attempt&& attempt) {
  const net::Clock::time_point begin = net::Clock::now();
  std::chrono::milliseconds pause = retry.first_pause;
  for (unsigned tries = 1;; ++tries) {
    try {
      return attempt();
    } catch (const net::Refusal&) {
      throw;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::io || tries >= retry.attempts || net::Clock::now() - begin + pause >= retry.total) throw;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, retry.longest_pause);
  }
}

// Reads the table of slots again if a node is gone: a batch that reaches the node does so.
void learn(Redis& redis) {
  Commands ping;
  ping.add({"PING"}, Repeat::harmless, Commands::no_key);
  (void)redis.run(ping);
}

// The slots in a node's own line of CLUSTER NODES, including those that are moving.
std::string_view own_slots(std::string_view nodes) {
  const std::size_t at = nodes.find("myself");
  if (at == std::string_view::npos) return "";
  std::string_view line = nodes.substr(at, nodes.find('\n', at) - at);
  for (int field = 0; field < 6 && !line.empty(); ++field) line.remove_prefix(std::min(line.size(), line.find(' ') + 1));
  return line;
}

std::uint64_t state_of(Redis& redis, bool cluster, const RetrySettings& retry) {
  Commands questions;
  questions.add({"INFO", "server"}, Repeat::harmless, Commands::no_key);
  if (cluster) questions.add({"CLUSTER", "NODES"}, Repeat::harmless, Commands::no_key);
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  const auto add = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x0000'0100'0000'01b3;
  };
  for (const ReplyArena& replies : ask_masters(redis, questions, retry)) {
    add(info_field(Reply(replies, replies.tops[0]).text(), "run_id"));
    if (cluster) add(own_slots(Reply(replies, replies.tops[1]).text()));
  }
  return hash | 1;
}

// The position at which a step continues; for an empty text, the beginning.
Place begin_step(const std::string& text, std::uint64_t state) {
  if (text.empty()) return {state, 0, 0, 0};
  Place place = read_place(text);
  const bool at_beginning = place.master == 0 && place.cursor == 0;  // of a round, in which nothing has been visited yet
  if (place.state != state && !at_beginning) place.changed |= 1;
  place.state = state;
  return place;
}

// Begins another round, after a pause, because moving slots takes time.
std::string begin_again(const Place& place, const RetrySettings& retry) {
  const std::uint64_t rounds = place.changed / 2 + 1;
  if (rounds > std::max<std::uint64_t>(least_rounds, retry.attempts)) {
    throw Error(ErrorCode::io,
                fmt::format("Redis: servers or slots changed during each of {} walks over all keys: wait until the resharding is done and "
                            "the servers stay up, then begin again",
                            rounds));
  }
  std::chrono::milliseconds pause = retry.first_pause;
  for (std::uint64_t round = 1; round < rounds && pause < retry.longest_pause; ++round) pause *= 2;
  std::this_thread::sleep_for(std::min(pause, retry.longest_pause));
  return text_of({place.state, rounds * 2, 0, 0});
}

// After the last master the walk ends, or begins again if something has changed.
std::string end_step(const Place& place, std::size_t masters, const RetrySettings& retry) {
  if (place.master < masters) return text_of(place);
  return (place.changed & 1) != 0 ? begin_again(place, retry) : "";
}

}  // namespace

std::vector<ReplyArena> ask_masters(Redis& redis, const Commands& commands, const RetrySettings& retry) {
  return retried(retry, [&] {
    try {
      const std::vector<RedisServer*> masters = redis.masters();
      if (masters.empty()) {
        throw net::Refusal(
            "Redis: no slots are assigned in this cluster: make it by redis-cli --cluster create, or redis-cli --cluster fix");
      }
      std::vector<ReplyArena> all;
      for (RedisServer* master : masters) all.push_back(ask_once(*master, commands));
      return all;
    } catch (const Error&) {
      learn(redis);
      throw;
    }
  });
}

std::string info_field(std::string_view info, std::string_view name) {
  for (std::size_t at = 0; at < info.size(); at = info.find('\n', at) == std::string_view::npos ? info.size() : info.find('\n', at) + 1) {
    const std::string_view line = info.substr(at, info.find_first_of("\r\n", at) - at);
    if (line.starts_with(name) && line.substr(name.size()).starts_with(':')) return std::string(line.substr(name.size() + 1));
  }
  return "";
}

ScanReply read_scan(const Reply& reply) {
  if (reply.type() == ReplyType::array && reply.size() == 2) {
    auto part = reply.begin();
    const std::string_view written = (*part).text();
    std::uint64_t cursor = 0;
    const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), cursor);
    const Reply found = *++part;
    if (error == std::errc() && end == written.data() + written.size() && found.type() == ReplyType::array) return {cursor, found};
  }
  throw Error(ErrorCode::format, "Redis: the reply to SCAN is not a cursor and a list: is it a Redis server?");
}

std::string glob_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("*?[]^-\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string KeyWalk::step(Redis& redis, const std::string& place, std::size_t count,
                          const std::function<void(const std::vector<std::string>&)>& keys) const {
  Place at = begin_step(place, state_of(redis, cluster, retry));
  std::size_t masters = 0;
  const ReplyArena replies = retried(retry, [&] {
    const std::vector<RedisServer*> all = redis.masters();
    masters = all.size();
    if (at.master >= masters) return ReplyArena{};
    const std::string cursor = std::to_string(at.cursor), some = std::to_string(count);
    std::vector<std::string_view> words = {"SCAN", cursor, "MATCH", match, "COUNT", some};
    if (!type.empty()) words.insert(words.end(), {"TYPE", type});
    Commands scan;
    scan.add(words, Repeat::harmless, Commands::no_key);
    try {
      return ask_once(*all[at.master], scan);
    } catch (const Error&) {
      learn(redis);
      throw;
    }
  });
  if (replies.tops.empty()) return end_step({at.state, at.changed | 1, masters, 0}, masters, retry);
  const ScanReply scanned = read_scan(Reply(replies, replies.tops[0]));
  at.cursor = scanned.cursor;
  std::vector<std::string> found;
  for (const Reply& key : scanned.found) found.emplace_back(key.text());
  keys(found);
  if (at.cursor == 0) ++at.master;
  return end_step(at, masters, retry);
}

std::string KeyWalk::hash_step(Redis& redis, const std::string& key, const std::string& place, std::size_t count,
                               const std::function<void(std::string_view, std::string_view)>& visit) const {
  Place at = begin_step(place, state_of(redis, cluster, retry));
  Commands scan;
  scan.add({"HSCAN", key, std::to_string(at.cursor), "COUNT", std::to_string(count)}, Repeat::harmless);
  const Replies replies = redis.run(scan);
  if (replies[0].is_error()) throw Error(ErrorCode::io, "Redis: HSCAN " + net::printable(key, 64) + ": " + std::string(replies[0].error()));
  const ScanReply scanned = read_scan(replies[0]);
  at.cursor = scanned.cursor;
  std::optional<std::string_view> field;
  for (const Reply& text : scanned.found) {
    if (field) {
      visit(*field, text.text());
      field.reset();
    } else {
      field = text.text();
    }
  }
  if (at.cursor == 0) ++at.master;
  return end_step(at, 1, retry);
}

}  // namespace leitong::redis
