// tiers: server
// Class Redis against a real server: batches, errors, retries, and connections that break at every byte.
#include "redis/redis.h"

#include <gtest/gtest.h>

#include <future>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "leitong/error.h"
#include "net/tcp_proxy_test.h"
#include "redis/redis_process_test.h"

namespace leitong::redis {
namespace {

using std::chrono::milliseconds;
using Kind = net::TcpProxy::Fault::Kind;
using Way = net::TcpProxy::Way;

RedisSettings impatient(RedisSettings settings) {
  settings.stream.connect_timeout = settings.stream.read_timeout = settings.stream.write_timeout = milliseconds(5'000);
  settings.retry.first_pause = milliseconds(1);
  settings.retry.longest_pause = milliseconds(20);
  settings.retry.attempts = 5;
  return settings;
}

TEST(RedisSingle, RepliesInOrderWhateverTheirKind) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  Commands batch;
  batch.add({"SET", "text", "value"}, Repeat::harmless);
  batch.add({"GET", "text"}, Repeat::harmless);
  batch.add({"GET", "nothing"}, Repeat::harmless);
  batch.add({"SADD", "set", "a", "b", "a"}, Repeat::harmless);
  batch.add({"SMEMBERS", "set"}, Repeat::harmless);
  batch.add({"NOSUCHCOMMAND", "x"}, Repeat::harmless);
  batch.add({"PING"}, Repeat::harmless, Commands::no_key);
  const Replies replies = redis.run(batch);
  ASSERT_EQ(replies.size(), 7U);
  EXPECT_EQ(replies[0].text(), "OK");
  EXPECT_EQ(replies[1].text(), "value");
  EXPECT_TRUE(replies[2].is_nil());
  EXPECT_EQ(replies[3].integer(), 2);
  std::set<std::string> members;
  for (const Reply& member : replies[4]) members.emplace(member.text());
  EXPECT_EQ(members, (std::set<std::string>{"a", "b"}));
  EXPECT_TRUE(replies[5].is_error());
  EXPECT_SAYS(std::string(replies[5].error()), "ERR unknown command");
  EXPECT_EQ(replies[6].text(), "PONG");
  EXPECT_EQ(redis.run(Commands()).size(), 0U);
  EXPECT_EQ(ask(redis, {"CLIENT", "GETNAME"}, Commands::no_key), "leitong");
  ASSERT_EQ(redis.masters().size(), 1U);
  EXPECT_EQ(redis.masters()[0]->endpoint(), process.endpoint());
}

TEST(RedisSingle, APipelineBeyondEveryBuffer) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  const std::string value(10'000, 'v');
  Commands batch;
  const std::size_t count = 5'000;  // 50 MB are sent and as much is received at the same time
  batch.add({"SET", "key", value}, Repeat::harmless);
  for (std::size_t i = 0; i < count; ++i) batch.add({"GETSET", "key", value}, Repeat::never);
  const Replies replies = redis.run(batch);
  ASSERT_EQ(replies.size(), count + 1);
  for (std::size_t i = 1; i <= count; ++i) ASSERT_EQ(replies[i].text(), value) << i;
}

TEST(RedisSingle, DatabasesAreApart) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis first(process.settings());
  RedisSettings settings = process.settings();
  settings.account.database = 3;
  Redis third(settings);
  EXPECT_EQ(ask(third, {"SET", "key", "here"}), "OK");
  EXPECT_EQ(ask(first, {"GET", "key"}), "nil");
  EXPECT_EQ(ask(third, {"GET", "key"}), "here");
  settings.account.database = 99;
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "has fewer databases");
}

TEST(RedisSingle, UsersAndPasswords) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process({"--requirepass", "top-secret", "--user", "reader", "on", ">reader-secret", "~r:*", "+@read", "+client"});
  RedisSettings settings = process.settings();
  bool refusal = false;
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }, &refusal), "NOAUTH");
  EXPECT_TRUE(refusal);

  settings.account.password = "top-secret";
  Redis redis(settings);
  EXPECT_EQ(ask(redis, {"SET", "r:1", "one"}), "OK");

  settings.account = {"reader", "wrong-secret", 0};
  const std::string wrong = net::thrown([&] { Redis none(settings); });
  EXPECT_SAYS(wrong, "WRONGPASS");
  EXPECT_SAYS(wrong, process.endpoint().text());
  EXPECT_EQ(wrong.find("secret"), std::string::npos) << wrong;

  settings.account = {"reader", "reader-secret", 0};
  Redis reader(settings);
  EXPECT_EQ(ask(reader, {"GET", "r:1"}), "one");
  const std::string denied = net::thrown([&] { (void)ask(reader, {"SET", "r:1", "a-private-value"}); }, &refusal);
  EXPECT_SAYS(denied, "SET r:1: NOPERM");
  EXPECT_SAYS(denied, "ACL SETUSER");
  EXPECT_TRUE(refusal);
  EXPECT_EQ(denied.find("a-private-value"), std::string::npos) << denied;
  EXPECT_EQ(ask(reader, {"GET", "r:1"}), "one") << "usable afterwards";
}

