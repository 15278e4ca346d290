// Collections of every kind: profiles, rules, ids, imports and queries through the public interface.
#include "leitong/collection.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "collection/collection_row.h"
#include "leitong/access.h"
#include "leitong/dedup.h"
#include "leitong/error.h"
#include "leitong/stages.h"
#include "records/read_input_test.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

class CollectionTest : public testing::Test {
 protected:
  static CollectionOptions with_texts() {
    CollectionOptions options;
    options.texts = true;
    options.metadata = true;
    return options;
  }
  static CollectionOpen with(const std::string& id, const std::string& key = "") {
    CollectionOpen open;
    open.profile_id = id;
    open.key = key;
    return open;
  }
  TemporaryDirectory directory_;
  std::string path_ = directory_ / "c";
};

std::string text_of(unsigned seed, unsigned words = 120) {
  std::mt19937 random(seed);
  std::string text;
  for (unsigned w = 0; w < words; ++w) text += "word" + std::to_string(random() % 5000) + (w % 12 == 11 ? ". " : " ");
  return text;
}

TEST_F(CollectionTest, WhatIsAddedIsThere) {
  Collection::create(path_, with_texts());
  EXPECT_THROW(Collection::create(path_, with_texts()), Error);
  const std::string text = text_of(1), other = text_of(2);
  {
    Collection collection(path_, Access::write);
    const CollectionDocument documents[] = {{"a", text, "{\"day\":1}"}, {"b", other}, {"empty", ""}};
    EXPECT_EQ(collection.add(documents, Acknowledge::durable), 1U);
    EXPECT_EQ(collection.get("a")->text, text);
  }
  const Collection collection(path_, Access::read);
  const auto entry = collection.get("a");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->text, text);
  EXPECT_EQ(entry->metadata, "{\"day\":1}");
  EXPECT_EQ(entry->fingerprint, Fingerprinter(Profile{})(text).fingerprint);
  EXPECT_EQ(collection.get("empty")->fingerprint, std::nullopt);
  EXPECT_FALSE(collection.get("c"));
  const auto matches = collection.query(text + " more").matches;
  ASSERT_EQ(matches.size(), 1U);
  EXPECT_EQ(matches[0].id, "a");
  EXPECT_TRUE(matches[0].verified);
  EXPECT_GT(*matches[0].similarity, 0.9);
  EXPECT_EQ(collection.stats().documents, 3U);
}

TEST_F(CollectionTest, AnIdStandsForItsNewestDocument) {
  Collection::create(path_, with_texts());
  Collection collection(path_, Access::write);
  const std::string first = text_of(1), second = text_of(2);
  const CollectionDocument one{"a", first}, two{"a", second};
  collection.add(std::span(&one, 1), Acknowledge::durable);
  collection.compact();
  collection.add(std::span(&two, 1), Acknowledge::durable);
  EXPECT_TRUE(collection.query(first).matches.empty());
  EXPECT_EQ(collection.query(second).matches.size(), 1U);
  const std::string_view ids[] = {"a", "a", "nothing"};
  EXPECT_EQ(collection.erase(ids, Acknowledge::durable), 1U);
  EXPECT_TRUE(collection.query(second).matches.empty());
  EXPECT_FALSE(collection.get("a"));
  collection.compact();
  EXPECT_EQ(collection.stats().rows, 0U);
}

TEST_F(CollectionTest, UniqueKeepsTheFirstOfEachGroup) {
  Collection::create(path_, with_texts());
  Collection collection(path_, Access::write);
  std::vector<std::string> texts, ids;
  for (unsigned i = 0; i < 60; ++i) {
    texts.push_back(text_of(i % 20) + (i >= 20 ? "and a few words" : ""));
    ids.push_back("d" + std::to_string(i));
  }
  std::vector<CollectionDocument> documents;
  for (unsigned i = 0; i < 60; ++i) documents.push_back({ids[i], texts[i]});
  const auto outcomes = collection.add_unique(documents, {}, Acknowledge::durable);
  for (unsigned i = 0; i < 60; ++i) {
    EXPECT_EQ(outcomes[i].added, i < 20) << i;
    if (!outcomes[i].added) {
      EXPECT_EQ(outcomes[i].match->id, "d" + std::to_string(i % 20));
    }
  }
  EXPECT_EQ(collection.stats().documents, 20U);
}

