#include "redis/redis_store.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <unordered_map>

#include "leitong/error.h"
#include "net/printable.h"

namespace leitong::redis {
namespace {

constexpr std::size_t rows_a_batch = 4'096;
constexpr std::size_t ids_a_batch = 65'536;
constexpr std::size_t most_queries = 4'096;
constexpr std::size_t reply_bytes = std::size_t{16} << 20;  // size of the replies at which the queries in a batch should aim

std::vector<std::string_view> ids_of(std::span<const remote::FingerprintRow> rows) {
  std::vector<std::string_view> ids;
  ids.reserve(rows.size());
  for (const remote::FingerprintRow& row : rows) ids.push_back(row.id);
  return ids;
}

// The rows without those whose id occurs again later.
std::vector<remote::FingerprintRow> last_of_each(std::span<const remote::FingerprintRow> rows) {
  std::unordered_map<std::string_view, std::size_t> place;
  std::vector<remote::FingerprintRow> out;
  out.reserve(rows.size());
  for (const remote::FingerprintRow& row : rows) {
    const auto [at, fresh] = place.try_emplace(row.id, out.size());
    if (fresh) {
      out.push_back(row);
    } else {
      out[at->second] = row;
    }
  }
  return out;
}

// Calls `each` with each group of adjacent items that have the same key.
template <class Item, class Each>
void for_each_key(std::span<const Item> sorted, Each&& each) {
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sorted[end].key == sorted[begin].key) ++end;
    each(sorted.subspan(begin, end - begin));
    begin = end;
  }
}

void sort_found(std::vector<remote::FoundRow>& rows) {
  const auto by = [](const remote::FoundRow& row) { return std::tie(row.distance, row.id, row.fingerprint); };
  std::sort(rows.begin(), rows.end(), [&](const remote::FoundRow& a, const remote::FoundRow& b) { return by(a) < by(b); });
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

}  // namespace

RedisStore::RedisStore(RedisSettings settings, std::string prefix, RedisLayout layout, bool number_ids, std::chrono::milliseconds reserved)
    : settings_(std::move(settings)),
      prefix_(std::move(prefix)),
      layout_(std::move(layout)),
      buckets_(layout_, prefix_, number_ids),
      map_(layout_, prefix_, settings_.cluster),
      redis_(settings_),
      leases_(prefix_ + std::string(leases_key), layout_.form.blocks - 1, reserved) {}

Replies RedisStore::run(const Commands& batch) {
  Replies replies = redis_.run(batch);
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (!replies[i].is_error()) continue;
    throw Error(ErrorCode::io, fmt::format("Redis: {}: {}", batch.describe(i), net::printable(replies[i].error(), 200)));
  }
  return replies;
}

void RedisStore::refuse_without_map(const char* what) const {
  if (map_.is_there()) return;
  throw Error(ErrorCode::usage,
              fmt::format("Redis: the layout \"{}\" cannot {}: it has no map from ids to fingerprints; copy the store into another layout",
                          layout_.name, what));
}

KeyWalk RedisStore::walk(std::string match, std::string type) const {
  return {std::move(match), std::move(type), settings_.cluster, settings_.retry};
}

std::string RedisStore::counter() {
  Commands question;
  question.add({"GET", prefix_ + std::string(removals_key)}, Repeat::harmless);
  const Replies replies = run(question);
  return replies[0].is_nil() ? "" : std::string(replies[0].text());
}

std::vector<BucketEntry> RedisStore::entries_of(std::span<const remote::FingerprintRow> rows) const {
  std::vector<BucketEntry> entries;
  entries.reserve(rows.size() * buckets_.blocks());
  for (std::size_t i = 0; i < rows.size(); ++i) buckets_.append_entries(rows[i], static_cast<std::uint32_t>(i), entries);
  std::sort(entries.begin(), entries.end());
  return entries;
}

void RedisStore::put(std::span<const remote::FingerprintRow> rows) {
  for (const remote::FingerprintRow& row : rows) {
    if (layout_.map == MapKind::string && is_own_key(std::string_view(map_.key_of(row.id)).substr(prefix_.size()))) {
      throw Error(ErrorCode::usage, fmt::format("id \"{}\": its key is that of the store's record", net::printable(row.id, 80)));
    }
    if (layout_.map == MapKind::string && buckets_.place_of(map_.key_of(row.id))) {
      throw Error(ErrorCode::usage, fmt::format("id \"{}\": in the layout \"{}\" its key would be that of a bucket; use another id, or a "
                                                "layout whose map_key has something before {{id}}",
                                                net::printable(row.id, 80), layout_.name));
    }
  }
  for (std::size_t at = 0; at < rows.size(); at += rows_a_batch) put_some(rows.subspan(at, std::min(rows_a_batch, rows.size() - at)));
}