TEST(RedisSingle, APasswordIsNeverRepeated) {
  LEITONG_NEEDS_REDIS();
  // This server quotes the arguments of commands that it does not know.
  const RedisProcess renamed({"--rename-command", "AUTH", "OTHER"});
  RedisSettings settings = renamed.settings();
  settings.account = {"somebody", "top-secret", 0};
  const std::string said = net::thrown([&] { Redis none(settings); });
  EXPECT_SAYS(said, "refused AUTH");
  EXPECT_EQ(said.find("top-secret"), std::string::npos) << said;

  const RedisProcess open;
  settings = open.settings();
  settings.account.password = "top-secret";
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "refused AUTH");
}

TEST(RedisSingle, MemoryReached) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process({"--maxmemory", "2mb", "--maxmemory-policy", "noeviction"});
  Redis redis(process.settings());
  Commands batch;
  const std::string value(100'000, 'v');
  for (int i = 0; i < 100; ++i) batch.add({"SET", "key:" + std::to_string(i), value}, Repeat::harmless);
  bool refusal = false;
  const std::string said = net::thrown([&] { (void)redis.run(batch); }, &refusal);
  EXPECT_SAYS(said, "SET key:");
  EXPECT_SAYS(said, "OOM");
  EXPECT_SAYS(said, "raise maxmemory");
  EXPECT_SAYS(said, "not executed: ");
  EXPECT_TRUE(refusal);
  EXPECT_EQ(ask(redis, {"GET", "key:0"}), value);
}

TEST(RedisSingle, AReplicaTakesNoWrites) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess master;
  const RedisProcess replica({"--replicaof", "127.0.0.1", std::to_string(master.endpoint().port), "--repl-diskless-sync-delay", "0"});
  RedisSettings settings = impatient(replica.settings());
  settings.retry.attempts = 1'000;
  Redis redis(settings);
  bool refusal = false;
  const std::string said = net::thrown([&] { (void)ask(redis, {"SADD", "key", "1"}); }, &refusal);
  EXPECT_SAYS(said, "SADD key: READONLY");
  EXPECT_SAYS(said, "give the master's address");
  EXPECT_TRUE(refusal);
}

TEST(RedisSingle, AKeyOfAnotherKind) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings());
  (void)ask(redis, {"SET", "key", "text"});
  EXPECT_SAYS(net::thrown([&] { (void)ask(redis, {"SADD", "key", "1"}); }), "SADD key: WRONGTYPE");
}

TEST(RedisSingle, WrongSettingsShowAtOnce) {
  LEITONG_NEEDS_REDIS();
  RedisSettings settings;
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "no server is given");
  settings.servers = {{"127.0.0.1", free_port()}};
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), settings.servers[0].text() + ": connecting: refused: is the server running");
  settings.servers = {{"no-such-host.invalid", 6379}};
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "no-such-host.invalid:6379: looking up the host");
  const RedisProcess process;
  settings = process.settings();
  settings.cluster = true;
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "connect to it as a single server");
  settings.account.database = 1;
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "only database 0");
}

TEST(RedisSingle, ManyClients) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process({"--maxclients", "1"});
  std::unique_ptr<Redis> redis;
  // At first the server may still count the connection that waited for its start.
  while (!redis) (void)net::thrown([&] { redis = std::make_unique<Redis>(impatient(process.settings())); });
  EXPECT_SAYS(net::thrown([&] { Redis second(impatient(process.settings())); }), process.endpoint().text());
  EXPECT_EQ(ask(*redis, {"SET", "a", "1"}), "OK");
}

