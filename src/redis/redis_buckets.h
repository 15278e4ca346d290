// RedisBuckets: the keys of blocks and what their values hold, for each kind of container.
//
// Threads: any. Errors: Error(usage) for an id that a member cannot hold; Error(format) for values that are not of this layout.
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

// A member of a bucket, as stored.
struct BucketEntry {
  std::string key, member;
  std::uint32_t row = 0;  // of the caller's rows
  unsigned block = 0;
  friend auto operator<=>(const BucketEntry& a, const BucketEntry& b) = default;
};

// What a bucket's key tells.
struct BucketPlace {
  unsigned block = 0;
  std::uint64_t bits = 0;  // of the block
};

// A member as read.
struct BucketMember {
  std::string_view member, id;               // valid during the visit
  std::optional<std::uint64_t> fingerprint;  // none: it does not tell
};

class RedisBuckets {
 public:
  RedisBuckets(const RedisLayout& layout, std::string prefix, bool number_ids);

  [[nodiscard]] unsigned blocks() const { return layout_.form.blocks; }
  [[nodiscard]] bool tell_fingerprint() const { return layout_.tells_fingerprint(); }
  [[nodiscard]] std::string key_of(std::uint64_t fingerprint, unsigned block) const;
  // One a bucket: where keys have no position two blocks may share one.
  void append_entries(const remote::FingerprintRow& row, std::uint32_t number, std::vector<BucketEntry>& out) const;
  // None: it is no bucket's key. Where keys have no position, the first block that it may be of.
  [[nodiscard]] std::optional<BucketPlace> place_of(std::string_view key) const;
  [[nodiscard]] bool is_string() const { return layout_.container == Container::string || layout_.container == Container::packed; }
  [[nodiscard]] const char* type() const;  // as SCAN's TYPE names it

  // One command for the bucket's value.
  void read(std::string_view key, Commands& batch) const;
  void ask_size(std::string_view key, Commands& batch) const;  // bytes of strings, else members
  // `same_key`: members may come twice by this, where the container is no set.
  void add(std::span<const BucketEntry> same_key, Commands& batch) const;
  void ensure(const BucketEntry& entry, Commands& batch) const;  // adds what is not there
  // One, if it is there. `flagged`: scripts say that they may run while memory is full, which servers before Redis 7 take for an error.
  void remove(const BucketEntry& entry, bool flagged, Commands& batch) const;
  void trim(std::string_view key, Commands& batch) const;  // a string takes no more memory than it needs

  // What is within k bits of the query, of a bucket whose members tell; the same may come twice. Returns about how many bytes it went
  // through.
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
  std::vector<RecordForm> records_;  // of packed buckets, one a block
  bool bare_id_;                     // the member is the id and nothing else
};

}  // namespace leitong::redis
