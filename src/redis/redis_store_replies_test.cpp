// Replies that do not fit the command, and walks that would never end.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "leitong/error.h"
#include "redis/redis_fake_test.h"
#include "redis/redis_process_test.h"
#include "redis/redis_store.h"
#include "redis/redis_store_server.h"
#include "redis/redis_walk.h"

namespace leitong::redis {
namespace {

std::string text(const std::string& bytes) { return fmt::format("${}\r\n{}\r\n", bytes.size(), bytes); }

TEST(RedisSingleStoreReplies, AsManyValuesAsIdsOrAnError) {
  const std::string value = text("0000000000000001");
  const RedisLayout layout = read_redis_layout(R"({"map":"hash","map_key":"m","fingerprint":"hex"})", 3);
  for (const std::string& reply :
       {std::string("*0\r\n"), "*1\r\n" + value, "*3\r\n" + value + value + value, value, std::string(":7\r\n")}) {
    SCOPED_TRACE(reply);
    const RedisFake fake([&](const std::vector<std::string>& words) { return words[0] == "HMGET" ? reply : ""; });
    RedisStore store(fake.settings(), "p:", layout, false);
    const std::string_view ids[] = {"a", "b"};
    EXPECT_SAYS(net::thrown([&] { (void)store.get(ids); }), "2 values of the map were asked for");
  }
  const RedisFake fake([&](const std::vector<std::string>& words) { return words[0] == "HMGET" ? "*2\r\n" + value + "$-1\r\n" : ""; });
  RedisStore store(fake.settings(), "p:", layout, false);
  const std::string_view ids[] = {"a", "b"};
  EXPECT_EQ(store.get(ids), (std::vector<std::optional<std::uint64_t>>{1, std::nullopt}));
}

TEST(RedisSingleStoreReplies, ScansThatAreNone) {
  const std::string bad[] = {"*0\r\n",
                             "*1\r\n$1\r\n0\r\n",
                             "*2\r\n$1\r\n0\r\n$1\r\n0\r\n",
                             "*3\r\n$1\r\n0\r\n*0\r\n*0\r\n",
                             "*2\r\n$1\r\nx\r\n*0\r\n",
                             "$1\r\n0\r\n",
                             "$-1\r\n"};
  for (const std::string& reply : bad) {
    SCOPED_TRACE(reply);
    const RedisFake fake([&](const std::vector<std::string>& words) {
      if (words[0] == "INFO") return text("run_id:a\r\n");
      return words[0].ends_with("SCAN") ? reply : "";
    });
    Redis redis(fake.settings());
    const KeyWalk walk{"*", "", false, fake.settings().retry};
    EXPECT_SAYS(net::thrown([&] { (void)walk.step(redis, "", 10, [](const auto&) {}); }), "not a cursor and a list");
    EXPECT_SAYS(net::thrown([&] { (void)walk.hash_step(redis, "h", "", 10, [](auto, auto) {}); }), "not a cursor and a list");
  }
}

// Replies to commands that take a sample of a set or a hash.
TEST(RedisSingleStoreReplies, SamplesThatAreNone) {
  const RedisFake fake([&](const std::vector<std::string>& words) -> std::string {
    if (words[0] == "INFO") return text("run_id:a\r\n");
    if (words[0] == "SCAN") return "*2\r\n$1\r\n0\r\n*2\r\n" + text("p:key") + text("p");  // the second key does not even have the prefix
    if (words[0] == "TYPE") return "+set\r\n";
    if (words[0] == "EXISTS") return ":0\r\n";
    return words[0] == "SSCAN" ? "*1\r\n$1\r\n0\r\n" : "";
  });
  const auto server =
      std::make_unique<RedisStoreServer>(remote::parse_store_url("redis://" + fake.settings().servers[0].text() + "?prefix=p:"));
  EXPECT_SAYS(net::thrown([&] { (void)server->inspect(100); }), "not a cursor and a list");
}

TEST(RedisSingleStoreReplies, KeysShorterThanThePrefix) {
  const RedisFake fake([&](const std::vector<std::string>& words) -> std::string {
    if (words[0] == "INFO") return text("run_id:a\r\n");
    return words[0] == "SCAN" ? "*2\r\n$1\r\n0\r\n*1\r\n" + text("x") : "";
  });
  RedisStore store(fake.settings(), "a prefix:", read_redis_layout("article-plain", 3), false);
  int rows = 0;
  EXPECT_EQ(store.scan("", [&](const remote::FingerprintRow&) { ++rows; }), "");
  EXPECT_EQ(rows, 0);
}

// A server that reports another process each time.
TEST(RedisSingleStoreReplies, WalksBeginAgainSixteenTimes) {
  int asked = 0, changes = 1'000, scans = 0;
  const RedisFake fake([&](const std::vector<std::string>& words) -> std::string {
    if (words[0] == "INFO") return text("run_id:" + std::to_string(std::min(++asked, changes)) + "\r\n");
    if (words[0] != "SCAN") return "";
    return ++scans % 2 == 1 ? "*2\r\n$1\r\n7\r\n*0\r\n" : "*2\r\n$1\r\n0\r\n*0\r\n";
  });
  Redis redis(fake.settings());
  const KeyWalk walk{"*", "", false, fake.settings().retry};
  const auto all = [&] {
    asked = scans = 0;
    remote::ScanPlace place;
    do {
      place = walk.step(redis, place, 10, [](const auto&) {});
    } while (!place.empty());
  };
  EXPECT_SAYS(net::thrown(all), "wait until the resharding");
  EXPECT_EQ(scans, 2 * 17);
  changes = 20;
  EXPECT_EQ(net::thrown(all), "");
  EXPECT_EQ(scans, 2 * 11);
}

TEST(RedisSingleStoreReplies, AClusterWithoutSlots) {
  const RedisFake fake([&](const std::vector<std::string>& words) -> std::string {
    if (words[0] == "INFO") return text("run_id:a\r\n");
    return words[0] == "CLUSTER" ? "*0\r\n" : "";
  });
  RedisSettings settings = fake.settings();
  settings.cluster = true;
  settings.retry.attempts = 20;
  Redis redis(settings);
  const KeyWalk walk{"*", "", true, settings.retry};
  bool refusal = false;
  const std::string said = net::thrown([&] { (void)walk.step(redis, "", 10, [](const auto&) {}); }, &refusal);
  EXPECT_SAYS(said, "no slots are assigned");
  EXPECT_SAYS(said, "redis-cli --cluster");
  EXPECT_TRUE(refusal);
}

// Redis 6 takes the first line of a script with flags for an error, so it cannot count a removal while memory is full.
TEST(RedisSingleStoreReplies, ErasingOnAnOldServerWithFullMemory) {
  bool there = true;
  int flagged = 0, plain = 0, counted = 0;
  const RedisFake fake([&](const std::vector<std::string>& words) -> std::string {
    if (words[0] == "GET") return there ? text("0000000000000001") : "$-1\r\n";
    if (words[0] == "DEL") there = false;
    if (words[0] == "INCR") return ++counted, "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
    if (words[0] != "EVAL") return words[0] == "MGET" ? "*1\r\n$-1\r\n" : ":1\r\n";
    const bool flags = words[1].starts_with("#!");
    ++(flags ? flagged : plain);
    return flags ? "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '#'\r\n" : ":1\r\n";
  });
  const RedisLayout layout = read_redis_layout(R"({"container":"string","fingerprint":"hex","key":"{position}:{block}"})", 3);
  RedisStore store(fake.settings(), "p:", layout, false);
  const std::string_view id = "x";
  EXPECT_EQ(store.erase({&id, 1}), 1U);
  EXPECT_EQ(flagged, 4 + 1);  // one more for the counter
  EXPECT_EQ(plain, 4);
  there = true;
  EXPECT_EQ(store.erase({&id, 1}), 1U);
  EXPECT_EQ(flagged, 5 + 1);
  EXPECT_EQ(plain, 8);
  EXPECT_EQ(counted, 2);
}

// The answer to writing the record is lost, after the record was written and before.
TEST(RedisSingleStoreReplies, TheRecordAndALostAnswer) {
  for (const std::string& kept : {std::string("the record"), std::string("another")}) {
    const RedisFake fake([&](const std::vector<std::string>& words) -> std::string {
      if (words[0] == "DBSIZE") return ":0\r\n";
      if (words[0] == "SET") throw Error(ErrorCode::io, "cut");
      return words[0] == "GET" ? text(kept) : "";
    });
    const auto server = std::make_unique<RedisStoreServer>(remote::parse_store_url("redis://" + fake.settings().servers[0].text()));
    EXPECT_EQ(net::thrown([&] { server->adopt("the record", server->layout_of("compact", 3)); }).empty(), kept == "the record");
  }
}

}  // namespace
}  // namespace leitong::redis
