// tiers: server
// Faults between a RedisStore and its server: cut connections, restarts, full memory, wrong servers, and other writers.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "leitong/error.h"
#include "net/tcp_proxy_test.h"
#include "redis/redis_process_test.h"
#include "redis/redis_store.h"
#include "redis/redis_store_model_test.h"

namespace leitong::redis {
namespace {

using std::chrono::milliseconds;
using Kind = net::TcpProxy::Fault::Kind;
using Way = net::TcpProxy::Way;

const std::vector<std::string> fault_layouts = {
    R"({"preset":"compact","shards":64})", "article-plain",
    R"({"key":"{block}","container":"list","member":"{fingerprint}|{id}","fingerprint":"hex","digits":"hex","map":"hash","map_key":"docs"})",
    R"({"key":"{position}.{block}","container":"string","member":"{id}"})"};

Model some_rows(std::uint64_t seed, int count) {
  Families families(seed);
  Model model;
  for (int i = 0; i < count; ++i) model["id" + std::to_string(i)] = families.next(3);
  return model;
}

void clear(const RedisProcess& process) {
  Redis redis(process.settings());
  (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
}

// put() is interrupted at every stage, while it sends and while it receives. After it is repeated, everything is stored once.
TEST(RedisSingleStoreFaults, CutAtEveryStage) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  net::TcpProxy proxy(process.endpoint());
  RedisSettings cut = process.settings();
  cut.servers = {proxy.endpoint()};
  cut.retry.attempts = 1;
  const Model before = some_rows(1, 30);
  Model after = before;
  for (const auto& [id, fingerprint] : some_rows(2, 45)) {
    if (id.back() != '7') after.insert_or_assign(id, fingerprint);
  }
  for (const std::string& layout : fault_layouts) {
    SCOPED_TRACE(layout);
    const RedisLayout data = read_redis_layout(layout, 3);
    std::int64_t length[2] = {1, 1};
    int thrown_at = 0;
    for (const Way way : {Way::up, Way::down}) {
      for (int step = -1; step < 20; ++step) {
        clear(process);
        RedisStore store(process.settings(), "p:", data, false);
        store.put(rows_of(before));
        RedisStore victim(cut, "p:", data, false);
        (void)victim.size();  // makes the connection
        net::TcpProxy::Fault fault;
        fault.kind = step < 0 ? Kind::none : step % 2 == 0 ? Kind::cut : Kind::reset;
        fault.way = way;
        fault.at = length[static_cast<int>(way)] * step / 20;
        proxy.arm(fault);
        if (!net::thrown([&] { victim.put(rows_of(after)); }).empty()) ++thrown_at;
        if (step < 0) length[static_cast<int>(way)] = proxy.passed(way);
        Families families(3);
        // Rows that were stored before must still be stored, with the old or the new fingerprint.
        for (const auto& [id, fingerprint] : before) {
          const std::string_view one = id;
          const auto value = store.get({&one, 1})[0];
          ASSERT_TRUE(value && (*value == fingerprint || *value == after.at(id))) << id;
        }
        store.check();
        store.put(rows_of(after));
        expect_equal(store, after, families, 3);
        ASSERT_EQ(scanned(store), after);
        store.check();
        if (step % 5 == 0) {
          store.compact();
          expect_equal(store, after, families, 3);
        }
        if (::testing::Test::HasFailure()) return;
      }
    }
    EXPECT_GT(thrown_at, 15);  // an interruption of the removals at the end is not an error
  }
}

TEST(RedisSingleStoreFaults, ACutIsRetriedUnseen) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  net::TcpProxy proxy(process.endpoint());
  RedisSettings settings = process.settings();
  settings.servers = {proxy.endpoint()};
  settings.retry.first_pause = milliseconds(1);
  for (const std::string& layout : fault_layouts) {
    SCOPED_TRACE(layout);
    for (const int at : {100, 2'000, 10'000, 20'000}) {
      clear(process);
      RedisStore store(settings, "p:", read_redis_layout(layout, 3), false);
      net::TcpProxy::Fault fault;
      fault.kind = Kind::cut;
      fault.way = at % 4'000 == 2'000 ? Way::down : Way::up;
      fault.at = at;
      proxy.arm(fault);
      const Model model = some_rows(1, 60);
      store.put(rows_of(model));
      Families families(3);
      expect_equal(store, model, families, 3);
      store.check();
      EXPECT_EQ(scanned(store), model);
    }
  }
}

TEST(RedisSingleStoreFaults, KilledAmidABatchAndBack) {
  LEITONG_NEEDS_REDIS();
  for (const std::string& layout : {fault_layouts[0], fault_layouts[1]}) {
    SCOPED_TRACE(layout);
    RedisProcess process({"--appendonly", "yes", "--appendfsync", "always"});
    const RedisLayout data = read_redis_layout(layout, 3);
    RedisSettings settings = process.settings();
    settings.retry.attempts = 1;
    Model acknowledged, sent;
    std::atomic<bool> running{false};
    std::thread writer([&] {
      RedisStore store(settings, "p:", data, false);
      Families families(9);
      try {
        for (int batch = 0;; ++batch) {
          Model rows;
          for (int i = 0; i < 500; ++i) rows["id" + std::to_string((batch * 300 + i) % 20'000)] = families.next(3);
          sent = rows;
          store.put(rows_of(rows));
          for (const auto& [id, fingerprint] : rows) acknowledged.insert_or_assign(id, fingerprint);
          if (batch == 5) running = true;
        }
      } catch (const Error&) {
      }
    });
    while (!running) std::this_thread::sleep_for(milliseconds(1));
    std::this_thread::sleep_for(milliseconds(37));
    process.kill();
    writer.join();
    ASSERT_TRUE(process.start());
    RedisStore store(process.settings(), "p:", data, false);
    store.check();
    for (const auto& [id, fingerprint] : scanned(store)) {
      const bool right = (acknowledged.contains(id) && acknowledged[id] == fingerprint) || (sent.contains(id) && sent[id] == fingerprint);
      ASSERT_TRUE(right) << id;
      if (!sent.contains(id)) acknowledged.erase(id);
    }
    for (const auto& [id, fingerprint] : acknowledged) ASSERT_TRUE(sent.contains(id)) << id << " is lost";
    for (const auto& [id, fingerprint] : sent) acknowledged.insert_or_assign(id, fingerprint);
    store.put(rows_of(acknowledged));
    Families families(3);
    store.check();
    store.compact();
    store.check();
    for (const auto& [id, fingerprint] : acknowledged) {
      const std::string_view one = id;
      ASSERT_EQ(store.get({&one, 1})[0], fingerprint);
    }
  }
}

TEST(RedisSingleStoreFaults, FullMemory) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process({"--maxmemory", "3mb", "--maxmemory-policy", "noeviction"});
  for (const std::string& layout : fault_layouts) {
    SCOPED_TRACE(layout);
    clear(process);
    Redis redis(process.settings());
    (void)ask(redis, {"CONFIG", "SET", "maxmemory", "3mb"}, Commands::no_key);
    RedisStore store(process.settings(), "p:", read_redis_layout(layout, 3), false);
    Model acknowledged, batch;
    Families families(1);
    bool refusal = false;
    std::string said;
    for (int i = 0; said.empty() && i < 200; ++i) {
      batch.clear();
      for (int j = 0; j < 300; ++j) batch["id" + std::to_string(i * 300 + j)] = families.number();
      said = net::thrown([&] { store.put(rows_of(batch)); }, &refusal);
      if (said.empty()) acknowledged.merge(batch);
    }
    EXPECT_TRUE(refusal);
    EXPECT_SAYS(said, "OOM");
    EXPECT_SAYS(said, "raise maxmemory");
    EXPECT_SAYS(said, process.endpoint().text());
    store.check();
    for (const auto& [id, fingerprint] : acknowledged) {
      const std::string_view one = id;
      ASSERT_EQ(store.get({&one, 1})[0], fingerprint);
    }
    (void)ask(redis, {"CONFIG", "SET", "maxmemory", "0"}, Commands::no_key);
    store.put(rows_of(batch));
    acknowledged.merge(batch);
    store.check();
    EXPECT_EQ(scanned(store), acknowledged);
  }
}

TEST(RedisSingleStoreFaults, ErasingWithFullMemory) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  for (const std::string& layout : fault_layouts) {
    SCOPED_TRACE(layout);
    (void)ask(redis, {"CONFIG", "SET", "maxmemory", "0"}, Commands::no_key);
    clear(process);
    RedisStore store(process.settings(), "p:", read_redis_layout(layout, 3), false);
    const Model model = some_rows(1, 40);
    store.put(rows_of(model));
    (void)ask(redis, {"CONFIG", "SET", "maxmemory", "1"}, Commands::no_key);
    EXPECT_SAYS(net::thrown([&] { store.put(std::vector<remote::FingerprintRow>{{"new", 1}}); }), "OOM");
    std::vector<std::string_view> ids;
    for (const auto& [id, fingerprint] : model) ids.push_back(id);
    EXPECT_EQ(store.erase(ids), ids.size());
    EXPECT_EQ(store.erase(ids), 0U);
    // Servers before Redis 7 cannot remove members from strings while memory is full.
    if (store.size().server.starts_with("Redis 6") || store.size().server.starts_with("Redis 5")) continue;
    EXPECT_EQ(ask(redis, {"DBSIZE"}, Commands::no_key), "1");
    EXPECT_EQ(ask(redis, {"GET", "p:leitong:removals"}), "1");
  }
}

TEST(RedisSingleStoreFaults, WrongServers) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess master({"--requirepass", "top-secret"});
  const RedisLayout layout = read_redis_layout("article-plain", 3);
  bool refusal = false;
  EXPECT_SAYS(net::thrown([&] { RedisStore store(master.settings(), "", layout, false); }, &refusal), "NOAUTH");
  EXPECT_TRUE(refusal);
  RedisSettings wrong = master.settings();
  wrong.account.password = "not-the-secret";
  const std::string said = net::thrown([&] { RedisStore store(wrong, "", layout, false); });
  EXPECT_SAYS(said, "WRONGPASS");
  EXPECT_EQ(said.find("secret"), std::string::npos);