void RedisStore::put_some(std::span<const remote::FingerprintRow> given) {
  const std::vector<remote::FingerprintRow> rows = last_of_each(given);
  if (!map_.is_there()) return ensure(rows);
  const std::vector<std::string_view> ids = ids_of(rows);
  Commands questions;
  questions.add({"GET", prefix_ + std::string(removals_key)}, Repeat::harmless);
  const RedisMap::Question question = map_.ask(ids, questions, true);
  const Replies replies = run(questions);
  const std::string before = replies[0].is_nil() ? "" : std::string(replies[0].text());
  const Values old = map_.read(question, replies, ids);

  std::vector<remote::FingerprintRow> fresh, same;
  std::vector<Stale> replaced;
  Values now;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (old[i] == rows[i].fingerprint) {
      same.push_back(rows[i]);
      continue;
    }
    fresh.push_back(rows[i]);
    if (!old[i]) continue;
    replaced.push_back({std::string(rows[i].id), *old[i]});
    now.emplace_back(rows[i].fingerprint);
  }
  restore(same);
  if (fresh.empty()) return;
  add(entries_of(fresh));
  Commands writes;
  map_.set(fresh, writes);
  (void)run(writes);
  if (counter() != before) ensure(fresh);
  remove_stale(replaced, now);
}

void RedisStore::add(std::span<const BucketEntry> entries) {
  Commands batch;
  for_each_key(entries, [&](std::span<const BucketEntry> same_key) { buckets_.add(same_key, batch); });
  (void)run(batch);
}

void RedisStore::ensure(std::span<const remote::FingerprintRow> rows) {
  Commands batch;
  for (const BucketEntry& entry : entries_of(rows)) buckets_.ensure(entry, batch);
  (void)run(batch);
}

// Handles rows that the map has already. Members may be missing: a writer may have died after writing the map while another one removed
// members. Whoever removes members from now on looks at the map afterwards, so one look at the buckets is enough.
void RedisStore::restore(std::span<const remote::FingerprintRow> rows) {
  if (rows.empty()) return;
  const std::vector<BucketEntry> entries = entries_of(rows);
  if (layout_.container == Container::set) return add(entries);
  const std::vector<bool> met = met_of(entries);
  Commands batch;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!met[i]) buckets_.ensure(entries[i], batch);
  }
  (void)run(batch);
}

// `now`: the present fingerprints of the ids. If the old and the new fingerprint share a bucket whose members contain no fingerprint, the
// member must stay.
void RedisStore::remove_stale(std::span<const Stale> stale, const Values& now) {
  if (stale.empty()) return;
  std::vector<BucketEntry> removals;
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < stale.size(); ++i) {
    std::vector<BucketEntry> old, kept;
    buckets_.append_entries({stale[i].id, stale[i].fingerprint}, 0, old);
    if (now[i]) buckets_.append_entries({stale[i].id, *now[i]}, 0, kept);
    for (const BucketEntry& entry : old) {
      const bool needed =
          std::any_of(kept.begin(), kept.end(), [&](const BucketEntry& one) { return one.key == entry.key && one.member == entry.member; });
      if (!needed) removals.push_back(entry);
    }
    ids.push_back(stale[i].id);
  }
  remove_from_buckets(removals, ids);
}

void RedisStore::remove_from_buckets(std::span<const BucketEntry> removals, std::span<const std::string_view> ids) {
  if (removals.empty()) return;
  try {
    take_away(removals);
  } catch (const Error&) {
    // Members that remain do no harm, as find() ignores them. Members that were removed wrongly are restored below.
  }
  std::exception_ptr uncounted;
  try {
    count_removal();
  } catch (const Error&) {
    uncounted = std::current_exception();  // members that were removed wrongly must be restored first
  }
  const Values values = look_up(ids);
  std::vector<remote::FingerprintRow> needed;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (values[i]) needed.push_back({ids[i], *values[i]});
  }
  ensure(needed);
  if (uncounted) std::rethrow_exception(uncounted);
}

void RedisStore::take_away(std::span<const BucketEntry> removals) {
  for (;;) {
    Commands batch;
    for (const BucketEntry& entry : removals) buckets_.remove(entry, flagged_scripts_, batch);
    const Replies replies = redis_.run(batch);
    bool failed = false;
    for (std::size_t i = 0; i < replies.size(); ++i) failed = failed || replies[i].is_error();
    if (!failed || !flagged_scripts_) return;
    flagged_scripts_ = false;
  }
}

