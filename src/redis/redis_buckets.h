// RedisBuckets: the keys of buckets (one for each block of a fingerprint), and how members are stored in each kind of container.
//
// Threads: any. Errors: Error(usage) for an id that a member cannot contain; Error(format) for values that are not of this layout.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/redis.h"
#include "redis/redis_layout.h"
#include "redis/redis_records.h"
#include "remote/fingerprint_store.h"

namespace leitong::redis {

// A member of a bucket in its stored form.
struct BucketEntry {
  std::string key, member;
  std::uint32_t row = 0;  // number of the caller's row
  unsigned block = 0;
  friend auto operator<=>(const BucketEntry& a, const BucketEntry& b) = default;
};

// The block that a bucket's key contains.
struct BucketPlace {
  unsigned block = 0;
  std::uint64_t bits = 0;  // value of the block
};

// A member that was read.
struct BucketMember {
  std::string_view member, id;               // valid during the call of the visitor
  std::optional<std::uint64_t> fingerprint;  // empty: the member does not contain it
};

class RedisBuckets {
 public:
  RedisBuckets(const RedisLayout& layout, std::string prefix, bool number_ids);

  [[nodiscard]] unsigned blocks() const { return layout_.form.blocks; }
  [[nodiscard]] bool tell_fingerprint() const { return layout_.tells_fingerprint(); }
  [[nodiscard]] std::string key_of(std::uint64_t fingerprint, unsigned block) const;
  // Appends an entry for each bucket. If keys have no position, two blocks may have the same bucket.
  void append_entries(const remote::FingerprintRow& row, std::uint32_t number, std::vector<BucketEntry>& out) const;
  // Empty: it is not the key of a bucket. If keys have no position, the first block that the key may be of.
  [[nodiscard]] std::optional<BucketPlace> place_of(std::string_view key) const;
  [[nodiscard]] bool is_string() const { return layout_.container == Container::string || layout_.container == Container::packed; }
  [[nodiscard]] const char* type() const;  // the name of the type for SCAN

  // Adds one command that reads the bucket's value.
  void read(std::string_view key, Commands& batch) const;
  void ask_size(std::string_view key, Commands& batch) const;  // in bytes for strings, otherwise in members
  // Adds members to the bucket of one key. If the container is not a set, this may store members twice.
  void add(std::span<const BucketEntry> same_key, Commands& batch) const;
  void ensure(const BucketEntry& entry, Commands& batch) const;  // adds the member unless it is there
  // Removes one occurrence of a member. `flagged`: the script declares that it may run while memory is full, which servers before Redis 7
  // take for a syntax error.
  void remove(const BucketEntry& entry, bool flagged, Commands& batch) const;
  void trim(std::string_view key, Commands& batch) const;  // stores a string again, so that it has no unused memory

  // Finds the members within k bits of the query, in a bucket whose members contain their fingerprints. A member may be returned twice.
  // Returns about how many bytes were read.
  std::size_t matches(const Reply& value, unsigned block, std::uint64_t query, unsigned k, std::vector<remote::FoundRow>& out) const;
  void visit(const Reply& value, const BucketPlace& place, const std::function<void(const BucketMember&)>& each) const;

 private:
  [[nodiscard]] std::string position_of(unsigned block) const;
  [[nodiscard]] std::string member_of(const remote::FingerprintRow& row, unsigned block, std::string_view written) const;
  template <class Each>
  void each_member(const Reply& value, Each&& each) const;
  [[nodiscard]] BucketMember read_member(std::string_view member) const;

  RedisLayout layout_;
  std::string prefix_;
  std::vector<RecordForm> records_;  // for packed buckets, one for each block
  bool bare_id_;                     // the member consists of the id only
};

}  // namespace leitong::redis