TEST(RedisSingle, AServerThatComesBack) {
  LEITONG_NEEDS_REDIS();
  RedisProcess process({"--appendonly", "yes", "--appendfsync", "always"});
  RedisSettings settings = impatient(process.settings());
  settings.retry.attempts = 1'000;
  Redis redis(settings);
  EXPECT_EQ(ask(redis, {"SET", "key", "kept"}), "OK");
  process.kill();
  auto waiting = std::async(std::launch::async, [&] { return ask(redis, {"GET", "key"}); });
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_TRUE(process.start());
  EXPECT_EQ(waiting.get(), "kept");
  process.kill();
  settings.retry.attempts = 3;
  Redis* none = nullptr;
  EXPECT_SAYS(net::thrown([&] { none = new Redis(settings); }), "refused");
  EXPECT_EQ(none, nullptr);
  Commands batch;
  batch.add({"SADD", "one", "1"}, Repeat::harmless);
  RedisSettings few = settings;
  ASSERT_TRUE(process.start());
  Redis again(few);
  process.kill();
  const std::string said = net::thrown([&] { (void)again.run(batch); });
  EXPECT_SAYS(said, "given up after 3 attempts");
  EXPECT_SAYS(said, "not executed: SADD one");
}

TEST(RedisSingle, AConnectionClosedWhileIdleIsNoLoss) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  Redis redis(process.settings()), other(process.settings());
  EXPECT_EQ(ask(redis, {"INCR", "n"}), "1");
  EXPECT_EQ(ask(other, {"CLIENT", "KILL", "TYPE", "normal"}, Commands::no_key), "1");
  Commands once;
  once.add({"INCR", "n"}, Repeat::never);
  EXPECT_EQ(redis.run(once)[0].integer(), 2);
}

TEST(RedisSingle, SilenceMeetsTheTimeout) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  RedisSettings settings = impatient(process.settings());
  settings.stream.read_timeout = settings.stream.write_timeout = milliseconds(300);
  settings.retry.attempts = 2;
  Redis redis(settings);
  process.pause();
  const std::string silent = net::thrown([&] { (void)ask(redis, {"SADD", "key", "1"}); });
  EXPECT_SAYS(silent, "no answer for 300 ms");
  EXPECT_SAYS(silent, "may or may not have been executed: SADD key");
  Commands big;
  const std::string value(64 << 20, 'v');
  big.add({"SET", "big", value}, Repeat::harmless);
  RedisServer server(process.endpoint(), settings.stream, {}, {});
  process.resume();
  server.connect();
  process.pause();
  const std::string stuck = net::thrown([&] { (void)server.run(big); });
  EXPECT_SAYS(stuck, "no bytes were taken for 300 ms");
  EXPECT_EQ(stuck.find("may or may not"), std::string::npos) << "it never left as a whole: " << stuck;
  process.resume();
}

TEST(RedisSingle, AServerThatIsNoRedis) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  net::TcpProxy proxy(process.endpoint());
  RedisSettings settings = impatient(process.settings());
  settings.servers = {proxy.endpoint()};
  proxy.arm({.kind = Kind::garble, .way = Way::down, .at = 0, .garbage = 'H' ^ '+'});
  const std::string said = net::thrown([&] { Redis none(settings); });
  EXPECT_SAYS(said, proxy.endpoint().text());
  EXPECT_SAYS(said, "is this a Redis server");
}

// A short dialogue, in which each byte of both directions is cut once.
Commands dialogue() {
  Commands batch;
  for (int i = 0; i < 4; ++i) batch.add({"SADD", "set:" + std::to_string(i), "a", "b"}, Repeat::harmless);
  batch.add({"SMEMBERS", "set:0"}, Repeat::harmless);
  batch.add({"GET", "none"}, Repeat::harmless);
  return batch;
}

void expect_dialogue(const Replies& replies) {
  ASSERT_EQ(replies.size(), 6U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_GE(replies[i].integer(), 0);
  EXPECT_EQ(replies[4].size(), 2U);
  EXPECT_TRUE(replies[5].is_nil());
}

TEST(RedisProxy, EveryByteCutOnceIsRetried) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  net::TcpProxy proxy(process.endpoint());
  RedisSettings settings = impatient(process.settings());
  settings.servers = {proxy.endpoint()};
  const Commands batch = dialogue();
  std::int64_t lengths[2] = {0, 0};
  {
    Redis redis(settings);
    proxy.arm({});
    expect_dialogue(redis.run(batch));
    lengths[0] = proxy.passed(Way::up);
    lengths[1] = proxy.passed(Way::down);
  }
  ASSERT_GT(lengths[0], 150);
  ASSERT_GT(lengths[1], 20);
  for (const Kind kind : {Kind::cut, Kind::reset}) {
    for (const Way way : {Way::up, Way::down}) {
      for (std::int64_t at = 0; at < lengths[static_cast<int>(way)]; ++at) {
        Redis redis(settings);
        proxy.arm({.kind = kind, .way = way, .at = at});
        expect_dialogue(redis.run(batch));
        EXPECT_TRUE(proxy.struck()) << at;
      }
    }
  }
}

