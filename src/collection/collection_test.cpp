#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "collection/collection_row.h"
#include "leitong/corpus.h"
#include "leitong/error.h"
#include "records/read_input_test.h"

namespace leitong {
namespace {

namespace fs = std::filesystem;

class CorpusTest : public testing::Test {
 protected:
  static CorpusOptions with_texts() {
    CorpusOptions options;
    options.texts = true;
    options.metadata = true;
    return options;
  }
  static CorpusOpen with(const std::string& id, const std::string& key = "") {
    CorpusOpen open;
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

TEST_F(CorpusTest, WhatIsAddedIsThere) {
  Corpus::create(path_, with_texts());
  EXPECT_THROW(Corpus::create(path_, with_texts()), Error);
  const std::string text = text_of(1), other = text_of(2);
  {
    Corpus corpus(path_, Access::write);
    const CorpusDocument documents[] = {{"a", text, "{\"day\":1}"}, {"b", other}, {"empty", ""}};
    EXPECT_EQ(corpus.add(documents, Acknowledge::durable), 1U);
    EXPECT_EQ(corpus.get("a")->text, text);
  }
  const Corpus corpus(path_, Access::read);
  const auto entry = corpus.get("a");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->text, text);
  EXPECT_EQ(entry->metadata, "{\"day\":1}");
  EXPECT_EQ(entry->fingerprint, Fingerprinter(Profile{})(text).fingerprint);
  EXPECT_EQ(corpus.get("empty")->fingerprint, std::nullopt);
  EXPECT_FALSE(corpus.get("c"));
  const auto matches = corpus.query(text + " more").matches;
  ASSERT_EQ(matches.size(), 1U);
  EXPECT_EQ(matches[0].id, "a");
  EXPECT_TRUE(matches[0].verified);
  EXPECT_GT(*matches[0].similarity, 0.9);
  EXPECT_EQ(corpus.stats().documents, 3U);
}

TEST_F(CorpusTest, AnIdStandsForItsNewestDocument) {
  Corpus::create(path_, with_texts());
  Corpus corpus(path_, Access::write);
  const std::string first = text_of(1), second = text_of(2);
  const CorpusDocument one{"a", first}, two{"a", second};
  corpus.add(std::span(&one, 1), Acknowledge::durable);
  corpus.compact();
  corpus.add(std::span(&two, 1), Acknowledge::durable);
  EXPECT_TRUE(corpus.query(first).matches.empty());
  EXPECT_EQ(corpus.query(second).matches.size(), 1U);
  const std::string_view ids[] = {"a", "a", "nothing"};
  EXPECT_EQ(corpus.erase(ids, Acknowledge::durable), 1U);
  EXPECT_TRUE(corpus.query(second).matches.empty());
  EXPECT_FALSE(corpus.get("a"));
  corpus.compact();
  EXPECT_EQ(corpus.stats().rows, 0U);
}

TEST_F(CorpusTest, UniqueKeepsTheFirstOfEachGroup) {
  Corpus::create(path_, with_texts());
  Corpus corpus(path_, Access::write);
  std::vector<std::string> texts, ids;
  for (unsigned i = 0; i < 60; ++i) {
    texts.push_back(text_of(i % 20) + (i >= 20 ? "and a few words" : ""));
    ids.push_back("d" + std::to_string(i));
  }
  std::vector<CorpusDocument> documents;
  for (unsigned i = 0; i < 60; ++i) documents.push_back({ids[i], texts[i]});
  const auto outcomes = corpus.add_unique(documents, {}, Acknowledge::durable);
  for (unsigned i = 0; i < 60; ++i) {
    EXPECT_EQ(outcomes[i].added, i < 20) << i;
    if (!outcomes[i].added) {
      EXPECT_EQ(outcomes[i].match->id, "d" + std::to_string(i % 20));
    }
  }
  EXPECT_EQ(corpus.stats().documents, 20U);
}

TEST_F(CorpusTest, ImportedFingerprintsRefuseNothingUnlessAllowed) {
  CorpusOptions options = with_texts();
  options.ids = CorpusIds::number;
  Corpus::create(path_, options);
  Corpus corpus(path_, Access::write);
  const std::string text = text_of(5);
  const CorpusFingerprint stored{"17", *Fingerprinter(Profile{})(text).fingerprint};
  corpus.add_fingerprints(std::span(&stored, 1), Acknowledge::durable);
  const auto matches = corpus.query(text).matches;
  ASSERT_EQ(matches.size(), 1U);
  EXPECT_EQ(matches[0].id, "17");
  EXPECT_TRUE(matches[0].imported);
  EXPECT_FALSE(matches[0].verified);
  const CorpusDocument document{"18", text};
  CorpusQuery allowing;
  allowing.allow_unverified = true;
  EXPECT_FALSE(corpus.add_unique(std::span(&document, 1), allowing, Acknowledge::durable)[0].added);
  EXPECT_TRUE(corpus.add_unique(std::span(&document, 1), {}, Acknowledge::durable)[0].added);
  EXPECT_TRUE(corpus.get("17")->unverified);
}

TEST_F(CorpusTest, OtherProfilesAndBadIdsAreRefused) {
  CorpusOptions options;
  options.ids = CorpusIds::number;
  Corpus::create(path_, options);
  EXPECT_THROW(Corpus(path_, Access::read, with("00000000000000000000000000000000")), Error);
  EXPECT_THROW(Corpus(path_, Access::read, with("", "00112233445566778899aabbccddeeff")), Error);
  Corpus corpus(path_, Access::write, with(profile_id(options.profile)));
  for (const char* id : {"", "x", "-1", "01", "18446744073709551616", "1 "}) {
    const CorpusDocument document{id, "text"};
    EXPECT_THROW(corpus.add(std::span(&document, 1), Acknowledge::durable), Error) << id;
  }
  const CorpusDocument document{"18446744073709551615", "text"};
  corpus.add(std::span(&document, 1), Acknowledge::durable);
  EXPECT_TRUE(corpus.get("18446744073709551615"));
}

TEST_F(CorpusTest, KeyedProfilesNeedTheirKey) {
  CorpusOptions options = with_texts();
  options.profile.key = "00112233445566778899aabbccddeeff";
  Corpus::create(path_, options);
  EXPECT_THROW(Corpus(path_, Access::read), Error);
  EXPECT_THROW(Corpus(path_, Access::read, with("", "00112233445566778899aabbccddeefe")), Error);
  Corpus(path_, Access::read, with("", options.profile.key));
  CorpusOpen stored;
  stored.only_stored = true;
  const Corpus without(path_, Access::read, stored);
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

TEST_F(CorpusTest, DedupAgainstACollection) {
  Corpus::create(path_, with_texts());
  std::vector<std::string> texts, ids;
  std::vector<CorpusDocument> documents;
  for (unsigned i = 0; i < 20; ++i) {
    texts.push_back(text_of(i));
    ids.push_back("old" + std::to_string(i));
  }
  for (unsigned i = 0; i < 20; ++i) documents.push_back({ids[i], texts[i]});
  {
    Corpus corpus(path_, Access::write);
    corpus.add(documents, Acknowledge::durable);
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
  // Whatever the bytes are: an answer or an error.
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

// What is stored is of a profile. A store that was filled under one rule is asked, added to and grouped under any other.
TEST_F(CorpusTest, IsAskedUnderAnyRule) {
  Rule strict, lenient;
  strict.name = "strict", strict.thresholds = {{0xffffffffU, 0.95}};
  lenient.name = "lenient", lenient.thresholds = {{0xffffffffU, 0.2}}, lenient.sure_similarity = lenient.template_sure = 0.2;
  const auto query_of = [](const Rule& rule) {
    CorpusQuery query;
    query.rule = rule;
    return query;
  };
  const std::string text = text_of(1), near = text + text_of(2, 12), note = text_of(3, 20), half = note.substr(0, note.size() / 2);
  for (const bool texts : {true, false}) {
    const std::string path = path_ + (texts ? "texts" : "sketches");
    CorpusOptions options;
    options.texts = texts;
    Corpus::create(path, options);
    {
      Corpus corpus(path, Access::write);
      const CorpusDocument documents[] = {{"long", text}, {"short", note}};
      const auto outcomes = corpus.add_unique(documents, query_of(strict), Acknowledge::durable);
      EXPECT_TRUE(outcomes[0].added && outcomes[1].added);
    }
    Corpus corpus(path, Access::write, with(profile_id(Profile{})));
    EXPECT_EQ(corpus.query(near).matches.size(), 1U);
    EXPECT_EQ(corpus.query(near, query_of(strict)).matches.size(), 0U) << texts;
    EXPECT_EQ(corpus.query(half).matches.size(), 0U);
    ASSERT_EQ(corpus.query(half, query_of(lenient)).matches.size(), 1U) << texts;
    EXPECT_EQ(corpus.query(half, query_of(lenient)).matches[0].id, "short");
    const CorpusDocument again[] = {{"near", near}};
    EXPECT_FALSE(corpus.add_unique(again, {}, Acknowledge::durable)[0].added);
    EXPECT_TRUE(corpus.add_unique(again, query_of(strict), Acknowledge::durable)[0].added);
    // Clusters say by which rule they were computed.
    const auto ignore = [](const CorpusCluster&) {};
    EXPECT_EQ(corpus.clusters(ignore).rule, "");
    EXPECT_EQ(corpus.update_clusters().clusters, 1U);
    EXPECT_EQ(corpus.clusters(ignore).rule, "near-2");
    CorpusClusterOptions by_strict;
    by_strict.rule = strict;
    std::size_t told = 0;
    EXPECT_EQ(corpus.update_clusters(by_strict, [&](const CorpusClusterChange&) { ++told; }).clusters, 0U);
    EXPECT_EQ(told, 1U) << "what another rule groups otherwise is a change";
    EXPECT_EQ(corpus.clusters(ignore).rule, "strict");
    EXPECT_EQ(corpus.clusters(ignore).rule_id, rule_id(strict));
  }
}

}  // namespace
}  // namespace leitong
