// tiers: server
// TLS and its failures, against redis-server with certificates that openssl makes for this test.
#include "net/tcp_stream.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "leitong/error.h"
#include "net/certificates_test.h"
#include "net/tcp_proxy_test.h"
#include "redis/redis.h"
#include "redis/redis_process_test.h"

namespace leitong::redis {
namespace {

RedisSettings trusting(const RedisProcess& process) {
  RedisSettings settings = process.settings();
  settings.stream.tls.emplace();
  settings.stream.tls->ca_file = net::certificates().file("ca.crt");
  return settings;
}

TEST(Tls, ADialogueWithLargePipelines) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process(net::certificates().options("server", false), true);
  Redis redis(trusting(process));
  const std::string value(10'000, 'v');
  Commands batch;
  batch.add({"SET", "key", value}, Repeat::harmless);
  for (int i = 0; i < 2'000; ++i) batch.add({"GETSET", "key", value}, Repeat::never);  // 20 MB in each direction
  const Replies replies = redis.run(batch);
  for (std::size_t i = 1; i < replies.size(); ++i) ASSERT_EQ(replies[i].text(), value) << i;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(ask(redis, {"GET", "key"}), value);
  RedisSettings by_name = trusting(process);
  by_name.servers[0].host = "localhost";
  Redis named(by_name);
  EXPECT_EQ(ask(named, {"GET", "key"}), value);
}

TEST(Tls, TrustIsChecked) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process(net::certificates().options("server", false), true);
  RedisSettings settings = trusting(process);
  settings.stream.tls->ca_file.clear();
  bool refusal = false;
  const std::string unknown = net::thrown([&] { Redis none(settings); }, &refusal);
  EXPECT_SAYS(unknown, process.endpoint().text());
  EXPECT_SAYS(unknown, "certificate is not trusted");
  EXPECT_SAYS(unknown, "ca=FILE");
  EXPECT_TRUE(refusal);
  settings.stream.tls->ca_file = net::certificates().file("other.crt");
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "certificate is not trusted");
  settings.stream.tls->insecure = true;
  Redis redis(settings);
  EXPECT_EQ(ask(redis, {"SET", "a", "1"}), "OK");
}

TEST(Tls, TheNameIsChecked) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process(net::certificates().options("named", false), true);
  RedisSettings settings = trusting(process);
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "connect by a name that it holds");
  settings.servers[0].host = "localhost";
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "connect by a name that it holds");
  settings.stream.tls->server_name = "redis.example";
  Redis redis(settings);
  EXPECT_EQ(ask(redis, {"SET", "a", "1"}), "OK");
}

TEST(Tls, ClientCertificates) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process(net::certificates().options("server", true), true);
  RedisSettings settings = trusting(process);
  EXPECT_FALSE(net::thrown([&] { Redis none(settings); }).empty());
  settings.stream.tls->certificate_file = net::certificates().file("client.crt");
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "needs both cert=FILE and key=FILE");
  settings.stream.tls->key_file = net::certificates().file("server.key");
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "reading key=");
  settings.stream.tls->key_file = net::certificates().file("client.key");
  Redis redis(settings);
  EXPECT_EQ(ask(redis, {"SET", "a", "1"}), "OK");
}

TEST(Tls, FilesThatAreNone) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process(net::certificates().options("server", false), true);
  RedisSettings settings = trusting(process);
  settings.stream.tls->ca_file = "/no/such/file";
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "reading ca=/no/such/file");
}

TEST(Tls, OneSideOnly) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess plain;
  RedisSettings settings = trusting(plain);
  settings.stream.connect_timeout = std::chrono::milliseconds(500);  // a Redis without TLS waits for the end of a line
  EXPECT_SAYS(net::thrown([&] { Redis none(settings); }), "TLS");
  const RedisProcess secret(net::certificates().options("server", false), true);
  EXPECT_SAYS(net::thrown([&] { Redis none(secret.settings()); }), "TLS");
}

TEST(Tls, EveryByteCutOnce) {
  LEITONG_NEEDS_REDIS();
  const RedisProcess process(net::certificates().options("server", false), true);
  net::TcpProxy proxy(process.endpoint());
  RedisSettings settings = trusting(process);
  settings.servers = {proxy.endpoint()};
  settings.retry.first_pause = std::chrono::milliseconds(1);
  settings.stream.read_timeout = std::chrono::milliseconds(500);  // a damaged length makes the client wait
  const auto words = [](Redis& redis) { return ask(redis, {"SADD", "key", "member"}); };
  Redis first(settings);
  proxy.arm({});
  (void)words(first);
  const std::int64_t up = proxy.passed(net::TcpProxy::Way::up), down = proxy.passed(net::TcpProxy::Way::down);
  ASSERT_GT(up, 30);
  ASSERT_GT(down, 20);
  for (const auto way : {net::TcpProxy::Way::up, net::TcpProxy::Way::down}) {
    for (std::int64_t at = 0; at < (way == net::TcpProxy::Way::up ? up : down); ++at) {
      proxy.arm({.kind = net::TcpProxy::Fault::Kind::cut, .way = way, .at = at});
      EXPECT_EQ(words(first), "0") << at;  // connects again after each cut
      EXPECT_TRUE(proxy.struck());
      // The fault must not hit the handshake of the next connection.
      proxy.arm({});
      EXPECT_EQ(words(first), "0");
    }
  }
  // TLS must notice every damaged bit.
  for (std::int64_t at = 0; at < down; ++at) {
    proxy.arm({.kind = net::TcpProxy::Fault::Kind::garble, .way = net::TcpProxy::Way::down, .at = at, .garbage = 1});
    EXPECT_EQ(words(first), "0") << at;
  }
}

TEST(TcpStream, TimeoutOfConnecting) {
  // 192.0.2.0/24 belongs to nobody (RFC 5737): there is no answer, or no route.
  net::StreamSettings settings;
  settings.connect_timeout = std::chrono::milliseconds(100);
  const auto begin = net::Clock::now();
  EXPECT_SAYS(net::thrown([&] { net::TcpStream stream({"192.0.2.1", 6379}, settings); }), "192.0.2.1:6379: connecting: ");
  EXPECT_LT(net::Clock::now() - begin, std::chrono::seconds(5));
}

TEST(TcpStream, WritingToAClosedConnectionRaisesNoSignal) {
  LEITONG_NEEDS_REDIS();
  RedisProcess process;
  net::TcpStream stream(process.endpoint(), {});
  process.kill();
  const std::string said = net::thrown([&] {
    for (int i = 0; i < 100; ++i) (void)stream.write("PING\r\n");
  });
  EXPECT_SAYS(said, process.endpoint().text());
  char byte = 0;
  (void)net::thrown([&] { (void)stream.read({&byte, 1}); });
}

}  // namespace
}  // namespace leitong::redis