  const RedisProcess replica({"--replicaof", "127.0.0.1 " + std::to_string(master.endpoint().port), "--masterauth", "top-secret"});
  RedisStore store(replica.settings(), "", layout, false);
  const std::string readonly = net::thrown([&] { store.put(std::vector<remote::FingerprintRow>{{"a", 1}}); }, &refusal);
  EXPECT_SAYS(readonly, "READONLY");
  EXPECT_SAYS(readonly, "give the master's address");
}

TEST(RedisSingleStoreFaults, KeysOfSomebodyElse) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  RedisStore store(process.settings(), "", read_redis_layout("article-plain", 3), false);
  (void)ask(redis, {"SET", "0000000000000001", "theirs"});
  (void)ask(redis, {"SADD", "fp:b", "theirs"});
  const std::string bucket = net::thrown([&] { store.put(std::vector<remote::FingerprintRow>{{"a", 1}}); });
  EXPECT_SAYS(bucket, "SADD 0000000000000001: WRONGTYPE");
  EXPECT_SAYS(bucket, "another key prefix");
  EXPECT_SAYS(net::thrown([&] { store.put(std::vector<remote::FingerprintRow>{{"b", 2}}); }), "GET fp:b: WRONGTYPE");
  EXPECT_EQ(ask(redis, {"GET", "0000000000000001"}), "theirs");
  EXPECT_EQ(ask(redis, {"SCARD", "fp:b"}), "1");
  const std::string_view a = "a";
  EXPECT_FALSE(store.get({&a, 1})[0]);