TEST_F(CollectionTest, ImportedFingerprintsRefuseNothingUnlessAllowed) {
  CollectionOptions options = with_texts();
  options.ids = CollectionIds::number;
  Collection::create(path_, options);
  Collection collection(path_, Access::write);
  const std::string text = text_of(5);
  const CollectionFingerprint stored{"17", *Fingerprinter(Profile{})(text).fingerprint};
  collection.add_fingerprints(std::span(&stored, 1), Acknowledge::durable);
  const auto matches = collection.query(text).matches;
  ASSERT_EQ(matches.size(), 1U);
  EXPECT_EQ(matches[0].id, "17");
  EXPECT_TRUE(matches[0].imported);
  EXPECT_FALSE(matches[0].verified);
  const CollectionDocument document{"18", text};
  CollectionQuery allowing;
  allowing.allow_unverified = true;
  EXPECT_FALSE(collection.add_unique(std::span(&document, 1), allowing, Acknowledge::durable)[0].added);
  EXPECT_TRUE(collection.add_unique(std::span(&document, 1), {}, Acknowledge::durable)[0].added);
  EXPECT_TRUE(collection.get("17")->unverified);
}

TEST_F(CollectionTest, OtherProfilesAndBadIdsAreRefused) {
  CollectionOptions options;
  options.ids = CollectionIds::number;
  Collection::create(path_, options);
  EXPECT_THROW(Collection(path_, Access::read, with("00000000000000000000000000000000")), Error);
  EXPECT_THROW(Collection(path_, Access::read, with("", "00112233445566778899aabbccddeeff")), Error);
  Collection collection(path_, Access::write, with(profile_id(options.profile)));
  for (const char* id : {"", "x", "-1", "01", "18446744073709551616", "1 "}) {
    const CollectionDocument document{id, "text"};
    EXPECT_THROW(collection.add(std::span(&document, 1), Acknowledge::durable), Error) << id;
  }
  const CollectionDocument document{"18446744073709551615", "text"};
  collection.add(std::span(&document, 1), Acknowledge::durable);
  EXPECT_TRUE(collection.get("18446744073709551615"));
}

TEST_F(CollectionTest, KeyedProfilesNeedTheirKey) {
  CollectionOptions options = with_texts();
  options.profile.key = "00112233445566778899aabbccddeeff";
  Collection::create(path_, options);
  EXPECT_THROW(Collection(path_, Access::read), Error);
  EXPECT_THROW(Collection(path_, Access::read, with("", "00112233445566778899aabbccddeefe")), Error);
  Collection(path_, Access::read, with("", options.profile.key));
  CollectionOpen stored;
  stored.only_stored = true;
  const Collection without(path_, Access::read, stored);
  EXPECT_FALSE(without.get("a"));
  EXPECT_THROW((void)without.query("a text"), Error);
  for (const auto& file : fs::directory_iterator(path_)) {
    std::string bytes(fs::file_size(file.path()), '\0');
    if (FILE* in = std::fopen(file.path().c_str(), "rb")) {
      EXPECT_EQ(std::fread(bytes.data(), 1, bytes.size(), in), bytes.size());
      std::fclose(in);
    }
    EXPECT_EQ(bytes.find("00112233445566778899"), std::string::npos) << file.path();
  }
}

TEST_F(CollectionTest, DedupAgainstACollection) {
  Collection::create(path_, with_texts());
  std::vector<std::string> texts, ids;
  std::vector<CollectionDocument> documents;
  for (unsigned i = 0; i < 20; ++i) {
    texts.push_back(text_of(i));
    ids.push_back("old" + std::to_string(i));
  }
  for (unsigned i = 0; i < 20; ++i) documents.push_back({ids[i], texts[i]});
  {
    Collection collection(path_, Access::write);
    collection.add(documents, Acknowledge::durable);
  }
  const std::string input = path_ + "-new.jsonl";
  if (FILE* out = std::fopen(input.c_str(), "w")) {
    for (unsigned i = 10; i < 30; ++i) std::fprintf(out, "{\"id\":\"new%u\",\"text\":\"%s again\"}\n", i, text_of(i).c_str());
    std::fclose(out);
  }
  DedupOptions options;
  options.input.paths = {input};
  options.against = {path_};
  options.output_dir = path_ + "-out";
  const Counts counts = dedup(options);
  EXPECT_EQ(counts.removed_for_old, 10U);
  EXPECT_EQ(counts.kept, 10U);
  EXPECT_THROW((void)plan(options), Error);  // as the run would
  options.overwrite = true;
  EXPECT_EQ(plan(options).records, 40U);
}