// With full memory INCR is refused, like all commands that might need more memory. Removing must be possible even then, so a script does
// it.
void RedisStore::count_removal() {
  const std::string key = prefix_ + std::string(removals_key);
  Commands count;
  count.add({"INCR", key}, Repeat::harmless);
  try {
    (void)run(count);
    return;
  } catch (const net::Refusal& refusal) {
    if (std::string_view(refusal.what()).find(": OOM ") == std::string_view::npos) throw;
  }
  Commands script;
  script.add({"EVAL", "#!lua flags=allow-oom\nreturn redis.call('INCR',KEYS[1])", "1", key}, Repeat::harmless, 3);
  (void)redis_.run(script);  // servers before Redis 7 answer with an error; the removal then remains uncounted
}

std::vector<bool> RedisStore::reserve(std::span<const std::uint64_t> fingerprints) {
  return leases_.take(fingerprints, [this](const Commands& batch) { return run(batch); });
}
std::vector<bool> RedisStore::keep(std::span<const std::uint64_t> fingerprints) {
  return leases_.keep(fingerprints, [this](const Commands& batch) { return run(batch); });
}
std::vector<bool> RedisStore::release(std::span<const std::uint64_t> fingerprints) {
  return leases_.release(fingerprints, [this](const Commands& batch) { return run(batch); });
}

std::uint64_t RedisStore::erase(std::span<const std::string_view> given) {
  refuse_without_map("erase");
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < given.size(); at += rows_a_batch) {
    std::vector<std::string_view> ids(given.begin() + static_cast<std::ptrdiff_t>(at),
                                      given.begin() + static_cast<std::ptrdiff_t>(std::min(at + rows_a_batch, given.size())));
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    const Values values = get(ids);
    std::vector<Stale> stale;
    std::vector<std::string_view> there;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!values[i]) continue;
      stale.push_back({std::string(ids[i]), *values[i]});
      there.push_back(ids[i]);
    }
    Commands batch;
    map_.erase(there, batch);
    (void)run(batch);
    remove_stale(stale, Values(stale.size()));
    count += stale.size();
  }
  return count;
}