  RedisStore packed(process.settings(), "", read_redis_layout("compact", 3), false);
  packed.put(std::vector<remote::FingerprintRow>{{"a", 0}});
  (void)ask(redis, {"APPEND", std::string("\0\0\0", 3), "xyz"});
  const std::uint64_t query = 0;
  EXPECT_SAYS(net::thrown([&] { (void)packed.find({&query, 1}, 3); }), "ends amid a record");
}

// A store behind a slow connection, so that the test can act between two of its steps.
class SlowStore {
 public:
  SlowStore(const RedisProcess& process, const RedisLayout& layout) : proxy_(process.endpoint()) {
    RedisSettings settings = process.settings();
    settings.servers = {proxy_.endpoint()};
    store_ = std::make_unique<RedisStore>(settings, "p:", layout, false);
    (void)store_->size();
    net::TcpProxy::Fault slow;
    slow.delay = milliseconds(40);
    proxy_.arm(slow);
  }
  RedisStore* operator->() { return store_.get(); }

 private:
  net::TcpProxy proxy_;
  std::unique_ptr<RedisStore> store_;
};

void wait_until(Redis& redis, std::initializer_list<std::string_view> words, const std::string& answer) {
  for (int i = 0; i < 5'000 && ask(redis, words) != answer; ++i) std::this_thread::sleep_for(milliseconds(1));
  ASSERT_EQ(ask(redis, words), answer);
}

// Members that put() has just added are removed by another client, which cannot know yet that they are needed again.
TEST(RedisSingleStoreFaults, RemovedBetweenAddingAndTheMap) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  const RedisLayout layout = read_redis_layout("article-positioned", 3);
  SlowStore store(process, layout);
  std::thread writer([&] { store->put(std::vector<remote::FingerprintRow>{{"x", 1}}); });
  wait_until(redis, {"SCARD", "p:3:0000000000000001"}, "1");
  EXPECT_EQ(ask(redis, {"GET", "p:fp:x"}), "nil");
  for (const char* key : {"p:0:0000000000000000", "p:1:0000000000000000", "p:2:0000000000000000", "p:3:0000000000000001"}) {
    EXPECT_EQ(ask(redis, {"SREM", key, "x"}), "1");
  }
  (void)ask(redis, {"INCR", "p:leitong:removals"});
  EXPECT_EQ(ask(redis, {"GET", "p:fp:x"}), "nil");
  writer.join();
  RedisStore(process.settings(), "p:", layout, false).check();
  EXPECT_EQ(ask(redis, {"SCARD", "p:3:0000000000000001"}), "1");
}

