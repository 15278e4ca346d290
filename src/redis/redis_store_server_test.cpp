// tiers: server
// Making, adopting and finding stores by their addresses, on a real Redis server.
#include "redis/redis_store_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "leitong/error.h"
#include "redis/redis_process_test.h"
#include "redis/redis_store_model_test.h"
#include "remote/store_url.h"

namespace leitong::redis {
namespace {

std::unique_ptr<remote::StoreServer> at(const RedisProcess& process, const std::string& rest) {
  return std::make_unique<RedisStoreServer>(remote::parse_store_url("redis://" + process.endpoint().text() + rest));
}

TEST(RedisSingleStoreServer, MakesOneStoreUnderAPrefix) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  const auto server = at(process, "/2?prefix=a*:");
  EXPECT_EQ(server->name(), "redis://" + process.endpoint().text() + "/2?prefix=a*:");
  EXPECT_TRUE(server->empty());
  EXPECT_FALSE(server->record());
  const std::string layout = server->layout_of("compact", 3);
  server->make("the record", layout);
  EXPECT_EQ(server->record(), "the record");
  EXPECT_FALSE(server->empty());
  EXPECT_SAYS(net::thrown([&] { server->make("another", layout); }), "there is a collection already");
  EXPECT_SAYS(net::thrown([&] { server->adopt("another", layout); }), "there is a store already");
  EXPECT_EQ(server->record(), "the record");

  const auto store = server->open(layout, true);
  store->put(std::vector<remote::FingerprintRow>{{"7", 1}, {"8", 3}});
  const std::uint64_t query = 0;
  EXPECT_EQ(server->open(layout, true)->find({&query, 1}, 3)[0], (std::vector<remote::FoundRow>{{"7", 1, 1}, {"8", 3, 2}}));

  // Another prefix or another database is another store.
  EXPECT_TRUE(at(process, "/2?prefix=ab:")->empty()) << "* in a prefix is a character";
  EXPECT_TRUE(at(process, "/1?prefix=a*:")->empty());
  EXPECT_TRUE(at(process, "")->empty());
  EXPECT_FALSE(at(process, "/2")->empty());
}

TEST(RedisSingleStoreServer, PrefixesDoNotBeginWithOneAnother) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  const auto make = [&](const std::string& prefix) {
    return net::thrown([&] {
      const auto server = at(process, "/0?prefix=" + prefix);
      server->make("the record", server->layout_of("compact", 3));
    });
  };
  EXPECT_EQ(make("ab:"), "");
  EXPECT_EQ(make("ac:"), "");
  EXPECT_SAYS(make("ab:fp:"), "behind the prefix \"ab:\"");
  EXPECT_SAYS(make("a"), "there are keys already");
  EXPECT_SAYS(make(""), "there are keys already");
  EXPECT_SAYS(net::thrown([&] { at(process, "/0?prefix=ab:x")->adopt("r", at(process, "")->layout_of("compact", 3)); }),
              "behind the prefix");
}

TEST(RedisSingleStoreServer, AdoptsWhatIsThere) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  (void)ask(redis, {"SADD", "0000000000000000", "doc"});
  (void)ask(redis, {"SADD", "0000000000000001", "doc"});
  (void)ask(redis, {"SET", "fp:doc", std::string(63, '0') + "1"});
  const auto server = at(process, "");
  const std::string layout = server->layout_of("article-plain", 3);
  EXPECT_SAYS(net::thrown([&] { server->make("r", layout); }), "there are keys already");
  server->adopt("r", layout);
  EXPECT_EQ(server->record(), "r");
  const std::uint64_t query = 0;
  const auto store = server->open(layout, false);
  EXPECT_EQ(store->find({&query, 1}, 3)[0], (std::vector<remote::FoundRow>{{"doc", 1, 1}}));
  store->check();
  EXPECT_EQ(scanned(*store), (Model{{"doc", 1}}));
}

TEST(RedisSingleStoreServer, OneOfManyMakersWins) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  std::vector<std::thread> makers;
  std::atomic<int> won{0};
  for (int i = 0; i < 8; ++i) {
    makers.emplace_back([&, i] {
      const auto server = at(process, "?prefix=p:");
      const std::string layout = server->layout_of("compact", 3);
      if (net::thrown([&] { server->make("record " + std::to_string(i), layout); }).empty()) ++won;
    });
  }
  for (std::thread& maker : makers) maker.join();
  EXPECT_EQ(won, 1);
  EXPECT_TRUE(at(process, "?prefix=p:")->record()->starts_with("record "));
}

TEST(RedisSingleStoreServer, LayoutsAreDataOnTheirWay) {
  const auto server = std::make_unique<RedisStoreServer>(remote::parse_store_url("redis://127.0.0.1:1"));  // does not connect
  const std::string layout = server->layout_of(R"({"preset":"article-plain","bits":"least-first"})", 5);
  EXPECT_EQ(server->layout_of(layout, 5), layout);
  EXPECT_SAYS(layout, "\"blocks\":6");
  EXPECT_SAYS(net::thrown([&] { (void)server->layout_of(layout, 6); }), "6 blocks find all up to k = 5");
  EXPECT_SAYS(net::thrown([&] { (void)server->record(); }), "127.0.0.1:1");
}

}  // namespace
}  // namespace leitong::redis
