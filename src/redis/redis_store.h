// RedisStore: fingerprints under ids in a Redis server or cluster, stored as a RedisLayout specifies. docs/remote-stores.md describes the
// protocol.
//
// The map is authoritative, and the buckets are an index that may contain too much: put() adds to the buckets before it writes the map, and
// find() only accepts a member of a bucket if the map agrees. So an interruption at any point loses nothing that was acknowledged. Removing
// a member could undo what another writer is just adding. So after each removal, a counter is incremented and the map is read again; a
// put() that sees the counter change checks its buckets once more. put() also checks the buckets of rows that the map has already, because
// the writer that put them may not have finished.
//
// One case remains: a remover may die after removing and before counting, or its removal may be executed late, after a time-out. If an
// acknowledged row was put at the same moment, it may then be missing from a bucket. The same can happen before Redis 7 if a remover cannot
// count because memory is full. check() names such a row, and putting it again repairs it.
//
// Layouts without a map (members contain the fingerprint) do not support get() and erase(), and a second fingerprint under one id is stored
// beside the first.
//
// Threads, errors: as FingerprintStore. put() takes four round trips, of which the last only reads the counter; two more if rows are
// replaced, and some that read buckets if rows are stored already. find() takes one round trip, and a second one to read the map if
// anything was found; it always takes two if members do not contain the fingerprint.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/redis.h"
#include "redis/redis_buckets.h"
#include "redis/redis_layout.h"
#include "redis/redis_leases.h"
#include "redis/redis_map.h"
#include "redis/redis_walk.h"
#include "remote/fingerprint_store.h"

namespace leitong::redis {

// Keys after the prefix that do not belong to the layout.
inline constexpr std::string_view record_key = "leitong", removals_key = "leitong:removals", leases_key = "leitong:leases";
inline constexpr std::array own_keys = {record_key, removals_key, leases_key};
[[nodiscard]] inline bool is_own_key(std::string_view key) { return std::find(own_keys.begin(), own_keys.end(), key) != own_keys.end(); }

class RedisStore final : public remote::FingerprintStore {
 public:
  RedisStore(RedisSettings settings, std::string prefix, RedisLayout layout, bool number_ids,
             std::chrono::milliseconds reserved = remote::reservation_time);

  [[nodiscard]] unsigned largest_k() const override { return layout_.form.blocks - 1; }
  [[nodiscard]] bool knows_ids() const override { return layout_.map != MapKind::none; }
  void put(std::span<const remote::FingerprintRow> rows) override;
  std::uint64_t erase(std::span<const std::string_view> ids) override;
  [[nodiscard]] std::vector<std::optional<std::uint64_t>> get(std::span<const std::string_view> ids) override;
  [[nodiscard]] std::vector<std::vector<remote::FoundRow>> find(std::span<const std::uint64_t> queries, unsigned k) override;
  [[nodiscard]] std::vector<bool> reserve(std::span<const std::uint64_t> fingerprints) override;
  [[nodiscard]] std::vector<bool> keep(std::span<const std::uint64_t> fingerprints) override;
  [[nodiscard]] std::vector<bool> release(std::span<const std::uint64_t> fingerprints) override;
  remote::ScanPlace scan(const remote::ScanPlace& place, const std::function<void(const remote::FingerprintRow&)>& visit) override;
  [[nodiscard]] remote::StoreSize size() override;
  void refresh() override {}
  void compact() override;
  void check() override;

 private:
  using Values = std::vector<std::optional<std::uint64_t>>;
  using Found = std::vector<std::vector<remote::FoundRow>>;
  // An id and an old fingerprint, whose members may be removed.
  struct Stale {
    std::string id;
    std::uint64_t fingerprint = 0;
  };
  struct Probe {
    std::string key;
    std::uint32_t query = 0;
    unsigned block = 0;
  };

  Replies run(const Commands& batch);  // throws error replies
  void refuse_without_map(const char* what) const;
  [[nodiscard]] KeyWalk walk(std::string match, std::string type) const;
  [[nodiscard]] std::string counter();
  [[nodiscard]] std::vector<BucketEntry> entries_of(std::span<const remote::FingerprintRow> rows) const;

  void put_some(std::span<const remote::FingerprintRow> rows);
  void add(std::span<const BucketEntry> entries);
  void ensure(std::span<const remote::FingerprintRow> rows);
  void restore(std::span<const remote::FingerprintRow> rows);
  void remove_stale(std::span<const Stale> stale, const Values& now);
  void remove_from_buckets(std::span<const BucketEntry> removals, std::span<const std::string_view> ids);
  void take_away(std::span<const BucketEntry> removals);
  void count_removal();

  [[nodiscard]] Values look_up(std::span<const std::string_view> ids);
  [[nodiscard]] std::size_t find_some(std::span<const std::uint64_t> queries, unsigned k, std::span<std::vector<remote::FoundRow>> out);
  [[nodiscard]] std::size_t find_telling(std::span<const Probe> probes, std::span<const std::uint64_t> queries, unsigned k,
                                         std::span<std::vector<remote::FoundRow>> out);
  [[nodiscard]] std::size_t find_by_ids(std::span<const Probe> probes, std::span<const std::uint64_t> queries, unsigned k,
                                        std::span<std::vector<remote::FoundRow>> out);
  void confirm(std::span<const std::uint64_t> queries, unsigned k, std::span<std::vector<remote::FoundRow>> out);

  using Visit = std::function<void(const remote::FingerprintRow&)>;
  struct Bucket {
    std::size_t key = 0;  // index into the caller's keys
    BucketPlace place;
  };
  using VisitMember = std::function<void(const Bucket&, const BucketMember&)>;
  remote::ScanPlace scan_shards(const remote::ScanPlace& place, const Visit& visit);
  remote::ScanPlace scan_keys(const remote::ScanPlace& place, const Visit& visit);
  remote::ScanPlace scan_buckets(const remote::ScanPlace& place, const Visit& visit);
  [[nodiscard]] std::vector<std::vector<Bucket>> groups_of(std::span<const std::string> keys);
  void visit_group(std::span<const std::string> keys, std::span<const Bucket> group, const VisitMember& visit);
  [[nodiscard]] bool is_needed(const BucketEntry& entry, std::optional<std::uint64_t> told, std::optional<std::uint64_t> value) const;
  void compact_group(std::span<const std::string> keys, std::span<const Bucket> group);
  [[nodiscard]] std::vector<bool> met_of(std::span<const BucketEntry> entries);
  void check_some(std::span<const std::pair<std::string, std::uint64_t>> rows);
  void refuse_missing(std::span<const std::pair<std::string, std::uint64_t>> rows, std::span<const BucketEntry> entries,
                      const std::vector<bool>& met);
  [[nodiscard]] std::optional<std::uint64_t> count_rows();

  RedisSettings settings_;
  std::string prefix_;
  RedisLayout layout_;
  RedisBuckets buckets_;
  RedisMap map_;
  Redis redis_;
  RedisLeases leases_;
  bool flagged_scripts_ = true;        // false once the server is known to be too old for them
  std::size_t queries_a_batch_ = 512;  // adapts to the size of the replies
};

}  // namespace leitong::redis
