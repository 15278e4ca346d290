// add_unique against brute force: every refused document resembles a stored one, and no two stored documents resemble each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

#include "fingerprint/features.h"
#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/input.h"
#include "leitong/records.h"
#include "leitong/similarity.h"
#include "records/read_input_test.h"
#include "similarity/measures.h"

namespace leitong {
namespace {

constexpr std::size_t most_bytes = 1500;  // length limit, because all pairs are compared

std::string first_bytes(std::string_view text) {
  std::size_t end = std::min(text.size(), most_bytes);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) --end;
  return std::string(text.substr(0, end));
}

std::vector<std::string> texts_of(const std::string& path, std::size_t most) {
  std::vector<std::string> texts;
  InputOptions input;
  input.paths = {path};
  const auto worker = [] { return [](const RecordView& record, std::string& out) { out += first_bytes(record.text); }; };
  (void)visit_records(input, {}, "texts", worker, [&](const RecordPlace&, std::string_view text) {
    if (texts.size() < most) texts.emplace_back(text);
    return std::string();
  });
  return texts;
}

struct Found {
  // Refused documents; pairs with a similarity of at least .8 of which both texts were stored; all pairs with such a similarity.
  std::uint64_t refused = 0, both_stored = 0, similar = 0;
};

Found held_against_brute_force(const std::vector<std::string>& texts, unsigned seed) {
  const TemporaryDirectory directory;
  CollectionOptions options;
  options.texts = true;
  Collection::create(directory / "c", options);
  Collection collection(directory / "c", Access::write);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < texts.size(); ++i) ids.push_back("d" + std::to_string(i));
  std::vector<std::size_t> order(texts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  Found found;
  std::map<std::string, std::string> stored;
  for (std::size_t begin = 0; begin < order.size();) {
    const std::size_t end = std::min<std::size_t>(begin + 1 + random() % 40, order.size());
    std::vector<CollectionDocument> batch;
    for (std::size_t i = begin; i < end; ++i) batch.push_back({ids[order[i]], texts[order[i]]});
    const auto outcomes = collection.add_unique(batch, {}, Acknowledge::buffered);
    for (std::size_t i = begin; i < end; ++i) {
      const CollectionOutcome& outcome = outcomes[i - begin];
      const std::string& text = texts[order[i]];
      EXPECT_EQ(outcome.added, !outcome.match.has_value());
      if (outcome.added) {
        stored[ids[order[i]]] = text;
        continue;
      }
      ++found.refused;
      EXPECT_TRUE(stored.contains(outcome.match->id)) << outcome.match->id;
      EXPECT_TRUE(compare(text, stored[outcome.match->id], options.profile).near_duplicate) << text << "\n" << stored[outcome.match->id];
    }
    begin = end;
  }
  std::uint64_t documents = 0;
  collection.scan([&](const CollectionEntry& entry) {
    ++documents;
    EXPECT_EQ(stored.at(entry.id), entry.text);
  });
  EXPECT_EQ(documents, stored.size());
  std::vector<std::vector<std::uint32_t>> features(texts.size());
  fingerprint::FeatureExtractor extractor(options.profile);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    extractor.set_text(texts[i]);
    extractor.keys(features[i]);
  }
  for (std::size_t a = 0; a < texts.size(); ++a)
    for (std::size_t b = a + 1; b < texts.size(); ++b) {
      if (similarity::overlap(std::span(features[a]), std::span(features[b])).jaccard() < 0.8) continue;
      const Comparison comparison = compare(texts[a], texts[b], options.profile);
      if (!comparison.near_duplicate) continue;
      ++found.similar;
      found.both_stored += stored.contains(ids[a]) && stored.contains(ids[b]) ? 1 : 0;
    }
  return found;
}

// The default profile's stated recall: .99 of the pairs with similarity .8 become candidates, and more of the pairs above it.
void expect_recall(const std::vector<std::string>& texts, unsigned seed, std::uint64_t least_similar) {
  const Found found = held_against_brute_force(texts, seed);
  EXPECT_GE(found.similar, least_similar);
  EXPECT_GT(found.refused, 0U);
  EXPECT_LE(static_cast<double>(found.both_stored), 0.01 * static_cast<double>(found.similar));
}

TEST(CollectionUnique, RefusesWhatResemblesAndKeepsWhatDoesNot) {
  std::mt19937 random(1);
  std::vector<std::string> texts;
  for (unsigned i = 0; i < 200; ++i) {
    const auto family = static_cast<unsigned>(random() % 60);
    std::mt19937 words(family);
    std::string text;
    for (unsigned w = 0; w < 15 + 4 * family; ++w)
      text += "w" + std::to_string((random() % 60 == 0 ? random() : words()) % 4000) + (random() % 30 == 0 ? ", " : " ");
    texts.push_back(text);
  }
  expect_recall(texts, 1, 100);
}

TEST(CollectionUnique, AlsoOfRealTexts) {
  const char* shared = std::getenv("LEITONG_SHARED");
  const std::string corpora = std::string(shared == nullptr ? "" : shared) + "/corpora/";
  if (shared == nullptr || !std::filesystem::exists(corpora)) GTEST_SKIP() << "no $LEITONG_SHARED/corpora";
  expect_recall(texts_of(corpora + "zh_lctt_closed.docs.jsonl.gz", 400), 1, 10);
  expect_recall(texts_of(corpora + "en_peps.docs.jsonl.gz", 300), 2, 50);
}

}  // namespace
}  // namespace leitong
