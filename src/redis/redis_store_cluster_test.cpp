// tiers: server
// RedisStore in a cluster of three masters.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "leitong/error.h"
#include "redis/redis_cluster_process_test.h"
#include "redis/redis_store.h"
#include "redis/redis_store_model_test.h"

namespace leitong::redis {
namespace {

const std::vector<std::string> cluster_layouts = {
    R"({"preset":"compact","shards":64})", "article-plain",
    R"({"key":"{block}","container":"list","member":"{fingerprint}|{id}","fingerprint":"hex","digits":"hex","map":"hash","map_key":"docs"})",
    R"({"key":"{position}.{block}","container":"string","member":"{id}"})"};

void clear(const RedisClusterProcess& cluster) {
  for (const auto& node : cluster.nodes) {
    Redis redis(node->settings());
    (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
  }
}

TEST(RedisClusterStore, Histories) {
  LEITONG_NEEDS_REDIS();
  const RedisClusterProcess cluster;
  std::uint64_t seed = 100;
  for (const std::string& layout : cluster_layouts) {
    for (const unsigned k : {1U, 3U, 15U}) {
      SCOPED_TRACE(layout + " k=" + std::to_string(k));
      clear(cluster);
      const bool number_ids = seed % 2 == 0;
      RedisStore store(cluster.settings(), "p:", read_redis_layout(layout, k), number_ids);
      run_history(store, k, ++seed, number_ids, 8);
      if (::testing::Test::HasFailure()) return;
    }
  }
  RedisStore store(cluster.settings(), "p:", read_redis_layout("compact", 3), false);
  EXPECT_TRUE(store.size().server.ends_with(", 3 masters")) << store.size().server;
}

// Slots move while one client writes, replaces and erases, and another one scans step by step.
TEST(RedisClusterStore, ReshardWhileWritersAndScansRun) {
  LEITONG_NEEDS_REDIS();
  RedisClusterProcess cluster;
  for (const std::string& layout : {cluster_layouts[0], cluster_layouts[1]}) {
    SCOPED_TRACE(layout);
    clear(cluster);
    const RedisLayout data = read_redis_layout(layout, 3);
    Model stable;
    Families families(5);
    for (int i = 0; i < 3'000; ++i) stable["stable" + std::to_string(i)] = families.number();
    {
      RedisStore store(cluster.settings(), "p:", data, false);
      store.put(rows_of(stable));
    }
    std::atomic<bool> stop{false};
    Model written;
    std::string problem;
    std::thread writer([&] {
      try {
        RedisStore store(cluster.settings(), "p:", data, false);
        Families own(6);
        for (int batch = 0; !stop; ++batch) {
          Model rows;
          for (int i = 0; i < 100; ++i) rows["id" + std::to_string(own.number() % 2'000)] = own.next(3);
          store.put(rows_of(rows));
          for (const auto& [id, fingerprint] : rows) written.insert_or_assign(id, fingerprint);
          const std::string gone = "id" + std::to_string(own.number() % 2'000);
          const std::string_view view = gone;
          if (store.erase({&view, 1}) != written.erase(gone)) problem = "erase";
        }
      } catch (const std::exception& error) {
        problem = error.what();
      }
    });
    int missed = 0, scans = 0;
    std::thread scanner([&] {
      try {
        while (!stop) {
          remote::ScanPlace place;
          Model seen;
          do {
            RedisStore store(cluster.settings(), "p:", data, false);  // a new client for each step
            place =
                store.scan(place, [&](const remote::FingerprintRow& row) { seen.insert_or_assign(std::string(row.id), row.fingerprint); });
          } while (!place.empty());
          for (const auto& [id, fingerprint] : stable) missed += !seen.contains(id) || seen[id] != fingerprint ? 1 : 0;
          ++scans;
        }
      } catch (const std::exception& error) {
        problem = error.what();
      }
    });
    std::string failed;
    try {
      cluster.cli({"--cluster", "reshard", cluster.nodes[0]->endpoint().text(), "--cluster-from", cluster.id(0), "--cluster-to",
                   cluster.id(2), "--cluster-slots", "300", "--cluster-yes"});
    } catch (const std::runtime_error& error) {
      failed = error.what();
    }
    stop = true;
    writer.join();
    scanner.join();
    EXPECT_EQ(failed, "");
    EXPECT_EQ(problem, "");
    EXPECT_EQ(missed, 0);
    EXPECT_GT(scans, 0);
    EXPECT_GT(written.size(), 500U);
    Model all = written;
    all.insert(stable.begin(), stable.end());
    RedisStore store(cluster.settings(), "p:", data, false);
    store.check();
    EXPECT_EQ(scanned(store), all);
    expect_equal(store, all, families, 3);
    store.compact();
    store.check();
  }
}

TEST(RedisClusterStore, ANodeKilledAndBack) {
  LEITONG_NEEDS_REDIS();
  RedisClusterProcess cluster(0, {"--appendonly", "yes", "--appendfsync", "always"});
  const RedisLayout data = read_redis_layout(cluster_layouts[0], 3);
  RedisStore store(cluster.settings(), "p:", data, false);
  Families families(7);
  Model model;
  for (int i = 0; i < 500; ++i) model["id" + std::to_string(i)] = families.next(3);
  store.put(rows_of(model));
  cluster.nodes[1]->kill();
  Model more;
  for (int i = 300; i < 800; ++i) more["id" + std::to_string(i)] = families.next(3);
  std::string problem;
  std::thread writer([&] { problem = net::thrown([&] { store.put(rows_of(more)); }); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(cluster.nodes[1]->start());
  writer.join();
  EXPECT_EQ(problem, "");
  for (const auto& [id, fingerprint] : more) model.insert_or_assign(id, fingerprint);
  expect_equal(store, model, families, 3);
  EXPECT_EQ(scanned(store), model);
  store.check();
}

}  // namespace
}  // namespace leitong::redis