// An id is put again just before its members are removed.
TEST(RedisSingleStoreFaults, PutAgainBeforeTheRemoval) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  for (const bool replaced : {false, true}) {
    const RedisLayout layout = read_redis_layout("article-positioned", 3);
    RedisStore other(process.settings(), "p:", layout, false);
    const std::vector<remote::FingerprintRow> first = {{"x", 1}}, second = {{"x", 0xFFFF'FFFF'FFFF'FFFF}};
    other.put(first);
    SlowStore store(process, layout);
    std::thread eraser([&] {
      const std::string_view x = "x";
      if (replaced) {
        store->put(second);
      } else {
        (void)store->erase({&x, 1});
      }
    });
    wait_until(redis, {"GET", "p:fp:x"}, replaced ? std::string(64, '1') : "nil");
    other.put(first);
    eraser.join();
    other.check();
    EXPECT_EQ(scanned(other), (Model{{"x", 1}}));
    EXPECT_EQ(ask(redis, {"SCARD", "p:3:0000000000000001"}), "1");
  }
}

// The remover cannot count its removal. It reports this, and what it has removed wrongly is restored.
TEST(RedisSingleStoreFaults, PutAgainBeforeARemovalThatIsNotCounted) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  const RedisLayout layout = read_redis_layout("article-positioned", 3);
  RedisStore other(process.settings(), "p:", layout, false);
  const std::vector<remote::FingerprintRow> rows = {{"x", 1}};
  other.put(rows);
  (void)ask(redis, {"SET", "p:leitong:removals", "no number"});
  SlowStore store(process, layout);
  std::string said;
  std::thread eraser([&] {
    const std::string_view x = "x";
    said = net::thrown([&] { (void)store->erase({&x, 1}); });
  });
  wait_until(redis, {"GET", "p:fp:x"}, "nil");
  other.put(rows);
  eraser.join();
  EXPECT_SAYS(said, "p:leitong:removals");
  other.check();
  EXPECT_EQ(ask(redis, {"SCARD", "p:3:0000000000000001"}), "1");
}

// Several writers change the same ids at the same time. In the end an id must have one fingerprint and be in all of its buckets.
TEST(RedisSingleStoreFaults, WritersOfTheSameIds) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  for (const std::string& layout : fault_layouts) {
    SCOPED_TRACE(layout);
    clear(process);
    const RedisLayout data = read_redis_layout(layout, 3);
    std::vector<std::thread> writers;
    std::atomic<int> failures{0};
    for (unsigned writer = 0; writer < 3; ++writer) {
      writers.emplace_back([&, writer] {
        try {
          RedisStore store(process.settings(), "p:", data, false);
          std::mt19937_64 random(writer);
          for (int round = 0; round < 60; ++round) {
            const std::string ids[] = {"a", "b", "c", "d"};
            const std::uint64_t values[] = {0x1111'2222'3333'4444, 0x1111'2222'3333'5555, 0x6666'2222'3333'4444};
            std::vector<remote::FingerprintRow> rows;
            for (const std::string& id : ids) rows.push_back({id, values[random() % 3]});
            if (random() % 4 == 0) {
              const std::string_view gone[] = {ids[random() % 4], ids[random() % 4]};
              (void)store.erase(gone);
            } else {
              store.put(rows);
            }
            if (writer == 0 && round % 16 == 0) store.compact();
          }
        } catch (const std::exception& error) {
          ++failures;
          ADD_FAILURE() << error.what();
        }
      });
    }
    for (std::thread& writer : writers) writer.join();
    EXPECT_EQ(failures, 0);
    RedisStore store(process.settings(), "p:", data, false);
    store.check();
    const Model model = scanned(store);
    Families families(1);
    expect_equal(store, model, families, 3);
    for (const auto& [id, fingerprint] : model) {
      const auto found = store.find({&fingerprint, 1}, 3);
      EXPECT_EQ(found[0], found_in(model, fingerprint, 3));
    }
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace leitong::redis
