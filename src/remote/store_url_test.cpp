#include "remote/store_url.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "leitong/error.h"

namespace leitong::remote {
namespace {

std::string wrong(std::string_view text) {
  try {
    (void)parse_store_url(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return error.what();
  }
  return "";
}

TEST(StoreUrl, IsOne) {
  for (const char* text : {"redis://h", "rediss://h", "redis+cluster://h", "rediss+cluster://h", "es+http://h/i", "es+https://h/i"}) {
    EXPECT_TRUE(is_store_url(text)) << text;
    EXPECT_EQ(wrong(text), "");
  }
  for (const char* text : {"", "redis", "redis:/h", "REDIS://h", "http://h", "./redis://h", "es://h"})
    EXPECT_FALSE(is_store_url(text)) << text;
  EXPECT_NE(wrong("dir").find("begins by redis://"), std::string::npos);
}

TEST(StoreUrl, Parts) {
  const StoreUrl plain = parse_store_url("redis://example.org");
  EXPECT_EQ(plain.kind, StoreKind::redis);
  EXPECT_FALSE(plain.tls);
  EXPECT_EQ(plain.servers, (std::vector<net::Endpoint>{{"example.org", 6379}}));
  EXPECT_EQ(plain.path, "");

  const StoreUrl full = parse_store_url(
      "rediss://us%40er:p%3Aa:ss%2F@[::1]:7000/12?prefix=a%26b:&timeout=3&ca=/c%20a.pem&cert=c&key=k&server-name=s&insecure");
  EXPECT_TRUE(full.tls);
  EXPECT_EQ(full.user, "us@er");
  EXPECT_EQ(full.password, "p:a:ss/");
  EXPECT_EQ(full.servers, (std::vector<net::Endpoint>{{"::1", 7000}}));
  EXPECT_EQ(full.path, "12");
  EXPECT_EQ(full.settings.at("prefix"), "a&b:");
  EXPECT_EQ(full.timeout, std::chrono::seconds(3));
  EXPECT_EQ(full.tls_settings.ca_file, "/c a.pem");
  EXPECT_EQ(full.tls_settings.certificate_file, "c");
  EXPECT_EQ(full.tls_settings.key_file, "k");
  EXPECT_EQ(full.tls_settings.server_name, "s");
  EXPECT_TRUE(full.tls_settings.insecure);
  EXPECT_EQ(without_secrets(full), "rediss://us%40er@[::1]:7000/12?prefix=a%26b:");

  const StoreUrl cluster = parse_store_url("redis+cluster://:secret@a,b:7001,[::2]:7002?prefix=x");
  EXPECT_EQ(cluster.kind, StoreKind::redis_cluster);
  EXPECT_EQ(cluster.servers, (std::vector<net::Endpoint>{{"a", 6379}, {"b", 7001}, {"::2", 7002}}));
  EXPECT_EQ(cluster.user, "");
  EXPECT_EQ(cluster.password, "secret");
  EXPECT_EQ(without_secrets(cluster), "redis+cluster://a:6379,b:7001,[::2]:7002?prefix=x");

  const StoreUrl search = parse_store_url("es+https://elastic:pw@host/my-index?refresh=true&api-key-file=f&filter=client&insecure=false");
  EXPECT_EQ(search.kind, StoreKind::search);
  EXPECT_EQ(search.servers, (std::vector<net::Endpoint>{{"host", 9200}}));
  EXPECT_EQ(search.path, "my-index");
  EXPECT_EQ(search.settings.at("refresh"), "true");
  EXPECT_FALSE(search.tls_settings.insecure);
  EXPECT_EQ(parse_store_url(without_secrets(search)).settings, search.settings);
}

TEST(StoreUrl, AQuestionMarkInAPasswordShowsNothingOfIt) {
  for (const std::string_view text : {"redis://bob:sec?ret@host", "redis://:hunter2?x@host", "es+http://u:hunter2?x@host/i?refresh=true"}) {
    const std::string said = wrong(text);
    EXPECT_NE(said.find("%3F"), std::string::npos) << said;
    for (const char* secret : {"sec", "ret", "hunter"}) EXPECT_EQ(said.find(secret), std::string::npos) << said;
  }
}

TEST(StoreUrl, NamesWhatIsWrongAndNoPassword) {
  const auto says = [](std::string_view text, std::string_view part) {
    const std::string said = wrong(text);
    EXPECT_NE(said.find(part), std::string::npos) << text << ": " << said;
    EXPECT_EQ(said.find("secret"), std::string::npos) << said;
  };
  says("redis://", "lacks a host");
  says("redis://u:secret@", "lacks a host");
  says("redis://u:secret@h:port", "\":port\" is no port");
  says("redis://u:secret@h:0", "is no port");
  says("redis://h:65536", "is no port");
  says("redis://::1", "in [brackets]");
  says("redis://[::1", "without its ']'");
  says("redis://[::1]6379", "is no port");
  says("redis://u:secret@h/x", "database's number");
  says("redis://u:sec%ret@h", "the password: a % without two");
  says("redis://a,b", "several servers are given");
  says("redis+cluster://a,b/1", "only database 0");
  says("redis+cluster://a,,b", "lacks a host");
  says("es+http://h", "the name of one index");
  says("es+http://h/", "the name of one index");
  says("es+http://h/a/b", "the name of one index");
  says("redis://u:secret@h?prefx=1", "no setting \"prefx\"; redis:// takes prefix, ca, cert");
  says("es+http://h/i?prefix=1", "no setting \"prefix\"; es+http:// takes api-key-file, refresh, filter, ca");
  says("redis://h?prefix", "lacks a value");
  says("redis://h?prefix=a&prefix=b", "stands twice");
  says("redis://h?timeout=0", "no timeout");
  says("redis://h?timeout=1.5", "no timeout");
  says("redis://h?ca=x", "is for TLS");
  says("redis://h?insecure", "is for TLS");
  says("rediss://h?insecure=yes", "true or false");
}

TEST(StoreUrl, PasswordsFromElsewhere) {
  const std::string file = (std::filesystem::temp_directory_path() / ("leitong-password-" + std::to_string(::getpid()))).string();
  std::ofstream(file) << "from the file\r\nnot this\n";
  ::setenv("LEITONG_STORE_PASSWORD", "from outside", 1);
  EXPECT_EQ(parse_store_url("redis://h").password, "from outside");
  EXPECT_EQ(parse_store_url("redis://:own@h").password, "own");
  EXPECT_EQ(parse_store_url("redis://h?password-file=" + file).password, "from the file");
  ::unsetenv("LEITONG_STORE_PASSWORD");
  EXPECT_EQ(parse_store_url("redis://h").password, "");
  std::filesystem::remove(file);
  EXPECT_THROW((void)parse_store_url("redis://h?password-file=" + file), Error);
}

}  // namespace
}  // namespace leitong::remote
