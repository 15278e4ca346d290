// RedisStoreServer: a Redis server or cluster at an address, with or without a store under the prefix.
//
// The record is the value of the key prefix + "leitong". If several clients make or adopt a store at once, one of them succeeds (SET NX).
//
// Threads, errors: as StoreServer. The first operation connects.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "redis/redis.h"
#include "remote/fingerprint_store.h"
#include "remote/store_url.h"

namespace leitong::redis {

[[nodiscard]] RedisSettings redis_settings(const remote::StoreUrl& url);

class RedisStoreServer final : public remote::StoreServer {
 public:
  explicit RedisStoreServer(const remote::StoreUrl& url);

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::optional<std::string> record() override;
  [[nodiscard]] bool empty() override;
  [[nodiscard]] std::string layout_of(std::string_view named, unsigned k) const override;
  void make(const std::string& record, const std::string& layout) override;
  void adopt(const std::string& record, const std::string& layout) override;
  [[nodiscard]] remote::Inspection inspect(std::size_t sample) override;
  [[nodiscard]] std::unique_ptr<remote::FingerprintStore> open(const std::string& layout, bool number_ids) override;

 private:
  Redis& redis();
  void refuse_shorter_prefixes();
  void leave(const std::string& record);
  bool is_left(const std::string& wanted);
  std::string name_, prefix_;
  RedisSettings settings_;
  std::unique_ptr<Redis> redis_;
};

}  // namespace leitong::redis
