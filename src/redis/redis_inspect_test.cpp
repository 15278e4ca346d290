// tiers: server
// The layouts found in stores that other programs have written, against a real Redis server.
#include "redis/redis_inspect.h"

#include <gtest/gtest.h>

#include <bitset>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "redis/redis_layout.h"
#include "redis/redis_process_test.h"
#include "redis/redis_store.h"

namespace leitong::redis {
namespace {

// A store of another program, written with plain commands and strings; it shares no code with RedisLayout.
struct Foreign {
  std::string what;
  std::function<void(Commands&, const std::string& id, std::uint64_t fingerprint)> put;
  std::string expected;  // JSON members of the layout that must be found
};

std::string bits_of(std::uint64_t value) { return std::bitset<64>(value).to_string(); }
std::string backwards(std::string text) { return {text.rbegin(), text.rend()}; }
std::string hex_of(std::uint64_t value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llx", digits, static_cast<unsigned long long>(value));
  return text;
}

const std::vector<Foreign> foreign_stores = {
    {"the article's: blocks as they stand, sets of ids, one key an id",
     [](Commands& out, const std::string& id, std::uint64_t fingerprint) {
       const std::string bits = bits_of(fingerprint);
       for (std::size_t i = 0; i < 4; ++i) out.add({"SADD", bits.substr(16 * i, 16), id}, Repeat::harmless);
       out.add({"SET", "fp:" + id, bits}, Repeat::harmless);
     },
     R"("name":"article-plain","blocks":4,"digits":"bits")"},
    {"positions before, from 0",
     [](Commands& out, const std::string& id, std::uint64_t fingerprint) {
       const std::string bits = bits_of(fingerprint);
       for (std::size_t i = 0; i < 4; ++i) out.add({"SADD", std::to_string(i) + ":" + bits.substr(16 * i, 16), id}, Repeat::harmless);
       out.add({"SET", "fp:" + id, bits}, Repeat::harmless);
     },
     R"("name":"article-positioned","blocks":4)"},
    {"positions from 1 behind an underscore, the last block first, ids in a hash, hexadecimal",
     [](Commands& out, const std::string& id, std::uint64_t fingerprint) {
       for (int i = 0; i < 4; ++i) {
         out.add({"SADD", "sim:" + std::to_string(i + 1) + "_" + hex_of(fingerprint >> (16 * i) & 0xFFFF, 4), id}, Repeat::harmless);
       }
       out.add({"HSET", "docs", id, hex_of(fingerprint, 16)}, Repeat::harmless);
     },
     R"("blocks":4,"digits":"hex","least_first":true,"reversed":false,"first":1,"key":"sim:{position}_{block}","container":"set","member":"{id}","fingerprint":"hex","map":"hash","map_key":"docs")"},
    {"decimal blocks in lists, the position behind, long values as Java prints them",
     [](Commands& out, const std::string& id, std::uint64_t fingerprint) {
       for (int i = 0; i < 4; ++i) {
         out.add({"RPUSH", "b:" + std::to_string(fingerprint >> (48 - 16 * i) & 0xFFFF) + ":" + std::to_string(i), id}, Repeat::harmless);
       }
       out.add({"SET", id + ".simhash", std::to_string(static_cast<std::int64_t>(fingerprint))}, Repeat::harmless);
     },
     R"("blocks":4,"digits":"decimal","least_first":false,"reversed":false,"first":0,"key":"b:{block}:{position}","container":"list","member":"{id}","fingerprint":"signed-decimal","map":"string","map_key":"{id}.simhash")"},
    {"Integer.toHexString, eight blocks, members with their fingerprint, no map",
     [](Commands& out, const std::string& id, std::uint64_t fingerprint) {
       for (int i = 0; i < 8; ++i) {
         out.add({"SADD", "k" + std::to_string(i) + ":" + hex_of(fingerprint >> (56 - 8 * i) & 0xFF, 1),
                  id + "|" + std::to_string(fingerprint)},
                 Repeat::harmless);
       }
     },
     R"("blocks":8,"digits":"hex-short","least_first":false,"reversed":false,"first":0,"key":"k{position}:{block}","container":"set","member":"{id}|{fingerprint}","fingerprint":"decimal","map":"none")"},
    {"fingerprints alone, whole",
     [](Commands& out, const std::string&, std::uint64_t fingerprint) {
       const std::string bits = bits_of(fingerprint);
       for (std::size_t i = 0; i < 4; ++i) out.add({"SADD", "simhash:" + bits.substr(16 * i, 16), bits}, Repeat::harmless);
     },
     R"("blocks":4,"digits":"bits","least_first":false,"reversed":false,"first":0,"key":"simhash:{block}","container":"set","member":"{fingerprint}","fingerprint":"bits","map":"none")"},
    {"values joined by commas, six blocks",
     [](Commands& out, const std::string& id, std::uint64_t fingerprint) {
       const std::string bits = bits_of(fingerprint);
       for (std::size_t i = 0, at = 0; i < 6; ++i) {
         const std::size_t width = i < 4 ? 11 : 10;
         const std::string key = "x:" + std::to_string(i) + "-" + bits.substr(at, width);
         out.add({"EVAL",
                  "if redis.call('EXISTS',KEYS[1])==1 then redis.call('APPEND',KEYS[1],','..ARGV[1]) else "
                  "redis.call('SET',KEYS[1],ARGV[1]) end",
                  "1", key, id},
                 Repeat::harmless, 3);
         at += width;
       }
       out.add({"SET", "doc/" + id, hex_of(fingerprint, 16)}, Repeat::harmless);
     },
     R"("blocks":6,"digits":"bits","least_first":false,"reversed":false,"first":0,"key":"x:{position}-{block}","container":"string","member":"{id}","separator":",","fingerprint":"hex","map":"string","map_key":"doc/{id}")"},
    {"blocks reversed one by one",
     [](Commands& out, const std::string& id, std::uint64_t fingerprint) {
       const std::string bits = bits_of(fingerprint);
       for (std::size_t i = 0; i < 4; ++i) out.add({"SADD", std::to_string(i) + backwards(bits.substr(16 * i, 16)), id}, Repeat::harmless);
       out.add({"SET", "fp:" + id, hex_of(fingerprint, 16)}, Repeat::harmless);
     },
     R"("blocks":4,"digits":"bits","least_first":false,"reversed":true,"first":0,"key":"{position}{block}")"},
};

TEST(RedisSingleStoreInspect, RecognisesOtherPrograms) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  for (const Foreign& foreign : foreign_stores) {
    for (const std::string ids : {"", "doc:"}) {
      SCOPED_TRACE(foreign.what + " " + ids);
      (void)ask(redis, {"FLUSHALL"}, Commands::no_key);
      std::mt19937_64 random(7);
      Commands batch;
      std::vector<std::pair<std::string, std::uint64_t>> rows;
      for (int i = 0; i < 400; ++i) rows.emplace_back(ids + std::to_string(100 + i * 7), random());
      for (const auto& [id, fingerprint] : rows) foreign.put(batch, id, fingerprint);
      (void)redis.run(batch);
      const remote::Inspection seen = inspect_redis(redis, process.settings(), "", 2'000);
      std::string all;
      for (const std::string& line : seen.evidence) all += line + "\n";
      for (const std::string& line : seen.doubts) all += "? " + line + "\n";
      EXPECT_SAYS(seen.layout, foreign.expected) << all;
      EXPECT_EQ(all.find("fits this layout as well"), std::string::npos) << all;
      if (seen.layout.empty()) continue;
      // The store can be used with the layout found.
      RedisStore store(process.settings(), "", read_redis_layout(seen.layout, 3), false);
      const std::uint64_t query = rows[17].second ^ 0x8000'0000'0000'0001;
      const auto found = store.find({&query, 1}, 3);
      ASSERT_EQ(found[0].size(), 1U);
      const bool bare = foreign.what == "fingerprints alone, whole";
      EXPECT_EQ(found[0][0].distance, 2U);
      EXPECT_EQ(found[0][0].id, bare ? bits_of(rows[17].second) : rows[17].first);
      store.check();
    }
  }
}

// A single key among a hundred thousand, which a sample of a thousand would miss.
TEST(RedisSingleStoreInspect, FindsTheOneHashOfAllIds) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  std::mt19937_64 random(11);
  Commands batch;
  for (int i = 0; i < 20'000; ++i) {
    const std::string bits = bits_of(random()), id = "d" + std::to_string(i);
    for (std::size_t b = 0; b < 4; ++b)
      batch.add({"SADD", "sim:" + std::to_string(b) + ":" + bits.substr(16 * b, 16), id}, Repeat::harmless);
    batch.add({"HSET", "sim:fps", id, bits}, Repeat::harmless);
  }
  (void)redis.run(batch);
  const remote::Inspection seen = inspect_redis(redis, process.settings(), "sim:", 1'000);
  EXPECT_SAYS(seen.layout, R"("key":"{position}:{block}","container":"set","member":"{id}")");
  EXPECT_SAYS(seen.layout, R"("map":"hash","map_key":"fps")");
}

TEST(RedisSingleStoreInspect, SaysThatThereIsNone) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  const remote::Inspection nothing = inspect_redis(redis, process.settings(), "p:", 100);
  EXPECT_EQ(nothing.layout, "");
  EXPECT_SAYS(nothing.evidence.front(), "no key under the prefix \"p:\"");
  for (int i = 0; i < 100; ++i) {
    (void)ask(redis, {"SET", "p:session:" + std::to_string(i), "value " + std::to_string(i)});
    (void)ask(redis, {"SADD", "p:tags:" + std::to_string(i), "a", "b"});
    (void)ask(redis, {"ZADD", "p:scores:" + std::to_string(i), "1", "b"});
  }
  const remote::Inspection other = inspect_redis(redis, process.settings(), "p:", 1'000);
  EXPECT_EQ(other.layout, "");
  EXPECT_SAYS(other.evidence.back(), "none fits");
}

TEST(RedisSingleStoreInspect, UnderAPrefixAndBesideARecord) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  (void)ask(redis, {"SET", "a*:leitong", "{}"});
  (void)ask(redis, {"SET", "other", "x"});
  RedisStore store(process.settings(), "a*:", read_redis_layout("article-positioned", 7), false);
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i) store.put(std::vector<remote::FingerprintRow>{{std::to_string(i), random()}});
  const remote::Inspection seen = inspect_redis(redis, process.settings(), "a*:", 500);
  EXPECT_SAYS(seen.evidence.front(), "a*:leitong holds a record");
  EXPECT_EQ(seen.layout, to_json(redis_preset("article-positioned", 7)));
}

}  // namespace
}  // namespace leitong::redis
