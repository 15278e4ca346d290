// What another program has stored is taken as what it is: the order of bits by evidence, never by chance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/data.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "leitong/profile.h"
#include "records/read_input_test.h"
#include "remote/store_places.h"

namespace leitong {
namespace {

using redis::Redis;

struct Document {
  std::string id, text;
  std::uint64_t fingerprint = 0;
};

std::vector<Document> documents_of(const Profile& profile, std::size_t count) {
  std::mt19937_64 random(5);
  Fingerprinter fingerprinter(profile);
  std::vector<Document> documents;
  for (std::size_t i = 0; i < count; ++i) {
    Document one{"doc" + std::to_string(i), "", 0};
    for (int word = 0; word < 20; ++word) one.text += std::to_string(random() % 10'000) + " ";
    one.fingerprint = fingerprinter(one.text).fingerprint.value().words[0];
    documents.push_back(std::move(one));
  }
  return documents;
}

std::string bits_of(std::uint64_t value, bool least_first) { return to_bits(Fingerprint{{value}, 64}, least_first); }

// As the articles' program does it, by a client that is not Leitong.
void write(const redis::RedisProcess& server, const std::string& prefix, const std::vector<Document>& documents, bool least_first,
           bool positions = false) {
  Redis redis(server.settings());
  redis::Commands batch;
  for (const Document& one : documents) {
    const std::string bits = bits_of(one.fingerprint, least_first);
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string position = positions ? std::to_string(i) + ":" : "";
      batch.add({"SADD", prefix + position + bits.substr(16 * i, 16), one.id}, redis::Repeat::harmless);
    }
    batch.add({"SET", prefix + "fp:" + one.id, bits}, redis::Repeat::harmless);
  }
  (void)redis.run(batch);
}

std::vector<CollectionDocument> sample_of(const std::vector<Document>& documents) {
  std::vector<CollectionDocument> sample;
  for (const Document& one : documents) sample.push_back({one.id, one.text});
  return sample;
}

void expect_all_found(const std::string& where, const std::vector<Document>& documents) {
  CollectionOpen stored;
  stored.only_stored = true;  // no dictionary is needed
  const Collection collection(where, Access::read, stored);
  for (const Document& one : documents) {
    const CollectionAnswer answer = collection.query(Fingerprint{{one.fingerprint}, 64});
    ASSERT_TRUE(std::any_of(answer.matches.begin(), answer.matches.end(), [&](const CollectionMatch& match) { return match.id == one.id; }))
        << one.id;
  }
  collection.check();
}

void expect_order_of(const Profile& profile, const std::vector<bool>& with_positions) {
  const redis::RedisProcess server;
  CollectionOptions options;
  options.profile = profile;
  const std::vector<Document> documents = documents_of(profile, 400);
  for (const bool positions : with_positions) {
    const std::string prefix = positions ? "p:" : "n:", where = url_of("redis", {server.endpoint()}, "/0?prefix=" + prefix);
    write(server, prefix, documents, writes_least_bit_first(profile.program), positions);
    const StoreInspection taken = Collection::adopt(where, options);
    EXPECT_EQ(taken.doubts.size(), 1U) << "what was not proved is said";
    expect_all_found(where, documents);
  }
}

TEST(AdoptRedis, OrderOfBitsIsThatOfTheProfileWhereNothingElseTells) {
  LEITONG_NEEDS_REDIS();
  expect_order_of(load_profile("leitong-1"), {false, true});
}

TEST(AdoptRedis, OrderOfBitsOfAJavaProgram) {
  LEITONG_NEEDS_REDIS();
  const char* const jar = std::getenv("LEITONG_HANLP_JAR");
  if (jar == nullptr || *jar == '\0') GTEST_SKIP() << "LEITONG_HANLP_JAR names no jar of HanLP";
  const TemporaryDirectory directory;
  ASSERT_EQ(::setenv("LEITONG_DATA", directory.path().c_str(), 1), 0);
  (void)add_data(DataKind::hanlp, jar);
  expect_order_of(load_profile("java-hanlp"), {false});
}

TEST(AdoptRedis, TextsProveTheOrder) {
  LEITONG_NEEDS_REDIS();
  const redis::RedisProcess server;
  const CollectionOptions options;
  const std::vector<Document> documents = documents_of(options.profile, 60);
  for (const bool least_first : {false, true}) {
    const std::string prefix = least_first ? "least:" : "most:", where = url_of("redis", {server.endpoint()}, "/0?prefix=" + prefix);
    write(server, prefix, documents, least_first);
    std::vector<Document> others = documents;
    for (Document& one : others) one.text += "and something else entirely, which is longer than what stood there before, by some words";
    EXPECT_SAYS(net::thrown([&] { (void)Collection::adopt(where, options, sample_of(others)); }), "makes other fingerprints");
    for (Document& one : others) one.id += "x";
    EXPECT_SAYS(net::thrown([&] { (void)Collection::adopt(where, options, sample_of(others)); }), "none of the 60 ids");
    const StoreInspection taken = Collection::adopt(where, options, sample_of(documents));
    EXPECT_TRUE(taken.doubts.empty());
    EXPECT_SAYS(taken.evidence.back(), "of 60 documents");
    expect_all_found(where, documents);
  }
}

TEST(AdoptRedis, ALayoutThatIsGivenIsHeldAgainstTheSample) {
  LEITONG_NEEDS_REDIS();
  const redis::RedisProcess server;
  CollectionOptions options;
  options.layout = "article-plain";
  const std::vector<Document> documents = documents_of(options.profile, 30);
  const std::string where = url_of("redis", {server.endpoint()}, "/0?prefix=p:");
  write(server, "p:", documents, true);
  EXPECT_SAYS(net::thrown([&] { (void)Collection::adopt(where, options, sample_of(documents)); }), "makes other fingerprints");
  options.layout = R"({"preset":"article-plain","bits":"least-first"})";
  (void)Collection::adopt(where, options, sample_of(documents));
  expect_all_found(where, documents);
}

// All are their own mirror images, so that both readings hold.
TEST(AdoptRedis, WhatFitsBothWaysIsRefused) {
  LEITONG_NEEDS_REDIS();
  const redis::RedisProcess server;
  CollectionOptions options;
  std::vector<Document> documents = documents_of(options.profile, 30);
  std::vector<CollectionDocument> sample = sample_of(documents);
  for (Document& one : documents) one.fingerprint = 0xffff;
  write(server, "p:", documents, true);
  const std::string where = url_of("redis", {server.endpoint()}, "/0?prefix=p:");
  const std::string said = net::thrown([&] { (void)Collection::adopt(where, options); });
  EXPECT_SAYS(said, "several layouts fit");
  EXPECT_SAYS(said, "--layout '{");
  EXPECT_THROW((void)Collection(where, Access::read), Error) << "nothing was left there";
}

TEST(AdoptOpenSearch, TextsThatAreStoredProveTheOrder) {
  if (const std::string missing = search::missing_opensearch(); !missing.empty()) GTEST_SKIP() << missing;
  const search::OpenSearchProcess servers(1);
  const CollectionOptions options;
  const std::vector<Document> documents = documents_of(options.profile, 60);
  for (const bool least_first : {false, true}) {
    const std::string index = least_first ? "least" : "most";
    net::HttpSettings settings;
    settings.nodes = servers.nodes();
    search::SearchClient client(settings);
    for (const Document& one : documents) {
      const std::string bits = bits_of(one.fingerprint, least_first);
      const std::string body = "{\"simhash\":\"" + bits + "\",\"blocks\":[\"" + bits.substr(0, 16) + "\",\"" + bits.substr(16, 16) +
                               "\",\"" + bits.substr(32, 16) + "\",\"" + bits.substr(48) + "\"],\"content\":\"" + one.text + "\"}";
      (void)client.ask({.method = "PUT", .path = "/" + index + "/_doc/" + one.id, .body = body});
    }
    (void)client.ask({.method = "POST", .path = "/" + index + "/_refresh"});
    const std::string where = url_of("es+http", servers.nodes(), "/" + index);
    const StoreInspection taken = Collection::adopt(where, options);
    EXPECT_SAYS(taken.evidence.back(), "field content");
    EXPECT_SAYS(taken.evidence.back(), "60 agree");
    expect_all_found(where, documents);
  }
}

}  // namespace
}  // namespace leitong
