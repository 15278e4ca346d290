// RedisMap: the part of a store in Redis that leads from ids to fingerprints.
//
// Threads: any. Errors: Error(format) for a value that is no fingerprint in the layout's form, with its key, and for a reply that does not
// answer the question.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/redis.h"
#include "redis/redis_layout.h"
#include "remote/fingerprint_store.h"

namespace leitong::redis {

class RedisMap {
 public:
  // `cluster`: the keys of one command must be of one slot.
  RedisMap(const RedisLayout& layout, std::string prefix, bool cluster);

  [[nodiscard]] bool is_there() const { return layout_.map != MapKind::none; }

  // Commands that read ids, as part of a batch.
  struct Question {
    std::size_t first = 0;             // of the commands, in the batch
    std::vector<std::uint32_t> order;  // the ids as they are asked for
    std::vector<std::uint32_t> ends;   // of each command, in `order`
    bool alone = false;                // an id a command, answered by the value itself
  };
  // strict: another type at a key is an error; else it counts as nothing, which is faster.
  [[nodiscard]] Question ask(std::span<const std::string_view> ids, Commands& batch, bool strict) const;
  [[nodiscard]] std::vector<std::optional<std::uint64_t>> read(const Question& question, const Replies& replies,
                                                               std::span<const std::string_view> ids) const;
  void set(std::span<const remote::FingerprintRow> rows, Commands& batch) const;
  void erase(std::span<const std::string_view> ids, Commands& batch) const;

  [[nodiscard]] std::uint64_t read_value(std::string_view id, std::string_view value) const;
  [[nodiscard]] std::string shard_key(std::uint32_t shard) const;
  [[nodiscard]] const std::string& hash_key() const { return hash_key_; }
  [[nodiscard]] std::string key_of(std::string_view id) const;  // of a string

 private:
  [[nodiscard]] std::uint32_t shard_of(std::string_view id) const;
  [[nodiscard]] std::string written(std::uint64_t fingerprint) const;
  [[nodiscard]] Question runs(std::span<const std::string_view> ids, std::size_t most) const;
  [[nodiscard]] std::string common_key(std::string_view id) const;
  template <class Words>
  void add_runs(const Question& question, std::span<const std::string_view> ids, Commands& batch, const char* verb, Words&& more) const;

  RedisLayout layout_;
  std::string prefix_, hash_key_;
  bool cluster_;
};

}  // namespace leitong::redis
