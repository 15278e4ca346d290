// The operations of RedisStore that read the whole store: scan, size, compact and check.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

#include "leitong/error.h"
#include "net/printable.h"
#include "redis/redis_store.h"

namespace leitong::redis {
namespace {

constexpr std::size_t rows_a_step = 2'048;    // approximate number of rows in a step of scan()
constexpr std::size_t rows_a_check = 65'536;  // with more rows at once, a bucket is read fewer times
constexpr std::size_t buckets_a_batch = 1'024;
constexpr std::uint64_t group_size = std::uint64_t{1} << 20;  // bytes (or members) of the buckets that are read at once

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

remote::ScanPlace RedisStore::scan(const remote::ScanPlace& place, const Visit& visit) {
  switch (layout_.map) {
    case MapKind::shards:
      return scan_shards(place, visit);
    case MapKind::string:
      return scan_keys(place, visit);
    case MapKind::hash:
      return walk("", "").hash_step(redis_, map_.hash_key(), place, rows_a_step,
                                    [&](std::string_view id, std::string_view value) { visit({id, map_.read_value(id, value)}); });
    case MapKind::none:
      break;
  }
  return scan_buckets(place, visit);
}

remote::ScanPlace RedisStore::scan_shards(const remote::ScanPlace& place, const Visit& visit) {
  std::uint32_t shard = 0;
  const auto [end, error] = std::from_chars(place.data(), place.data() + place.size(), shard);
  if (!place.empty() && (error != std::errc() || end != place.data() + place.size() || shard > layout_.shards)) {
    throw Error(ErrorCode::usage, fmt::format("\"{}\" is no place of a scan of this store", net::printable(place, 64)));
  }
  std::size_t rows = 0;
  for (std::uint32_t some = 32; shard < layout_.shards && rows < rows_a_step; some = std::min(some * 2, std::uint32_t{8'192})) {
    const std::uint32_t stop = std::min(layout_.shards, shard + some);
    Commands batch;
    for (; shard < stop; ++shard) batch.add({"HGETALL", map_.shard_key(shard)}, Repeat::harmless);
    const Replies replies = run(batch);
    for (std::size_t i = 0; i < replies.size(); ++i) {
      std::optional<std::string_view> id;
      for (const Reply& text : replies[i]) {
        if (!id) {
          id = text.text();
          continue;
        }
        visit({*id, map_.read_value(*id, text.text())});
        id.reset();
        ++rows;
      }
    }
  }
  return shard < layout_.shards ? std::to_string(shard) : "";
}

remote::ScanPlace RedisStore::scan_keys(const remote::ScanPlace& place, const Visit& visit) {
  const std::string prefix = prefix_, mark = "\x01";
  std::string around = prefix;
  layout_.map_key.append({.position = {}, .block = {}, .id = mark, .fingerprint = {}}, around);
  const std::size_t at = around.find(mark, prefix.size());
  const std::string match =
      glob_escaped(std::string_view(around).substr(0, at)) + "*" + glob_escaped(std::string_view(around).substr(at + 1));
  return walk(match, "string").step(redis_, place, rows_a_step, [&](const std::vector<std::string>& keys) {
    std::vector<std::string_view> ids;
    for (const std::string& key : keys) {
      if (!key.starts_with(prefix)) continue;
      const auto fields = layout_.map_key.match(std::string_view(key).substr(prefix.size()));
      const std::string_view own = std::string_view(key).substr(prefix.size());
      if (fields && !is_own_key(own)) ids.push_back(fields->id);
    }
    const Values values = look_up(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (values[i]) visit({ids[i], *values[i]});  // otherwise it was erased meanwhile
    }
  });
}

// Without a map: visits each row in the bucket of its block 0.
remote::ScanPlace RedisStore::scan_buckets(const remote::ScanPlace& place, const Visit& visit) {
  return walk(glob_escaped(prefix_) + "*", buckets_.type()).step(redis_, place, rows_a_step, [&](const std::vector<std::string>& keys) {
    for (const std::vector<Bucket>& group : groups_of(keys)) {
      visit_group(keys, group, [&](const Bucket& bucket, const BucketMember& member) {
        if (buckets_.key_of(*member.fingerprint, 0) == keys[bucket.key]) visit({member.id, *member.fingerprint});
      });
    }
  });
}

// Groups the keys of buckets; other keys are left out.
std::vector<std::vector<RedisStore::Bucket>> RedisStore::groups_of(std::span<const std::string> keys) {
  std::vector<Bucket> buckets;
  Commands sizes;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto place = buckets_.place_of(keys[i]);
    if (!place) continue;
    buckets.push_back({i, *place});
    buckets_.ask_size(keys[i], sizes);
  }
  const Replies replies = run(sizes);
  std::vector<std::vector<Bucket>> groups;
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const auto one = static_cast<std::uint64_t>(replies[i].integer());
    if (groups.empty() || size + one > group_size) {
      groups.emplace_back();
      size = 0;
    }
    size += one;
    groups.back().push_back(buckets[i]);
  }
  return groups;
}

void RedisStore::visit_group(std::span<const std::string> keys, std::span<const Bucket> group, const VisitMember& visit) {
  Commands batch;
  for (const Bucket& bucket : group) buckets_.read(keys[bucket.key], batch);
  const Replies replies = run(batch);
  for (std::size_t i = 0; i < group.size(); ++i) {
    buckets_.visit(replies[i], group[i].place, [&](const BucketMember& member) { visit(group[i], member); });
  }
}

std::optional<std::uint64_t> RedisStore::count_rows() {
  if (layout_.map != MapKind::shards && layout_.map != MapKind::hash) return std::nullopt;
  std::uint64_t rows = 0;
  const std::uint32_t shards = layout_.map == MapKind::hash ? 1 : layout_.shards;
  for (std::uint32_t shard = 0; shard < shards;) {
    Commands batch;
    for (const std::uint32_t stop = std::min(shards, shard + 16'384); shard < stop; ++shard) {
      batch.add({"HLEN", layout_.map == MapKind::hash ? map_.hash_key() : map_.shard_key(shard)}, Repeat::harmless);
    }
    const Replies replies = run(batch);
    for (std::size_t i = 0; i < replies.size(); ++i) rows += static_cast<std::uint64_t>(replies[i].integer());
  }
  return rows;
}

remote::StoreSize RedisStore::size() {
  remote::StoreSize size;
  size.rows = count_rows();
  Commands questions;
  questions.add({"INFO", "server"}, Repeat::harmless, Commands::no_key);
  questions.add({"INFO", "memory"}, Repeat::harmless, Commands::no_key);
  const std::vector<ReplyArena> masters = ask_masters(redis_, questions, settings_.retry);
  for (const ReplyArena& replies : masters) {
    size.bytes += number(info_field(Reply(replies, replies.tops[1]).text(), "used_memory"));
    if (size.server.empty()) size.server = "Redis " + info_field(Reply(replies, replies.tops[0]).text(), "redis_version");
  }
  if (settings_.cluster) size.server += fmt::format(", {} master{}", masters.size(), masters.size() == 1 ? "" : "s");
  return size;
}

void RedisStore::compact() {
  if (!map_.is_there()) return;  // without a map, nothing shows which members are obsolete
  const KeyWalk walker = walk(glob_escaped(prefix_) + "*", buckets_.type());
  remote::ScanPlace place;
  do {
    place = walker.step(redis_, place, buckets_a_batch, [&](const std::vector<std::string>& keys) {
      for (const std::vector<Bucket>& group : groups_of(keys)) compact_group(keys, group);
    });
  } while (!place.empty());
}

// Whether put() would have written this member, given the present fingerprint of the id.
bool RedisStore::is_needed(const BucketEntry& entry, std::optional<std::uint64_t> told, std::optional<std::uint64_t> value) const {
  if (!value || (told && *told != *value)) return false;
  for (unsigned block = 0; block < buckets_.blocks(); ++block) {
    if (buckets_.key_of(*value, block) == entry.key) return true;
  }
  return false;
}

void RedisStore::compact_group(std::span<const std::string> keys, std::span<const Bucket> group) {
  std::vector<BucketEntry> entries;
  std::vector<std::string> ids;
  Values told;
  visit_group(keys, group, [&](const Bucket& bucket, const BucketMember& member) {
    BucketEntry& entry = entries.emplace_back();
    entry.key = keys[bucket.key];
    entry.member = member.member;
    entry.block = bucket.place.block;
    ids.emplace_back(member.id);
    told.push_back(member.fingerprint);
  });
  const std::vector<std::string_view> views(ids.begin(), ids.end());
  const Values values = look_up(views);
  std::vector<BucketEntry> removals;
  std::vector<std::string_view> touched;
  std::unordered_set<std::string_view> met;  // members of one bucket that were seen
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && entries[i - 1].key != entries[i].key) met.clear();
    if (is_needed(entries[i], told[i], values[i]) && met.insert(entries[i].member).second) continue;
    removals.push_back(entries[i]);
    touched.push_back(ids[i]);
  }
  remove_from_buckets(removals, touched);
  if (!buckets_.is_string()) return;
  Commands trims;
  for (const Bucket& bucket : group) buckets_.trim(keys[bucket.key], trims);
  (void)run(trims);
}

void RedisStore::check() {
  std::vector<std::pair<std::string, std::uint64_t>> rows;
  remote::ScanPlace place;
  do {
    place = scan(place, [&](const remote::FingerprintRow& row) { rows.emplace_back(row.id, row.fingerprint); });
    if (rows.size() < rows_a_check && !place.empty()) continue;
    check_some(rows);
    rows.clear();
  } while (!place.empty());
}

void RedisStore::check_some(std::span<const std::pair<std::string, std::uint64_t>> rows) {
  std::vector<remote::FingerprintRow> views;
  for (const auto& [id, fingerprint] : rows) views.push_back({id, fingerprint});
  const std::vector<BucketEntry> entries = entries_of(views);
  refuse_missing(rows, entries, met_of(entries));
}

// Whether each of the sorted entries is in its bucket.
std::vector<bool> RedisStore::met_of(std::span<const BucketEntry> entries) {
  std::vector<bool> met(entries.size());
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    std::vector<std::string> keys;
    std::vector<std::size_t> first;  // for each key: index of its first entry
    for (; end < entries.size() && (keys.size() < buckets_a_batch || entries[end].key == keys.back()); ++end) {
      if (!keys.empty() && entries[end].key == keys.back()) continue;
      keys.push_back(entries[end].key);
      first.push_back(end);
    }
    for (const std::vector<Bucket>& group : groups_of(keys)) {
      visit_group(keys, group, [&](const Bucket& bucket, const BucketMember& member) {
        const auto of_key = entries.begin() + static_cast<std::ptrdiff_t>(first[bucket.key]);
        const auto behind = entries.begin() + static_cast<std::ptrdiff_t>(bucket.key + 1 < keys.size() ? first[bucket.key + 1] : end);
        auto at = std::lower_bound(of_key, behind, member.member, [](const BucketEntry& a, std::string_view b) { return a.member < b; });
        for (; at != behind && at->member == member.member; ++at) met[static_cast<std::size_t>(at - entries.begin())] = true;
      });
    }
  }
  return met;
}

void RedisStore::refuse_missing(std::span<const std::pair<std::string, std::uint64_t>> rows, std::span<const BucketEntry> entries,
                                const std::vector<bool>& met) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (met[i]) continue;
    const auto& [id, fingerprint] = rows[entries[i].row];
    if (map_.is_there()) {
      const std::string_view one = id;
      if (look_up({&one, 1}).front() != fingerprint) continue;  // it was replaced meanwhile
    }
    throw Error(ErrorCode::format, fmt::format("Redis: the id \"{}\" is missing in the bucket {}: erase the id and put it again",
                                               net::printable(id, 80), net::printable(entries[i].key, 80)));
  }
}

}  // namespace leitong::redis
