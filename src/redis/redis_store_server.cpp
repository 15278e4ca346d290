#include "redis/redis_store_server.h"

#include <fmt/core.h>

#include <charconv>

#include "leitong/error.h"
#include "net/printable.h"
#include "redis/redis_inspect.h"
#include "redis/redis_layout.h"
#include "redis/redis_store.h"
#include "redis/redis_walk.h"

namespace leitong::redis {

RedisSettings redis_settings(const remote::StoreUrl& url) {
  RedisSettings settings;
  settings.servers = url.servers;
  settings.cluster = url.kind == remote::StoreKind::redis_cluster;
  settings.account.user = url.user;
  settings.account.password = url.password;
  std::from_chars(url.path.data(), url.path.data() + url.path.size(), settings.account.database);  // checked by parse_store_url
  settings.stream.read_timeout = settings.stream.write_timeout = url.timeout;
  settings.stream.connect_timeout = std::min(url.timeout, settings.stream.connect_timeout);
  if (url.tls) settings.stream.tls = url.tls_settings;
  return settings;
}

RedisStoreServer::RedisStoreServer(const remote::StoreUrl& url) : name_(remote::without_secrets(url)), settings_(redis_settings(url)) {
  if (const auto prefix = url.settings.find("prefix"); prefix != url.settings.end()) prefix_ = prefix->second;
}

Redis& RedisStoreServer::redis() {
  if (!redis_) redis_ = std::make_unique<Redis>(settings_);
  return *redis_;
}

std::optional<std::string> RedisStoreServer::record() {
  Commands question;
  question.add({"GET", prefix_ + std::string(record_key)}, Repeat::harmless);
  const Replies replies = redis().run(question);
  if (replies[0].is_nil()) return std::nullopt;
  return std::string(replies[0].text());
}

bool RedisStoreServer::empty() {
  if (prefix_.empty()) {
    Commands question;
    question.add({"DBSIZE"}, Repeat::harmless, Commands::no_key);
    for (const ReplyArena& reply : ask_masters(redis(), question, settings_.retry)) {
      if (Reply(reply, reply.tops[0]).integer() != 0) return false;
    }
    return true;
  }
  const KeyWalk keys{glob_escaped(prefix_) + "*", "", settings_.cluster, settings_.retry};
  bool found = false;
  remote::ScanPlace place;
  do {
    place = keys.step(redis(), place, 10'000, [&](const std::vector<std::string>& some) { found = found || !some.empty(); });
  } while (!found && !place.empty());
  return !found;
}

std::string RedisStoreServer::layout_of(std::string_view named, unsigned k) const { return to_json(read_redis_layout(named, k)); }

// A store under the prefix "a" could have keys that a store under "ab" has, too. Stores under longer prefixes are found where the keys
// under this prefix are examined.
void RedisStoreServer::refuse_shorter_prefixes() {
  Commands question;
  for (std::size_t length = 0; length < prefix_.size(); ++length)
    question.add({"EXISTS", prefix_.substr(0, length) + std::string(record_key)}, Repeat::harmless);
  const Replies replies = redis().run(question);
  for (std::size_t length = 0; length < replies.size(); ++length) {
    if (replies[length].integer() == 0) continue;
    throw Error(ErrorCode::usage,
                fmt::format("{}: there is a collection behind the prefix \"{}\", with which this one begins, and their keys could be the "
                            "same; use another prefix or another database",
                            name_, net::printable(std::string_view(prefix_).substr(0, length), 64)));
  }
}

void RedisStoreServer::make(const std::string& record, const std::string& layout) {
  (void)read_redis_layout(layout, std::nullopt);
  refuse_shorter_prefixes();
  if (!empty()) {
    if (this->record()) throw Error(ErrorCode::usage, fmt::format("{}: there is a collection already", name_));
    throw Error(ErrorCode::usage,
                fmt::format("{}: there are keys already; use another prefix (?prefix=...), or adopt what is there", name_));
  }
  leave(record);
}

void RedisStoreServer::adopt(const std::string& record, const std::string& layout) {
  (void)read_redis_layout(layout, std::nullopt);
  refuse_shorter_prefixes();
  leave(record);
}

bool RedisStoreServer::is_left(const std::string& wanted) {
  try {
    return record() == wanted;
  } catch (const Error&) {
    return false;
  }
}

void RedisStoreServer::leave(const std::string& record) {
  Commands write;
  write.add({"SET", prefix_ + std::string(record_key), record, "NX"}, Repeat::never);
  Replies replies;
  try {
    replies = redis().run(write);
  } catch (const Error&) {
    if (is_left(record)) return;  // only the answer was lost
    throw;
  }
  if (replies[0].is_nil()) throw Error(ErrorCode::usage, fmt::format("{}: there is a store already", name_));
  if (replies[0].is_error()) throw Error(ErrorCode::io, fmt::format("{}: SET: {}", name_, net::printable(replies[0].error(), 200)));
}

remote::Inspection RedisStoreServer::inspect(std::size_t sample) { return inspect_redis(redis(), settings_, prefix_, sample); }

std::unique_ptr<remote::FingerprintStore> RedisStoreServer::open(const std::string& layout, bool number_ids) {
  return std::make_unique<RedisStore>(settings_, prefix_, read_redis_layout(layout, std::nullopt), number_ids);
}

}  // namespace leitong::redis