std::vector<std::optional<std::uint64_t>> RedisStore::get(std::span<const std::string_view> ids) {
  refuse_without_map("look ids up");
  Values values;
  for (std::size_t at = 0; at < ids.size(); at += ids_a_batch) {
    const std::span<const std::string_view> some = ids.subspan(at, std::min(ids_a_batch, ids.size() - at));
    Commands batch;
    const RedisMap::Question question = map_.ask(some, batch, true);
    const Values part = map_.read(question, run(batch), some);
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

RedisStore::Values RedisStore::look_up(std::span<const std::string_view> ids) {
  Values values;
  for (std::size_t at = 0; at < ids.size(); at += ids_a_batch) {
    const std::span<const std::string_view> some = ids.subspan(at, std::min(ids_a_batch, ids.size() - at));
    Commands batch;
    const RedisMap::Question question = map_.ask(some, batch, false);
    const Values part = map_.read(question, run(batch), some);
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

std::vector<std::vector<remote::FoundRow>> RedisStore::find(std::span<const std::uint64_t> queries, unsigned k) {
  if (k > largest_k()) {
    throw Error(ErrorCode::usage,
                fmt::format("k = {}: this store has {} blocks, which find all up to k = {}", k, buckets_.blocks(), largest_k()));
  }
  Found found(queries.size());
  for (std::size_t at = 0; at < queries.size();) {
    const std::size_t count = std::min(queries_a_batch_, queries.size() - at);
    const std::size_t bytes = find_some(queries.subspan(at, count), k, std::span(found).subspan(at, count));
    at += count;
    if (bytes > reply_bytes) {
      queries_a_batch_ = std::max<std::size_t>(1, queries_a_batch_ / 2);
    } else if (count == queries_a_batch_ && bytes < reply_bytes / 2) {
      queries_a_batch_ = std::min(most_queries, queries_a_batch_ * 2);
    }
  }
  return found;
}

std::size_t RedisStore::find_some(std::span<const std::uint64_t> queries, unsigned k, std::span<std::vector<remote::FoundRow>> out) {
  std::vector<Probe> probes;
  probes.reserve(queries.size() * buckets_.blocks());
  for (std::uint32_t query = 0; query < queries.size(); ++query) {
    const std::size_t begin = probes.size();
    for (unsigned block = 0; block < buckets_.blocks(); ++block) {
      std::string key = buckets_.key_of(queries[query], block);
      const bool again = std::any_of(probes.begin() + static_cast<std::ptrdiff_t>(begin), probes.end(),
                                     [&](const Probe& other) { return other.key == key; });
      if (!again) probes.push_back({std::move(key), query, block});
    }
  }
  std::sort(probes.begin(), probes.end(), [](const Probe& a, const Probe& b) { return a.key < b.key; });
  const std::size_t bytes = buckets_.tell_fingerprint() ? find_telling(probes, queries, k, out) : find_by_ids(probes, queries, k, out);
  for (std::vector<remote::FoundRow>& rows : out) sort_found(rows);
  if (buckets_.tell_fingerprint() && map_.is_there()) confirm(queries, k, out);
  return bytes;
}

std::size_t RedisStore::find_telling(std::span<const Probe> probes, std::span<const std::uint64_t> queries, unsigned k,
                                     std::span<std::vector<remote::FoundRow>> out) {
  Commands batch;
  for_each_key(probes, [&](std::span<const Probe> same_key) { buckets_.read(same_key.front().key, batch); });
  const Replies replies = run(batch);
  std::size_t at = 0, bytes = 0;
  for_each_key(probes, [&](std::span<const Probe> same_key) {
    const Reply value = replies[at++];
    std::size_t size = 0;
    for (const Probe& probe : same_key) size = buckets_.matches(value, probe.block, queries[probe.query], k, out[probe.query]);
    bytes += size;
  });
  return bytes;
}

// Each id is looked up only once, even if it is in several buckets or near several queries.
std::size_t RedisStore::find_by_ids(std::span<const Probe> probes, std::span<const std::uint64_t> queries, unsigned k,
                                    std::span<std::vector<remote::FoundRow>> out) {
  Commands batch;
  for_each_key(probes, [&](std::span<const Probe> same_key) { buckets_.read(same_key.front().key, batch); });
  const Replies replies = run(batch);
  std::vector<std::string_view> ids;
  std::vector<std::uint32_t> members;  // indices into ids, bucket by bucket
  std::vector<std::size_t> ends;       // end of each bucket in members
  {
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    for (std::size_t bucket = 0; bucket < replies.size(); ++bucket) {
      buckets_.visit(replies[bucket], {}, [&](const BucketMember& member) {
        const auto [at, fresh] = numbers.try_emplace(member.id, static_cast<std::uint32_t>(ids.size()));
        if (fresh) ids.push_back(member.id);
        members.push_back(at->second);
      });
      ends.push_back(members.size());
    }
  }
  const Values values = look_up(ids);
  std::size_t bucket = 0;
  for_each_key(probes, [&](std::span<const Probe> same_key) {
    const std::size_t begin = bucket == 0 ? 0 : ends[bucket - 1];
    for (const Probe& probe : same_key) {
      for (std::size_t i = begin; i < ends[bucket]; ++i) {
        const std::optional<std::uint64_t>& value = values[members[i]];
        if (!value) continue;
        const auto distance = static_cast<unsigned>(std::popcount(*value ^ queries[probe.query]));
        if (distance <= k) out[probe.query].push_back({std::string(ids[members[i]]), *value, distance});
      }
    }
    ++bucket;
  });
  return members.size() * 2 * sizeof(ReplyNode);
}

// The fingerprint in the map counts: a row that was replaced after its bucket was written may still match.
void RedisStore::confirm(std::span<const std::uint64_t> queries, unsigned k, std::span<std::vector<remote::FoundRow>> out) {
  constexpr unsigned gone = 65;  // greater than any k
  std::vector<std::string_view> ids;
  for (const std::vector<remote::FoundRow>& rows : out) {
    for (const remote::FoundRow& row : rows) ids.push_back(row.id);
  }
  if (ids.empty()) return;
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const Values values = look_up(ids);
  // First all rows are updated and only then removed, because ids are views into the rows.
  for (std::size_t query = 0; query < out.size(); ++query) {
    for (remote::FoundRow& row : out[query]) {
      const auto at = std::lower_bound(ids.begin(), ids.end(), row.id) - ids.begin();
      const std::optional<std::uint64_t>& value = values[static_cast<std::size_t>(at)];
      if (value == row.fingerprint) continue;
      row.fingerprint = value.value_or(0);
      row.distance = value ? static_cast<unsigned>(std::popcount(*value ^ queries[query])) : gone;
    }
  }
  for (std::vector<remote::FoundRow>& rows : out) {
    std::erase_if(rows, [&](const remote::FoundRow& row) { return row.distance > k; });
    sort_found(rows);
  }
}

}  // namespace leitong::redis
