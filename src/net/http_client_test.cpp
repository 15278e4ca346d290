#include "net/http_client.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <zlib.h>

#include "net/certificates_test.h"
#include "net/http_fake_test.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace leitong::net {
namespace {

HttpSettings quick(std::vector<Endpoint> nodes) {
  HttpSettings settings;
  settings.nodes = std::move(nodes);
  settings.retry = {.attempts = 6,
                    .total = std::chrono::seconds(5),
                    .first_pause = std::chrono::milliseconds(1),
                    .longest_pause = std::chrono::milliseconds(5)};
  return settings;
}

TEST(HttpClient, SendsAndReceivesOverOneConnection) {
  FakeHttpServer server(
      [](const FakeRequest& request) { return FakeAnswer{.status = request.method == "POST" ? 201 : 404, .body = request.body + "!"}; });
  HttpClient http(quick({server.endpoint()}));
  std::string large(3'000'000, 'x');
  for (int i = 0; i < 3; ++i) {
    const HttpReply reply = http.send({.method = "POST", .path = "/a/b?c=d", .body = large, .type = "text/plain"});
    EXPECT_EQ(reply.status, 201U);
    EXPECT_EQ(reply.body, large + "!");
    EXPECT_EQ(reply.node, server.endpoint().text());
  }
  EXPECT_EQ(http.send({.method = "GET", .path = "/none"}).status, 404U);
  EXPECT_EQ(http.send({.method = "DELETE", .path = "/none"}).status, 404U);
  EXPECT_EQ(server.connections(), 1U);
  const auto requests = server.requests();
  EXPECT_EQ(requests[0].path, "/a/b?c=d");
  EXPECT_SAYS(requests[0].headers, "Content-Type: text/plain\r\n");
  EXPECT_EQ(requests[0].headers.find("Expect:"), std::string::npos);
  EXPECT_EQ(requests[4].method, "DELETE");
}

TEST(HttpClient, ShowsWhoItIs) {
  FakeHttpServer server([](const FakeRequest&) { return FakeAnswer{}; });
  HttpSettings basic = quick({server.endpoint()});
  basic.user = "ann";
  basic.password = "se:cret";
  (void)HttpClient(basic).send({.path = "/"});
  HttpSettings key = quick({server.endpoint()});
  key.api_key = "a2V5";
  (void)HttpClient(key).send({.path = "/"});
  const auto requests = server.requests();
  EXPECT_SAYS(requests[0].headers, "Authorization: Basic YW5uOnNlOmNyZXQ=\r\n");
  EXPECT_SAYS(requests[1].headers, "Authorization: ApiKey a2V5\r\n");
}

TEST(HttpClient, CompressesLargeBodies) {
  FakeHttpServer server([](const FakeRequest&) { return FakeAnswer{}; });
  HttpSettings settings = quick({server.endpoint()});
  settings.gzip_from = 1'000;
  HttpClient http(settings);
  const std::string large(100'000, 'y');
  (void)http.send({.method = "POST", .path = "/", .body = large});
  (void)http.send({.method = "POST", .path = "/", .body = "small"});
  const auto requests = server.requests();
  EXPECT_SAYS(requests[0].headers, "Content-Encoding: gzip\r\n");
  std::string out(large.size() + 1, '\0');
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(requests[0].body.data()));
  stream.avail_in = static_cast<uInt>(requests[0].body.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ASSERT_EQ(inflateInit2(&stream, 31), Z_OK);
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  (void)inflateEnd(&stream);
  EXPECT_EQ(out, large);
  EXPECT_EQ(requests[1].body, "small");
}

TEST(HttpClient, SendsAgainWhatMayPass) {
  for (const int status : {429, 502, 503, 504, 0, -1}) {  // 0: closed, -1: cut short
    std::atomic<int> count = 0;
    FakeHttpServer server([&](const FakeRequest&) {
      if (++count >= 4) return FakeAnswer{.body = "good"};
      if (status == -1) return FakeAnswer{.body = "half of it", .cut = 4};
      return FakeAnswer{.status = status, .silent = status == 0};
    });
    HttpClient http(quick({server.endpoint()}));
    EXPECT_EQ(http.send({.method = "POST", .path = "/", .body = "b"}).body, "good") << status;
    EXPECT_EQ(count, 4);
  }
}

TEST(HttpClient, ABusyServerIsAnAnswerToWhomAskedForIt) {
  std::atomic<int> count = 0;
  FakeHttpServer server([&](const FakeRequest&) { return FakeAnswer{.status = ++count == 1 ? 503 : 429}; });
  HttpClient http(quick({server.endpoint()}));
  EXPECT_EQ(http.send({.method = "POST", .path = "/", .busy_is_answer = true}).status, 429U);
  EXPECT_EQ(count, 2);
}

TEST(HttpClient, SendsOnceWhatMayNotBeRepeated) {
  std::atomic<int> count = 0;
  FakeHttpServer server([&](const FakeRequest&) { return FakeAnswer{.status = 503, .silent = ++count == 2}; });
  HttpClient http(quick({server.endpoint()}));
  EXPECT_EQ(http.send({.method = "POST", .path = "/", .repeat = Repeat::never}).status, 503U);
  EXPECT_NE(thrown([&] { (void)http.send({.method = "POST", .path = "/", .repeat = Repeat::never}); }), "");
  EXPECT_EQ(count, 2);
}

TEST(HttpClient, GivesUpWithTheLastAnswer) {
  std::atomic<int> count = 0;
  FakeHttpServer server([&](const FakeRequest&) { return FakeAnswer{.status = (++count, 503), .body = "no"}; });
  HttpClient http(quick({server.endpoint()}));
  const HttpReply reply = http.send({.path = "/"});
  EXPECT_EQ(reply.status, 503U);
  EXPECT_EQ(reply.body, "no");
  EXPECT_EQ(count, 6);
}

TEST(HttpClient, NodesTakeTurnsAndDeadOnesAreLeftOut) {
  std::atomic<int> first = 0, second = 0;
  FakeHttpServer a([&](const FakeRequest&) { return FakeAnswer{.body = std::to_string(++first)}; });
  FakeHttpServer b([&](const FakeRequest&) { return FakeAnswer{.silent = ++second > 2}; });
  HttpClient http(quick({a.endpoint(), b.endpoint()}));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(http.send({.path = "/"}).status, 200U);
  EXPECT_EQ(first, 2);
  EXPECT_EQ(second, 2);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(http.send({.path = "/"}).status, 200U);
  EXPECT_EQ(first, 10);
  EXPECT_LE(second, 4);  // asked, once more over a new connection, then left out
}

TEST(HttpClient, SaysWhatWasWrong) {
  HttpSettings nobody = quick({{"127.0.0.1", 1}});
  nobody.retry.attempts = 2;
  nobody.password = nobody.user = "topsecret";
  const std::string closed =
      thrown([&] { (void)HttpClient(nobody).send({.method = "POST", .path = "/i/_bulk?x=topsecret", .body = "topsecret"}); });
  EXPECT_SAYS(closed, "127.0.0.1:1: POST /i/_bulk: ");
  EXPECT_SAYS(closed, "is the server running");
  EXPECT_EQ(closed.find("topsecret"), std::string::npos) << closed;

  FakeHttpServer slow([](const FakeRequest&) { return FakeAnswer{.delay = std::chrono::milliseconds(300)}; });
  HttpSettings hurry = quick({slow.endpoint()});
  hurry.retry.attempts = 1;
  hurry.timeout = std::chrono::milliseconds(50);
  EXPECT_SAYS(thrown([&] { (void)HttpClient(hurry).send({.path = "/"}); }), "raise the time-out");
  EXPECT_EQ(HttpClient(hurry).send({.path = "/", .timeout = std::chrono::seconds(5)}).status, 200U);

  FakeHttpServer large([](const FakeRequest&) { return FakeAnswer{.body = std::string(5'000, 'z')}; });
  HttpSettings small = quick({large.endpoint()});
  small.largest_answer = 4'999;
  bool refusal = false;
  EXPECT_SAYS(thrown([&] { (void)HttpClient(small).send({.path = "/"}); }, &refusal), "larger than can be right");
  EXPECT_TRUE(refusal);

  HttpSettings tls = quick({large.endpoint()});
  tls.tls = TlsSettings{};
  tls.retry.attempts = 1;
  tls.connect_timeout = std::chrono::milliseconds(200);
  EXPECT_SAYS(thrown([&] { (void)HttpClient(tls).send({.path = "/"}); }), "SSL connection timeout");
  tls.tls->ca_file = "/nonexistent.pem";
  EXPECT_SAYS(thrown([&] { (void)HttpClient(tls).send({.path = "/"}); }, &refusal), "ca");
  EXPECT_TRUE(refusal);
}

TEST(HttpClient, NeverUsesAProxyForThisMachine) {
  FakeHttpServer server([](const FakeRequest&) { return FakeAnswer{}; });
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  EXPECT_EQ(HttpClient(quick({server.endpoint()})).send({.path = "/"}).status, 200U);
  ::unsetenv("http_proxy");
}

TEST(HttpClient, EncodesBytes) {
  EXPECT_EQ(percent_encoded("a-Z_0.~"), "a-Z_0.~");
  EXPECT_EQ(percent_encoded("a/b 文?"), "a%2Fb%20%E6%96%87%3F");
}

// openssl's own web server, which answers every GET with a page about the connection.
class TlsPages {
 public:
  explicit TlsPages(const std::string& certificate, bool ask_clients) {
    std::vector<std::string> words = {"openssl", "s_server",
                                      "-www",    "-quiet",
                                      "-accept", std::to_string(port_),
                                      "-cert",   file(certificate + ".crt"),
                                      "-key",    file(certificate + ".key"),
                                      "-CAfile", file("ca.crt")};
    if (ask_clients) words.insert(words.end(), {"-Verify", "1", "-verify_return_error"});
    child_ = std::make_unique<Child>(words, folder_ / "log");
    for (int i = 0; i < 1'000 && !try_port(port_, ::connect); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  [[nodiscard]] HttpSettings settings() const {
    HttpSettings settings = quick({{"127.0.0.1", port_}});
    settings.tls.emplace().ca_file = file("ca.crt");
    settings.retry.attempts = 2;
    return settings;
  }
  static std::string file(const std::string& name) { return certificates().file(name); }

 private:
  std::uint16_t port_ = free_port();
  TemporaryDirectory folder_;
  std::unique_ptr<Child> child_;
};

TEST(TlsHttp, TrustNamesAndClientCertificates) {
  if (!have_program("openssl")) GTEST_SKIP() << "needs the Debian package openssl";
  const auto says = [](const HttpSettings& settings, bool* refusal) {
    return thrown([&] { EXPECT_EQ(HttpClient(settings).send({.path = "/"}).status, 200U); }, refusal);
  };
  bool refusal = false;
  const TlsPages pages("server", false);
  HttpSettings settings = pages.settings();
  EXPECT_EQ(says(settings, nullptr), "");
  settings.tls->ca_file = TlsPages::file("other.crt");
  EXPECT_SAYS(says(settings, &refusal), "not trusted");
  EXPECT_TRUE(refusal);
  settings.tls->insecure = true;
  EXPECT_EQ(says(settings, nullptr), "");

  const TlsPages named("named", false);
  settings = named.settings();
  EXPECT_SAYS(says(settings, &refusal), "names another host");
  settings.tls->server_name = "redis.example";
  EXPECT_EQ(says(settings, nullptr), "");

  const TlsPages strict("server", true);
  settings = strict.settings();
  EXPECT_NE(says(settings, nullptr), "");
  settings.tls->certificate_file = TlsPages::file("client.crt");
  settings.tls->key_file = TlsPages::file("server.key");
  EXPECT_SAYS(says(settings, &refusal), "cert, key");
  EXPECT_TRUE(refusal);
  settings.tls->key_file = TlsPages::file("client.key");
  EXPECT_EQ(says(settings, nullptr), "");
}

}  // namespace
}  // namespace leitong::net
