// RedisStore: fingerprints under ids in a Redis server or cluster, laid out as a RedisLayout says. docs/remote-stores.md tells the
// protocol.
//
// The map is the truth, the buckets are an index that may hold too much: put() adds to the buckets before it writes the map, and what
// find() meets in a bucket counts only as far as the map agrees. So whatever is cut off at whatever point, nothing acknowledged is lost.
// Removing from a bucket could take away what another writer is just putting there again. Every removal is therefore followed by an
// increment of one counter and another look at the map; a put() that sees the counter change looks after its buckets once more. Rows that
// put() finds in the map as they are to be are looked for in their buckets, too: whoever wrote them may not have come to the end.
//
// What remains: a remover that dies between removing and counting, or whose removal is given up by a time-out and executed later, may
// leave an acknowledged row out of a bucket, if that row was put at the same moment; so may, before Redis 7, one that cannot count because
// memory is full. check() names such a row, and putting it again repairs it.
//
// Layouts without a map (members that tell the fingerprint) know no get() and erase(), and a second fingerprint under one id stands beside
// the first.
//
// Threads, errors: as FingerprintStore. put() is four round trips, of which the last asks for the counter only; two more where rows are
// replaced; some that read buckets where rows are there already. find() is one, and a second one where something is found (the map is
// asked), always two where members do not tell the fingerprint.
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

// What stands behind the prefix besides the layout's keys.
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
  // An id and the fingerprint whose members may go.
  struct Stale {
    std::string id;
    std::uint64_t fingerprint = 0;
  };
  struct Probe {
    std::string key;
    std::uint32_t query = 0;
    unsigned block = 0;
  };

  Replies run(const Commands& batch);  // an error reply is thrown
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
    std::size_t key = 0;  // of the caller's keys
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
  bool flagged_scripts_ = true;        // the server is not known to be older than they are
  std::size_t queries_a_batch_ = 512;  // follows the size of what comes back
};

}  // namespace leitong::redis
