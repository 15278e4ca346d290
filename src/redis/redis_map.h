// RedisMap: the part of a store in Redis that leads from ids to fingerprints.
//
// Threads: any. Errors: Error(format) for a value that is not a fingerprint in the layout's form (it names the key), and for a reply that
// does not fit the command.
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
  // `cluster`: the keys of one command must be in the same slot.
  RedisMap(const RedisLayout& layout, std::string prefix, bool cluster);

  [[nodiscard]] bool is_there() const { return layout_.map != MapKind::none; }

  // Commands in a batch that read the fingerprints of ids.
  struct Question {
    std::size_t first = 0;             // index of the first command in the batch
    std::vector<std::uint32_t> order;  // the ids in the order of the commands
    std::vector<std::uint32_t> ends;   // for each command: end of its ids in `order`
    bool alone = false;                // one id in each command, whose reply is the value itself
  };
  // strict: a key of another type is an error; otherwise it counts as missing, which is faster.
  [[nodiscard]] Question ask(std::span<const std::string_view> ids, Commands& batch, bool strict) const;
  [[nodiscard]] std::vector<std::optional<std::uint64_t>> read(const Question& question, const Replies& replies,
                                                               std::span<const std::string_view> ids) const;
  void set(std::span<const remote::FingerprintRow> rows, Commands& batch) const;
  void erase(std::span<const std::string_view> ids, Commands& batch) const;

  [[nodiscard]] std::uint64_t read_value(std::string_view id, std::string_view value) const;
  [[nodiscard]] std::string shard_key(std::uint32_t shard) const;
  [[nodiscard]] const std::string& hash_key() const { return hash_key_; }
  [[nodiscard]] std::string key_of(std::string_view id) const;  // if the map consists of strings

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