TEST(RedisProxy, EveryByteCutOnceNamesWhatIsDoubtful) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  net::TcpProxy proxy(process.endpoint());
  RedisSettings settings = impatient(process.settings());
  settings.servers = {proxy.endpoint()};
  Redis control(process.settings());
  Commands batch;
  for (int i = 0; i < 3; ++i) batch.add({"INCR", "n:" + std::to_string(i)}, Repeat::never);
  const auto down = static_cast<std::int64_t>(3 * std::string_view(":1\r\n").size());
  for (std::int64_t at = 0; at < down; ++at) {
    (void)ask(control, {"FLUSHALL"}, Commands::no_key);
    Redis redis(settings);
    proxy.arm({.kind = Kind::cut, .way = Way::down, .at = at});
    const std::string said = net::thrown([&] { (void)redis.run(batch); });
    ASSERT_FALSE(said.empty()) << at;
    const auto answered = static_cast<int>(at / 4);
    for (int i = 0; i < 3; ++i) {
      const bool named = said.find("INCR n:" + std::to_string(i)) != std::string::npos;
      EXPECT_EQ(named, i >= answered) << at << ": " << said;
      EXPECT_EQ(ask(control, {"GET", "n:" + std::to_string(i)}), "1") << "sent once and executed once";
    }
    EXPECT_SAYS(said, "may or may not have been executed");
    EXPECT_SAYS(said, proxy.endpoint().text());
  }
}

TEST(RedisProxy, CutInTheGreeting) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process({"--requirepass", "top-secret"});
  net::TcpProxy proxy(process.endpoint());
  RedisSettings settings = impatient(process.settings());
  settings.servers = {proxy.endpoint()};
  settings.account = {"", "top-secret", 2};
  proxy.arm({});
  {
    Redis redis(settings);
  }
  const std::int64_t up = proxy.passed(Way::up), down = proxy.passed(Way::down);
  ASSERT_GT(up, 50);
  for (const Way way : {Way::up, Way::down}) {
    for (std::int64_t at = 0; at < (way == Way::up ? up : down); ++at) {
      proxy.arm({.kind = Kind::cut, .way = way, .at = at});
      const std::string said = net::thrown([&] { Redis none(settings); });
      EXPECT_SAYS(said, proxy.endpoint().text());
      EXPECT_EQ(said.find("top-secret"), std::string::npos);
    }
  }
}

TEST(RedisProxy, GarbledRepliesNeverHarm) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  net::TcpProxy proxy(process.endpoint());
  RedisSettings settings = impatient(process.settings());
  settings.servers = {proxy.endpoint()};
  settings.stream.read_timeout = milliseconds(150);  // a damaged length makes the client wait
  settings.retry.attempts = 20;
  const Commands batch = dialogue();
  {
    expect_dialogue(Redis(settings).run(batch));
  }
  for (std::int64_t at = 0; at < 40; ++at) {
    for (const char garbage : {'\x01', '\x10', '\x80'}) {
      Redis redis(settings);
      proxy.arm({.kind = Kind::garble, .way = Way::down, .at = at, .garbage = garbage});
      std::size_t answers = 0;
      (void)net::thrown([&] { answers = redis.run(batch).size(); });
      proxy.arm({});
      EXPECT_TRUE(answers == 0 || answers == batch.size()) << answers;
      expect_dialogue(redis.run(batch));  // the object can be used afterwards
    }
  }
}

TEST(RedisProxy, SmallPiecesAndDelays) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  net::TcpProxy proxy(process.endpoint());
  RedisSettings settings = impatient(process.settings());
  settings.servers = {proxy.endpoint()};
  Redis redis(settings);
  proxy.arm({.piece = 1});
  expect_dialogue(redis.run(dialogue()));
  proxy.arm({.delay = milliseconds(5), .piece = 16});
  expect_dialogue(redis.run(dialogue()));
}

TEST(RedisProxy, AStalledConnectionIsLeft) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process;
  net::TcpProxy proxy(process.endpoint());
  RedisSettings settings = impatient(process.settings());
  settings.servers = {proxy.endpoint()};
  settings.stream.read_timeout = milliseconds(300);
  Redis redis(settings);
  proxy.arm({.kind = Kind::stall, .way = Way::down, .at = 5});
  expect_dialogue(redis.run(dialogue()));
  EXPECT_TRUE(proxy.struck());
}

}  // namespace
}  // namespace leitong::redis
