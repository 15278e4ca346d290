// tiers: server
// Reservations of neighbourhoods by several writers of one store.
#include "redis/redis_leases.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "redis/redis_cluster_process_test.h"
#include "redis/redis_process_test.h"
#include "redis/redis_store.h"

namespace leitong::redis {
namespace {

using Flags = std::vector<bool>;
using std::chrono::milliseconds;

constexpr std::uint64_t here = 0x0123456789abcdef, near_here = here ^ 0x100010001, elsewhere = ~here;

void expect_rights(const RedisSettings& settings, const std::string& prefix) {
  const auto writer = [&](milliseconds time) {
    return std::make_unique<RedisStore>(settings, prefix, read_redis_layout("compact", 3), false, time);
  };
  const std::vector<std::uint64_t> mine = {here, near_here}, theirs = {near_here, elsewhere};
  const milliseconds short_time(250);
  auto one = writer(short_time), other = writer(milliseconds(60'000));
  EXPECT_EQ(one->reserve(mine), (Flags{true, true})) << "one's own do not stand in one's way";
  EXPECT_EQ(other->reserve(theirs), (Flags{false, true}));
  EXPECT_EQ(other->release(std::vector{elsewhere}), (Flags{true}));
  EXPECT_EQ(one->keep(mine), (Flags{true, true}));
  EXPECT_EQ(one->release(mine), (Flags{true, true}));
  EXPECT_EQ(other->reserve(theirs), (Flags{true, true}));
  EXPECT_EQ(one->reserve(mine), (Flags{false, false}));
  EXPECT_EQ(other->release(theirs), (Flags{true, true}));

  // One writer dies, and another one is only delayed.
  const auto late = writer(short_time);
  EXPECT_EQ(one->reserve(std::vector{here}), (Flags{true}));
  EXPECT_EQ(late->reserve(std::vector{elsewhere}), (Flags{true}));
  one.reset();
  EXPECT_EQ(other->reserve(theirs), (Flags{false, false}));
  std::this_thread::sleep_for(short_time + milliseconds(20));
  EXPECT_EQ(late->keep(std::vector{elsewhere}), (Flags{true})) << "nobody has had it";
  std::this_thread::sleep_for(short_time + milliseconds(20));
  EXPECT_EQ(other->reserve(theirs), (Flags{true, true}));
  EXPECT_EQ(late->keep(std::vector{elsewhere}), (Flags{false}));
  EXPECT_EQ(late->release(std::vector{elsewhere}), (Flags{false}));
  EXPECT_EQ(other->release(theirs), (Flags{true, true})) << "who was late takes nothing away";
}

TEST(RedisSingleLeases, AreHeldByOneUntilTheyEnd) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  expect_rights(process.settings(), "p:");
  Redis redis(process.settings());
  RedisStore dead(process.settings(), "q:", read_redis_layout("compact", 3), false, milliseconds(50));
  (void)dead.reserve(std::vector{here});
  EXPECT_EQ(ask(redis, {"EXISTS", "q:leitong:leases"}), "1");
  std::this_thread::sleep_for(milliseconds(120));
  EXPECT_EQ(ask(redis, {"EXISTS", "q:leitong:leases"}), "0") << "nothing stays of a dead writer";
}

TEST(RedisSingleLeases, ManyAtOnce) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  RedisStore store(process.settings(), "", read_redis_layout("article-plain", 3), false);
  std::vector<std::uint64_t> many;
  for (std::uint64_t i = 0; i < 3'000; ++i) many.push_back(i * 0x9e3779b97f4a7c15);
  EXPECT_EQ(store.reserve(many), Flags(many.size(), true));
  EXPECT_EQ(store.keep(many), Flags(many.size(), true));
  EXPECT_EQ(store.release(many), Flags(many.size(), true));
  EXPECT_EQ(store.release(many), Flags(many.size(), false));
}

TEST(RedisClusterLeases, AreHeldByOneUntilTheyEnd) {
  LEITONG_NEEDS_REDIS();
  const RedisClusterProcess cluster;
  expect_rights(cluster.settings(), "p:");
}

}  // namespace
}  // namespace leitong::redis
