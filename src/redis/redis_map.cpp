#include "redis/redis_map.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "leitong/error.h"
#include "net/printable.h"
#include "text/fnv.h"

namespace leitong::redis {
namespace {

constexpr std::size_t most_words = 128;  // ids of one command

}  // namespace

RedisMap::RedisMap(const RedisLayout& layout, std::string prefix, bool cluster)
    : layout_(layout), prefix_(std::move(prefix)), cluster_(cluster) {
  if (layout_.map != MapKind::hash && layout_.map != MapKind::shards) return;
  hash_key_ = prefix_;
  layout_.map_key.append({}, hash_key_);
}

// The numbers of the shards are part of what is stored: this hash must stay.
std::uint32_t RedisMap::shard_of(std::string_view id) const { return static_cast<std::uint32_t>(text::fnv1a(id) % layout_.shards); }

std::string RedisMap::shard_key(std::uint32_t shard) const {
  std::string key = hash_key_;
  for (const unsigned shift : {16U, 8U, 0U}) key += static_cast<char>(shard >> shift);
  return key;
}

std::string RedisMap::key_of(std::string_view id) const {
  std::string key = prefix_;
  layout_.map_key.append({.position = {}, .block = {}, .id = id, .fingerprint = {}}, key);
  return key;
}

std::string RedisMap::written(std::uint64_t fingerprint) const {
  if (layout_.map != MapKind::shards) return write_as(Fingerprint{{fingerprint, 0, 0, 0}, 64}, layout_.fingerprint);
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(fingerprint >> shift);
  return bytes;
}

std::uint64_t RedisMap::read_value(std::string_view id, std::string_view value) const {
  if (layout_.map == MapKind::shards && value.size() == 8) {
    std::uint64_t fingerprint = 0;
    for (const char c : value) fingerprint = fingerprint << 8 | static_cast<unsigned char>(c);
    return fingerprint;
  }
  const auto read = layout_.map == MapKind::shards ? std::nullopt : read_written(value, layout_.fingerprint, 64);
  if (!read) {
    throw Error(
        ErrorCode::format,
        fmt::format("Redis: the value of {} for the id \"{}\" is no fingerprint of 64 bits in this layout's form: is it another layout?",
                    net::printable(layout_.map == MapKind::string ? key_of(id) : hash_key_, 64), net::printable(id, 64)));
  }
  return read->words[0];
}

// Ids that go into one command each: of one shard, or some of one hash, or some keys.
RedisMap::Question RedisMap::runs(std::span<const std::string_view> ids, std::size_t most) const {
  Question question;
  question.order.resize(ids.size());
  std::iota(question.order.begin(), question.order.end(), 0U);
  std::vector<std::uint32_t> shards(ids.size());
  if (layout_.map == MapKind::shards) {
    for (std::size_t i = 0; i < ids.size(); ++i) shards[i] = shard_of(ids[i]);
    std::stable_sort(question.order.begin(), question.order.end(), [&](auto a, auto b) { return shards[a] < shards[b]; });
  }
  for (std::size_t i = 0, begin = 0; i < ids.size(); ++i) {
    const bool last = i + 1 == ids.size() || shards[question.order[i]] != shards[question.order[i + 1]] || i + 1 - begin == most;
    if (!last) continue;
    question.ends.push_back(static_cast<std::uint32_t>(i + 1));
    begin = i + 1;
  }
  return question;
}

std::string RedisMap::common_key(std::string_view id) const { return layout_.map == MapKind::shards ? shard_key(shard_of(id)) : hash_key_; }

template <class Words>
void RedisMap::add_runs(const Question& question, std::span<const std::string_view> ids, Commands& batch, const char* verb,
                        Words&& more) const {
  std::vector<std::string> keys;
  std::vector<std::string_view> words;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : question.ends) {
    keys.clear();
    keys.reserve(end - begin + 1);
    words.assign(1, verb);
    if (layout_.map != MapKind::string) words.push_back(keys.emplace_back(common_key(ids[question.order[begin]])));
    for (; begin < end; ++begin) {
      const std::uint32_t i = question.order[begin];
      words.push_back(layout_.map == MapKind::string ? std::string_view(keys.emplace_back(key_of(ids[i]))) : ids[i]);
      more(i, words);
    }
    batch.add(words, Repeat::harmless);
  }
}

RedisMap::Question RedisMap::ask(std::span<const std::string_view> ids, Commands& batch, bool strict) const {
  const bool alone = layout_.map == MapKind::string && (strict || cluster_);
  Question question = runs(ids, alone ? 1 : most_words);
  question.alone = alone;
  question.first = batch.size();
  add_runs(question, ids, batch, layout_.map != MapKind::string ? "HMGET" : alone ? "GET" : "MGET", [](auto, auto&) {});
  return question;
}

std::vector<std::optional<std::uint64_t>> RedisMap::read(const Question& question, const Replies& replies,
                                                         std::span<const std::string_view> ids) const {
  std::vector<std::optional<std::uint64_t>> values(ids.size());
  std::uint32_t at = 0;
  const auto take = [&](const Reply& value) {
    const std::uint32_t i = question.order[at++];
    if (!value.is_nil()) values[i] = read_value(ids[i], value.text());
  };
  for (std::size_t command = 0; command < question.ends.size(); ++command) {
    const Reply reply = replies[question.first + command];
    if (question.alone) {
      take(reply);
      continue;
    }
    const std::uint32_t asked = question.ends[command] - at;
    if (reply.type() != ReplyType::array || reply.size() != asked) {
      throw Error(
          ErrorCode::format,
          fmt::format("Redis: {} values of the map were asked for, and the reply is no list of as many: is it a Redis server?", asked));
    }
    for (const Reply& value : reply) take(value);
  }
  return values;
}

void RedisMap::set(std::span<const remote::FingerprintRow> rows, Commands& batch) const {
  std::vector<std::string_view> ids;
  std::vector<std::string> values;
  for (const remote::FingerprintRow& row : rows) {
    ids.push_back(row.id);
    values.push_back(written(row.fingerprint));
  }
  const bool alone = layout_.map == MapKind::string && cluster_;
  add_runs(runs(ids, alone ? 1 : most_words), ids, batch,
           layout_.map != MapKind::string ? "HSET"
           : alone                        ? "SET"
                                          : "MSET",
           [&](std::uint32_t i, std::vector<std::string_view>& words) { words.push_back(values[i]); });
}

void RedisMap::erase(std::span<const std::string_view> ids, Commands& batch) const {
  const bool alone = layout_.map == MapKind::string && cluster_;
  add_runs(runs(ids, alone ? 1 : most_words), ids, batch, layout_.map != MapKind::string ? "HDEL" : "DEL", [](auto, auto&) {});
}

}  // namespace leitong::redis
