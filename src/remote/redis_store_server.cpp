#include "remote/redis_store_server.h"

#include <fmt/core.h>

#include <charconv>

#include "leitong/error.h"
#include "remote/redis_inspect.h"
#include "remote/redis_layout.h"
#include "remote/redis_store.h"
#include "remote/redis_walk.h"

namespace leitong::remote {

RedisSettings redis_settings(const StoreUrl& url) {
  RedisSettings settings;
  settings.servers = url.servers;
  settings.cluster = url.kind == StoreKind::redis_cluster;
  settings.account.user = url.user;
  settings.account.password = url.password;
  std::from_chars(url.path.data(), url.path.data() + url.path.size(), settings.account.database);  // checked by parse_store_url
  settings.stream.read_timeout = settings.stream.write_timeout = url.timeout;
  settings.stream.connect_timeout = std::min(url.timeout, settings.stream.connect_timeout);
  if (url.tls) settings.stream.tls = url.tls_settings;
  return settings;
}

RedisStoreServer::RedisStoreServer(const StoreUrl& url) : name_(without_secrets(url)), settings_(redis_settings(url)) {
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
  ScanPlace place;
  do {
    place = keys.step(redis(), place, 10'000, [&](const std::vector<std::string>& some) { found = found || !some.empty(); });
  } while (!found && !place.empty());
  return !found;
}

std::string RedisStoreServer::layout_of(std::string_view named, unsigned k) const { return to_json(read_redis_layout(named, k)); }

void RedisStoreServer::make(const std::string& record, const std::string& layout) {
  (void)read_redis_layout(layout, std::nullopt);
  if (!empty()) {
    throw Error(ErrorCode::usage,
                fmt::format("{}: there are keys already; use another prefix (?prefix=...), or adopt what is there", name_));
  }
  leave(record);
}

void RedisStoreServer::adopt(const std::string& record, const std::string& layout) {
  (void)read_redis_layout(layout, std::nullopt);
  leave(record);
}

void RedisStoreServer::leave(const std::string& record) {
  Commands write;
  write.add({"SET", prefix_ + std::string(record_key), record, "NX"}, Repeat::never);
  const Replies replies = redis().run(write);
  if (replies[0].is_nil()) throw Error(ErrorCode::usage, fmt::format("{}: there is a store already", name_));
  if (replies[0].is_error()) throw Error(ErrorCode::io, fmt::format("{}: SET: {}", name_, printable(replies[0].error(), 200)));
}

Inspection RedisStoreServer::inspect(std::size_t sample) { return inspect_redis(redis(), settings_, prefix_, sample); }

std::unique_ptr<FingerprintStore> RedisStoreServer::open(const std::string& layout, bool number_ids) {
  return std::make_unique<RedisStore>(settings_, prefix_, read_redis_layout(layout, std::nullopt), number_ids);
}

}  // namespace leitong::remote
