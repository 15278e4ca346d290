// tiers: server
// RedisStore in every layout against a real Redis server: compared with a model, and repairs of what interrupted writers leave.
#include "redis/redis_store.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "net/tcp_proxy_test.h"
#include "redis/redis_process_test.h"
#include "redis/redis_store_model_test.h"

namespace leitong::redis {
namespace {

using std::chrono::milliseconds;

class RedisSingleStore : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (missing_package().empty()) process = new RedisProcess;
  }
  static void TearDownTestSuite() {
    delete process;
    process = nullptr;
  }
  void SetUp() override {
    LEITONG_NEEDS_REDIS();
    Redis redis(process->settings());
    (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
  }
  static RedisStore open(const std::string& layout, unsigned k, bool number_ids = false, const std::string& prefix = "p:") {
    return {process->settings(), prefix, read_redis_layout(layout, k), number_ids};
  }
  static inline RedisProcess* process = nullptr;
};

// Layouts that support the whole interface.
const std::vector<std::string> whole_layouts = {
    "article-plain",
    "article-positioned",
    "compact",
    R"({"preset":"compact","shards":16,"least_first":true})",
    R"({"preset":"article-plain","bits":"least-first","first":1,"digits":"decimal","map":"hash","map_key":"docs"})",
    R"({"key":"b:{block}","container":"list","fingerprint":"signed-decimal","digits":"hex-short"})",
    R"({"key":"{block}-{position}","container":"list","member":"{fingerprint}|{id}","fingerprint":"hex","digits":"hex"})",
    R"({"key":"{block}","container":"string","member":"{id}:{fingerprint}","separator":";","fingerprint":"decimal"})",
    R"({"key":"{position}.{block}","container":"string","member":"{id}","map":"shards","map_key":"s","shards":7})",
    R"({"key":"{block}","container":"set","member":"{id}{{}}{fingerprint}","fingerprint":"reversed-signed-decimal"})",
};

TEST_F(RedisSingleStore, HistoriesAgainstAModel) {
  unsigned seed = 1;
  for (const std::string& layout : whole_layouts) {
    for (const unsigned k : {1U, 3U, 6U, 15U}) {
      SCOPED_TRACE(layout + " k=" + std::to_string(k));
      Redis redis(process->settings());
      (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
      const bool number_ids = seed % 2 == 0;
      RedisStore store = open(layout, k, number_ids, seed % 3 == 0 ? "" : "a*[p]:");
      run_history(store, k, ++seed, number_ids, 12);
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
}

TEST_F(RedisSingleStore, ReplacingLeavesNothingBehind) {
  for (const std::string& layout : whole_layouts) {
    SCOPED_TRACE(layout);
    Redis redis(process->settings());
    (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
    RedisStore store = open(layout, 3);
    const auto keys = [&] {
      const int all = std::stoi(ask(redis, {"DBSIZE"}, Commands::no_key));
      return all - std::stoi(ask(redis, {"EXISTS", "p:leitong:removals"}));
    };
    store.put(std::vector<remote::FingerprintRow>{{"x", 0x1111'2222'3333'4444}});
    const int once = keys();
    store.put(std::vector<remote::FingerprintRow>{{"x", 0x5555'6666'7777'8888}});
    EXPECT_EQ(keys(), once) << "the old buckets are gone";
    store.put(std::vector<remote::FingerprintRow>{{"x", 0x5555'6666'7777'8888}, {"y", 1}});
    const std::string_view both[] = {"x", "y"};
    EXPECT_EQ(store.erase(both), 2U);
    EXPECT_EQ(keys(), 0);
    EXPECT_EQ(store.erase(both), 0U);
  }
}

TEST_F(RedisSingleStore, BlocksThatAreEqualShareAKey) {
  RedisStore store = open("article-plain", 3);
  // Both have the block 1111, at different positions; "a" has it twice.
  store.put(std::vector<remote::FingerprintRow>{{"a", 0x1111'1111'3333'4444}, {"b", 0x5555'6666'7777'1111}});
  const std::uint64_t query = 0x1111'1111'3333'4445;
  const auto found = store.find({&query, 1}, 3);
  ASSERT_EQ(found[0].size(), 1U);
  EXPECT_EQ(found[0][0], (remote::FoundRow{"a", 0x1111'1111'3333'4444, 1}));
  // The new fingerprint has the old block at another position: the id must stay in that bucket.
  store.put(std::vector<remote::FingerprintRow>{{"a", 0x4444'aaaa'bbbb'1111}});
  store.check();
  Redis redis(process->settings());
  EXPECT_EQ(ask(redis, {"SCARD", "p:0001000100010001"}), "2");
  EXPECT_EQ(ask(redis, {"SCARD", "p:0011001100110011"}), "0");
  EXPECT_EQ(ask(redis, {"GET", "p:fp:b"}), "0101010101010101011001100110011001110111011101110001000100010001");
}

TEST_F(RedisSingleStore, StaleMembersAreNoMatchesAndGoByCompact) {
  for (const std::string& layout : whole_layouts) {
    SCOPED_TRACE(layout);
    Redis redis(process->settings());
    (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
    RedisStore store = open(layout, 3);
    store.put(std::vector<remote::FingerprintRow>{
        {"kept", 0x1111'2222'3333'4444}, {"moved", 0x1111'2222'3333'4445}, {"gone", 0x1111'2222'3333'4446}});
    // As if one writer had died after its first step, and another one after its second.
    const RedisLayout data = read_redis_layout(layout, 3);
    const RedisBuckets buckets(data, "p:", false);
    const RedisMap map(data, "p:", false);
    std::vector<BucketEntry> entries;
    buckets.append_entries({"begun", 0x1111'2222'3333'4447}, 0, entries);
    buckets.append_entries({"kept", 0x1111'2222'3333'4444}, 0, entries);  // stored twice, if the container allows it
    Commands writes;
    for (const BucketEntry& entry : entries) buckets.add({&entry, 1}, writes);
    const std::string_view gone = "gone";
    map.erase({&gone, 1}, writes);
    const remote::FingerprintRow moved{"moved", 0xFFFF'2222'3333'4445};
    std::vector<BucketEntry> more;
    buckets.append_entries(moved, 0, more);
    for (const BucketEntry& entry : more) buckets.ensure(entry, writes);
    map.set({&moved, 1}, writes);
    (void)redis.run(writes);
    const std::uint64_t query = 0x1111'2222'3333'4444;
    for (int round = 0; round < 2; ++round) {
      const auto found = store.find({&query, 1}, 3);
      ASSERT_EQ(found[0].size(), 1U) << round;
      EXPECT_EQ(found[0][0].id, "kept");
      store.check();
      store.compact();
    }
    // After compact() the store must be as small as a new one.
    std::vector<std::string> sizes;
    for (int round = 0; round < 2; ++round) {
      std::string size;
      for (const std::uint64_t fingerprint : {query, moved.fingerprint}) {
        for (unsigned block = 0; block < 4; ++block) {
          Commands question;
          buckets.ask_size(buckets.key_of(fingerprint, block), question);
          size += std::to_string(redis.run(question)[0].integer()) + " ";
        }
      }
      sizes.push_back(size);
      (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
      store.put(std::vector<remote::FingerprintRow>{{"kept", query}, moved});
    }
    EXPECT_EQ(sizes[0], sizes[1]);
  }
}

// As if a writer had died after writing the map, while another one removed its members: after put() the row must be found.
TEST_F(RedisSingleStore, PutAgainFillsTheBuckets) {
  const std::uint64_t fingerprint = 0x1111'2222'3333'4444;
  const std::vector<remote::FingerprintRow> rows = {{"x", fingerprint}, {"y", 0x1111'5555'6666'7777}};
  for (const std::string& layout : whole_layouts) {
    SCOPED_TRACE(layout);
    Redis redis(process->settings());
    (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
    RedisStore store = open(layout, 3);
    store.put(rows);
    const RedisBuckets buckets(read_redis_layout(layout, 3), "p:", false);
    std::vector<BucketEntry> entries;
    buckets.append_entries(rows[0], 0, entries);
    const auto sizes = [&] {
      Commands questions;
      for (const BucketEntry& entry : entries) buckets.ask_size(entry.key, questions);
      const Replies replies = redis.run(questions);
      std::vector<std::int64_t> all;
      for (std::size_t i = 0; i < replies.size(); ++i) all.push_back(replies[i].integer());
      return all;
    };
    const std::vector<std::int64_t> before = sizes();
    Commands removals;
    for (const BucketEntry& entry : entries) buckets.remove(entry, false, removals);
    (void)redis.run(removals);
    EXPECT_TRUE(store.find({&fingerprint, 1}, 3)[0].empty());
    store.put(rows);
    EXPECT_EQ(store.find({&fingerprint, 1}, 3)[0], (std::vector<remote::FoundRow>{{"x", fingerprint, 0}}));
    store.check();
    EXPECT_EQ(sizes(), before) << "nothing is doubled";
    // One member is missing while other rows are new.
    Commands one;
    buckets.remove(entries[2], true, one);
    (void)redis.run(one);
    store.put(std::vector<remote::FingerprintRow>{{"z", 0x9999'8888'7777'6666}, rows[0]});
    store.check();
    EXPECT_EQ(sizes(), before);
  }
}

// A bucket contains an old fingerprint of an id whose new one matches as well.
TEST_F(RedisSingleStore, TheMapsFingerprintIsCompared) {
  const std::uint64_t old = 0x1111'2222'3333'4444, now = old ^ 0b11;
  for (const std::string& layout : whole_layouts) {
    SCOPED_TRACE(layout);
    Redis redis(process->settings());
    (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
    RedisStore store = open(layout, 3);
    store.put(std::vector<remote::FingerprintRow>{{"x", old}});
    Commands writes;
    const remote::FingerprintRow row{"x", now};
    RedisMap(read_redis_layout(layout, 3), "p:", false).set({&row, 1}, writes);
    (void)redis.run(writes);
    EXPECT_EQ(store.find({&old, 1}, 3)[0], (std::vector<remote::FoundRow>{{"x", now, 2}}));
    EXPECT_TRUE(store.find({&old, 1}, 1)[0].empty());
  }
}

TEST_F(RedisSingleStore, CheckNamesWhatIsMissing) {
  RedisStore store = open("article-positioned", 3);
  store.put(std::vector<remote::FingerprintRow>{{"a", 1}, {"b", 2}});
  store.check();
  Redis redis(process->settings());
  (void)ask(redis, {"SREM", "p:3:0000000000000010", "b"});
  const std::string said = net::thrown([&] { store.check(); });
  EXPECT_SAYS(said, "the id \"b\" is missing in the bucket p:3:0000000000000010");
  (void)ask(redis, {"SET", "p:fp:b", "10"});
  EXPECT_SAYS(net::thrown([&] { store.check(); }), "p:fp:b");
}

TEST_F(RedisSingleStore, WithoutAMap) {
  for (const std::string layout : {R"({"key":"{block}","member":"{fingerprint}","map":"none","fingerprint":"hex"})",
                                   R"({"key":"{position}:{block}","member":"{id}:{fingerprint}","map":"none"})",
                                   R"({"container":"list","member":"{id}:{fingerprint}","map":"none"})",
                                   R"({"container":"string","member":"{fingerprint}:{id}","map":"none"})"}) {
    SCOPED_TRACE(layout);
    Redis redis(process->settings());
    (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
    RedisStore store = open(layout, 3);
    const bool bare = layout.find("{id}") == std::string::npos;
    std::map<std::string, std::uint64_t> rows;
    std::mt19937_64 random(1);
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t fingerprint = i % 2 == 0 ? random() : rows.begin()->second ^ (std::uint64_t{1} << i % 64);
      rows.emplace(bare ? to_hex({{fingerprint, 0, 0, 0}, 64}) : "id" + std::to_string(i), fingerprint);
    }
    std::vector<remote::FingerprintRow> views;
    for (const auto& [id, fingerprint] : rows) views.push_back({id, fingerprint});
    store.put(views);
    store.put(views);  // putting again must not double anything
    const auto found = store.find({&rows.begin()->second, 1}, 3);
    std::size_t near = 0;
    for (const auto& [id, fingerprint] : rows) near += std::popcount(fingerprint ^ rows.begin()->second) <= 3 ? 1 : 0;
    EXPECT_EQ(found[0].size(), near);
    std::multiset<std::pair<std::string, std::uint64_t>> scanned;
    remote::ScanPlace place;
    do {
      place = store.scan(place, [&](const remote::FingerprintRow& row) { scanned.emplace(row.id, row.fingerprint); });
    } while (!place.empty());
    EXPECT_EQ(scanned, (std::multiset<std::pair<std::string, std::uint64_t>>(rows.begin(), rows.end())));
    store.check();
    EXPECT_FALSE(store.size().rows);
    const std::string_view id = "x";
    EXPECT_SAYS(net::thrown([&] { (void)store.get({&id, 1}); }), "no map from ids to fingerprints");
    EXPECT_SAYS(net::thrown([&] { (void)store.erase({&id, 1}); }), "no map from ids to fingerprints");
    if (bare) {
      EXPECT_SAYS(net::thrown([&] { store.put(std::vector<remote::FingerprintRow>{{"x", 1}}); }), "an id is the fingerprint as written");
    }
  }
}

TEST_F(RedisSingleStore, RefusesWhatDoesNotFit) {
  RedisStore store = open("compact", 3, true);
  EXPECT_SAYS(net::thrown([&] { store.put(std::vector<remote::FingerprintRow>{{"1", 1}, {"one", 1}}); }), "decimal numbers");
  const std::string_view one = "1";
  EXPECT_FALSE(store.get({&one, 1})[0]) << "nothing of a batch that is refused";
  const std::uint64_t query = 1;
  EXPECT_SAYS(net::thrown([&] { (void)store.find({&query, 1}, 4); }), "find all up to k = 3");
  RedisStore joined = open(R"({"container":"string"})", 3);
  EXPECT_SAYS(net::thrown([&] { joined.put(std::vector<remote::FingerprintRow>{{"a,b", 1}}); }), "parts its members by");
  RedisStore bare = open(R"({"map_key":"{id}"})", 3);
  EXPECT_SAYS(net::thrown([&] { bare.put(std::vector<remote::FingerprintRow>{{"leitong", 1}}); }), "the store's record");
  // An id that is written like the key of a bucket would overwrite that bucket.
  bare.put(std::vector<remote::FingerprintRow>{{"a", 0}});
  const std::string said = net::thrown([&] { bare.put(std::vector<remote::FingerprintRow>{{"b", 1}, {"0000000000000000", 1}}); });
  EXPECT_SAYS(said, "id \"0000000000000000\"");
  EXPECT_SAYS(said, "that of a bucket");
  const std::string_view b = "b";
  EXPECT_FALSE(bare.get({&b, 1})[0]) << "nothing of a batch that is refused";
  bare.check();
  for (const char* place : {"x", "1.2", "1.2.3.4.5", "99999999999"}) {
    EXPECT_SAYS(net::thrown([&] { (void)store.scan(place, [](const remote::FingerprintRow&) {}); }), "is no place of a scan");
    EXPECT_SAYS(net::thrown([&] { (void)joined.scan(place, [](const remote::FingerprintRow&) {}); }), "is no place of a scan");
  }
  const remote::StoreSize size = store.size();
  EXPECT_EQ(size.rows, 0U);
  EXPECT_GT(size.bytes, 100'000U);
  EXPECT_TRUE(size.server.starts_with("Redis ")) << size.server;
}

TEST_F(RedisSingleStore, CompactTakesLessMemory) {
  const auto bytes_of = [&](const char* layout) {
    Redis redis(process->settings());
    (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
    RedisStore store = open(R"({"preset":")" + std::string(layout) + R"(","shards":512})", 7, true);
    std::mt19937_64 random(1);
    std::vector<std::string> ids;
    std::vector<remote::FingerprintRow> rows;
    for (int i = 0; i < 20'000; ++i) ids.push_back(std::to_string(i));
    for (const std::string& id : ids) rows.push_back({id, random()});
    const std::uint64_t before = store.size().bytes;
    store.put(rows);
    const std::uint64_t loaded = store.size().bytes;
    store.compact();
    EXPECT_LT(store.size().bytes, loaded + 100'000);
    EXPECT_EQ(scanned(store).size(), rows.size());
    return store.size().bytes - before;
  };
  EXPECT_LT(bytes_of("compact") * 2, bytes_of("article-plain"));
}

}  // namespace
}  // namespace leitong::redis