TEST(CollectionRow, TextsAndSketchesComeBack) {
  for (const std::string& text : {std::string(), std::string("x"), std::string(100000, 'y'), text_of(3)})
    EXPECT_EQ(collection::unpacked_text(collection::packed_text(text), "id"), text);
  fingerprint::Sketcher sketcher((Profile()));
  for (const unsigned words : {0U, 3U, 40U, 80U, 500U}) {
    fingerprint::Sketch sketch;
    sketcher(text_of(9, words), sketch);
    const fingerprint::Sketch back = collection::unpacked_sketch(collection::packed_sketch(sketch), "id");
    EXPECT_EQ(back.content, sketch.content);
    EXPECT_EQ(back.tokens, sketch.tokens);
    EXPECT_EQ(back.has_slots, sketch.has_slots);
    if (sketch.has_slots) {
      EXPECT_EQ(back.slots, sketch.slots);
    }
    EXPECT_EQ(back.short_features, sketch.short_features);
  }
  // Whatever the bytes are, the outcome must be an answer or an error.
  std::mt19937 random(1);
  for (unsigned i = 0; i < 3000; ++i) {
    std::string bytes(random() % 400, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    if (i % 2 == 0 && !bytes.empty()) bytes[0] = 1;
    try {
      (void)collection::unpacked_text(bytes, "id");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::format);
    }
    try {
      (void)collection::unpacked_sketch(bytes, "id");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::format);
    }
  }
}

// Stored sketches depend on the profile only. So a store that was filled under one rule can be queried, extended and clustered under any
// other.
TEST_F(CollectionTest, IsAskedUnderAnyRule) {
  Rule strict, lenient;
  strict.name = "strict", strict.thresholds = {{0xffffffffU, 0.95}};
  lenient.name = "lenient", lenient.thresholds = {{0xffffffffU, 0.2}}, lenient.sure_similarity = lenient.template_sure = 0.2;
  const auto query_of = [](const Rule& rule) {
    CollectionQuery query;
    query.rule = rule;
    return query;
  };
  const std::string text = text_of(1), near = text + text_of(2, 12), note = text_of(3, 20), half = note.substr(0, note.size() / 2);
  for (const bool texts : {true, false}) {
    const std::string path = path_ + (texts ? "texts" : "sketches");
    CollectionOptions options;
    options.texts = texts;
    Collection::create(path, options);
    {
      Collection collection(path, Access::write);
      const CollectionDocument documents[] = {{"long", text}, {"short", note}};
      const auto outcomes = collection.add_unique(documents, query_of(strict), Acknowledge::durable);
      EXPECT_TRUE(outcomes[0].added && outcomes[1].added);
    }
    Collection collection(path, Access::write, with(profile_id(Profile{})));
    EXPECT_EQ(collection.query(near).matches.size(), 1U);
    EXPECT_EQ(collection.query(near, query_of(strict)).matches.size(), 0U) << texts;
    EXPECT_EQ(collection.query(half).matches.size(), 0U);
    ASSERT_EQ(collection.query(half, query_of(lenient)).matches.size(), 1U) << texts;
    EXPECT_EQ(collection.query(half, query_of(lenient)).matches[0].id, "short");
    const CollectionDocument again[] = {{"near", near}};
    EXPECT_FALSE(collection.add_unique(again, {}, Acknowledge::durable)[0].added);
    EXPECT_TRUE(collection.add_unique(again, query_of(strict), Acknowledge::durable)[0].added);
    // The clusters name the rule by which they were computed.
    const auto ignore = [](const CollectionCluster&) {};
    EXPECT_EQ(collection.clusters(ignore).rule, "");
    EXPECT_EQ(collection.update_clusters().clusters, 1U);
    EXPECT_EQ(collection.clusters(ignore).rule, "near-2");
    CollectionClusterOptions by_strict;
    by_strict.rule = strict;
    std::size_t told = 0;
    EXPECT_EQ(collection.update_clusters(by_strict, [&](const CollectionClusterChange&) { ++told; }).clusters, 0U);
    EXPECT_EQ(told, 1U) << "what another rule groups otherwise is a change";
    EXPECT_EQ(collection.clusters(ignore).rule, "strict");
    EXPECT_EQ(collection.clusters(ignore).rule_id, rule_id(strict));
  }
}

}  // namespace
}  // namespace leitong
