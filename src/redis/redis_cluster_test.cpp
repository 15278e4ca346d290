// tiers: server
// A cluster of three masters: routing, resharding while writing, and nodes that fail.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "leitong/error.h"
#include "redis/redis.h"
#include "redis/redis_cluster_process_test.h"
#include "redis/redis_process_test.h"
#include "redis/redis_slots.h"

namespace leitong::redis {
namespace {

using std::chrono::milliseconds;

using Cluster = RedisClusterProcess;

Commands adds(int begin, int end) {
  Commands batch;
  for (int i = begin; i < end; ++i) batch.add({"SADD", "key:" + std::to_string(i), "member"}, Repeat::harmless);
  return batch;
}

void expect_all(Redis& redis, int end) {
  Commands batch;
  for (int i = 0; i < end; ++i) batch.add({"SMEMBERS", "key:" + std::to_string(i)}, Repeat::harmless);
  const Replies replies = redis.run(batch);
  int missing = 0;
  for (std::size_t i = 0; i < replies.size(); ++i) missing += replies[i].size() != 1;
  EXPECT_EQ(missing, 0);
}

TEST(RedisCluster, RoutesInOrder) {
  LEITONG_NEEDS_REDIS();
  Cluster cluster;
  RedisSettings settings = cluster.settings();
  settings.servers.resize(1);
  Redis redis(settings);
  EXPECT_EQ(redis.masters().size(), 3U);
  Commands batch;
  for (int i = 0; i < 3'000; ++i) {
    batch.add({"SET", "key:" + std::to_string(i), std::to_string(i)}, Repeat::harmless);
    batch.add({"GET", "key:" + std::to_string(i)}, Repeat::harmless);
  }
  batch.add({"PING"}, Repeat::harmless, Commands::no_key);
  const Replies replies = redis.run(batch);
  for (int i = 0; i < 3'000; ++i) ASSERT_EQ(replies[static_cast<std::size_t>(2 * i + 1)].text(), std::to_string(i));
  EXPECT_EQ(replies[6'000].text(), "PONG");
  Commands size;
  size.add({"DBSIZE"}, Repeat::harmless, Commands::no_key);
  std::int64_t keys = 0;
  for (RedisServer* master : redis.masters()) {
    const ReplyArena reply = master->run(size);
    EXPECT_GT(Reply(reply, reply.tops[0]).integer(), 500);
    keys += Reply(reply, reply.tops[0]).integer();
  }
  EXPECT_EQ(keys, 3'000);
  for (const char* key : {"foo", "a{tag}b", "{}x", "key:77", ""}) {
    EXPECT_EQ(ask(redis, {"CLUSTER", "KEYSLOT", key}, Commands::no_key), std::to_string(hash_slot(key))) << key;
  }
  (void)ask(redis, {"SET", "{tag}1", "one"});
  EXPECT_EQ(ask(redis, {"EXISTS", "{tag}1", "{tag}2"}), "1");
  EXPECT_SAYS(net::thrown([&] { (void)ask(redis, {"MGET", "a", "b"}); }), "CROSSSLOT");

  // Connects to a node as to a single server.
  Redis alone(cluster.nodes[0]->settings());
  std::string said;
  for (int i = 0; i < 10 && said.empty(); ++i) said = net::thrown([&] { (void)ask(alone, {"GET", "key:" + std::to_string(i)}); });
  EXPECT_SAYS(said, "connect to it as a cluster");
}

TEST(RedisCluster, FollowsASlotOnItsWay) {
  LEITONG_NEEDS_REDIS();
  Cluster cluster;
  Redis redis(cluster.settings());
  const unsigned slot = hash_slot("{tag}");
  const std::string number = std::to_string(slot);
  (void)ask(redis, {"SET", "{tag}old", "1"});
  // `create` assigns the slots to the nodes in thirds, in order; this finds the node of the slot.
  const std::size_t from = slot < 5461 ? 0 : slot < 10923 ? 1 : 2, to = (from + 1) % 3;
  const std::string from_id = cluster.id(from), to_id = cluster.id(to);
  Redis source(cluster.nodes[from]->settings()), target(cluster.nodes[to]->settings());
  ASSERT_EQ(ask(target, {"CLUSTER", "SETSLOT", number, "IMPORTING", from_id}, Commands::no_key), "OK");
  ASSERT_EQ(ask(source, {"CLUSTER", "SETSLOT", number, "MIGRATING", to_id}, Commands::no_key), "OK");
  Commands batch;
  batch.add({"GET", "{tag}old"}, Repeat::harmless);    // still at the old node
  batch.add({"SET", "{tag}new", "2"}, Repeat::never);  // ASK
  batch.add({"GET", "{tag}new"}, Repeat::harmless);    // ASK
  batch.add({"INCR", "{tag}count"}, Repeat::never);    // ASK, and executed only once
  const Replies replies = redis.run(batch);
  EXPECT_EQ(replies[0].text(), "1");
  EXPECT_EQ(replies[1].text(), "OK");
  EXPECT_EQ(replies[2].text(), "2");
  EXPECT_EQ(replies[3].integer(), 1);

  // TRYAGAIN: the two keys are on different nodes until the slot has moved.
  std::jthread later([&] {
    std::this_thread::sleep_for(milliseconds(150));
    const std::string port = std::to_string(cluster.nodes[to]->endpoint().port);
    EXPECT_EQ(ask(source, {"MIGRATE", "127.0.0.1", port, "{tag}old", "0", "1000"}, 3), "OK");
    EXPECT_EQ(ask(target, {"CLUSTER", "SETSLOT", number, "NODE", to_id}, Commands::no_key), "OK");
    EXPECT_EQ(ask(source, {"CLUSTER", "SETSLOT", number, "NODE", to_id}, Commands::no_key), "OK");
  });
  Commands both;
  both.add({"MGET", "{tag}old", "{tag}new"}, Repeat::harmless);
  const Replies values = redis.run(both);
  EXPECT_EQ((*values[0].begin()).text(), "1");
  later.join();
  EXPECT_EQ(ask(redis, {"INCR", "{tag}count"}), "2");  // MOVED
}

TEST(RedisCluster, ReshardWhileAWriterRuns) {
  LEITONG_NEEDS_REDIS();
  Cluster cluster;
  std::atomic<bool> stop{false};
  std::atomic<int> written{0};
  std::string problem;
  std::thread writer([&] {
    try {
      Redis redis(cluster.settings());
      for (int i = 0; !stop; i += 100) {
        const Replies replies = redis.run(adds(i, i + 100));
        for (std::size_t j = 0; j < replies.size(); ++j) {
          if (replies[j].integer() != 1) problem = "not 1";
        }
        written = i + 100;
      }
    } catch (const std::exception& error) {
      problem = error.what();
    }
  });
  const std::string from = cluster.id(0), to = cluster.id(2), at = cluster.nodes[0]->endpoint().text();
  const std::string failed = net::thrown([&] {
    try {
      cluster.cli({"--cluster", "reshard", at, "--cluster-from", from, "--cluster-to", to, "--cluster-slots", "400", "--cluster-yes"});
    } catch (const std::runtime_error& error) {
      throw Error(ErrorCode::io, error.what());
    }
  });
  stop = true;
  writer.join();
  EXPECT_EQ(failed, "");
  EXPECT_EQ(problem, "");
  EXPECT_GT(written, 1'000);
  Redis redis(cluster.settings());
  expect_all(redis, written);
}

TEST(RedisCluster, ANodeKilledAndBack) {
  LEITONG_NEEDS_REDIS();
  Cluster cluster(0, {"--appendonly", "yes", "--appendfsync", "always"});
  Redis redis(cluster.settings());
  (void)redis.run(adds(0, 500));
  cluster.nodes[1]->kill();
  RedisSettings brief = cluster.settings();
  brief.retry.total = milliseconds(300);
  brief.servers.resize(1);
  {
    Redis hasty(brief);
    const std::string said = net::thrown([&] { (void)hasty.run(adds(500, 600)); });
    EXPECT_SAYS(said, "given up after");
    EXPECT_SAYS(said, "not executed: SADD key:5");
  }
  auto waiting = std::async(std::launch::async, [&] { return redis.run(adds(500, 1'000)).size(); });
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_TRUE(cluster.nodes[1]->start());
  EXPECT_EQ(waiting.get(), 500U);
  expect_all(redis, 1'000);
}

TEST(RedisCluster, AReplicaTakesOver) {
  LEITONG_NEEDS_REDIS();
  Cluster cluster(1);
  Redis redis(cluster.settings());
  (void)redis.run(adds(0, 500));
  for (RedisServer* master : redis.masters()) {  // a master's writes are lost with it unless a replica has them
    Commands wait;
    wait.add({"WAIT", "1", "5000"}, Repeat::never, Commands::no_key);
    (void)master->run(wait);
  }
  cluster.nodes[0]->kill();
  (void)redis.run(adds(500, 1'000));
  expect_all(redis, 1'000);
  EXPECT_EQ(redis.masters().size(), 3U);
  for (const RedisServer* master : redis.masters()) EXPECT_NE(master->endpoint(), cluster.nodes[0]->endpoint());
}

TEST(RedisCluster, ReplicasAreNeverWritten) {
  LEITONG_NEEDS_REDIS();
  Cluster cluster(1);
  RedisSettings settings = cluster.settings();
  settings.servers = {cluster.nodes[5]->endpoint()};  // a replica also knows the masters
  Redis redis(settings);
  (void)redis.run(adds(0, 1'000));
  for (std::size_t i = 3; i < 6; ++i) {
    Redis one(cluster.nodes[i]->settings());
    EXPECT_NE(ask(one, {"INFO", "errorstats"}, Commands::no_key).find("# Errorstats"), std::string::npos);
    EXPECT_EQ(ask(one, {"INFO", "errorstats"}, Commands::no_key).find("errorstat_MOVED"), std::string::npos);
  }
  expect_all(redis, 1'000);
}

TEST(RedisCluster, ASlotThatNobodyHas) {
  LEITONG_NEEDS_REDIS();
  Cluster cluster(0, {"--cluster-require-full-coverage", "no"});
  const unsigned slot = hash_slot("orphan");
  for (const auto& node : cluster.nodes) {
    Redis one(node->settings());
    (void)ask(one, {"CLUSTER", "DELSLOTS", std::to_string(slot)}, Commands::no_key);
  }
  RedisSettings settings = cluster.settings();
  settings.retry.total = milliseconds(200);
  Redis redis(settings);
  Commands batch;
  batch.add({"SADD", "orphan", "1"}, Repeat::harmless);
  const std::string said = net::thrown([&] { (void)redis.run(batch); });
  EXPECT_SAYS(said, "SADD orphan: CLUSTERDOWN");
  EXPECT_SAYS(said, "not executed: SADD orphan");
  (void)redis.run(adds(0, 100));
}

}  // namespace
}  // namespace leitong::redis
