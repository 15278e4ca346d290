// Texts found by keys of features, compared with all pairs: texts of fewer than 2 * short_tokens tokens must find every one that is similar
// enough, whatever their sizes and the rule.
#include "collection/collection_keys.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>

#include "leitong/access.h"
#include "leitong/collection.h"
#include "records/read_input_test.h"
#include "similarity/measures.h"

namespace leitong {
namespace {

using Features = std::vector<std::uint32_t>;

// Of a family's words, some: left out, in another order, repeated, or other ones.
std::string text_of(std::mt19937& random) {
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  const unsigned family = below(6), words = 1 + below(99), strangers = below(3);
  std::string text;
  for (unsigned w = 0; w < words; ++w) {
    const unsigned word = below(40) == 0 ? below(words) : w;
    text += below(12) < strangers ? "common" + std::to_string(below(50)) : "w" + std::to_string(family) + "x" + std::to_string(word);
    text += ' ';
  }
  return text;
}

class CollectionKeys : public testing::TestWithParam<double> {};

TEST_P(CollectionKeys, ShortTextsFindEverySimilarOne) {
  std::mt19937 random(3);
  const TemporaryDirectory directory;
  const CollectionOptions options;
  Collection::create(directory / "c", options);
  Collection collection(directory / "c", Access::write);
  fingerprint::Sketcher sketcher(options.profile);
  CollectionQuery query;
  query.rule.thresholds = {{0xffffffffU, GetParam()}};
  std::vector<std::string> texts;
  std::vector<Features> features;
  std::size_t expected = 0, of_other_sizes = 0;
  for (unsigned i = 0; i < 900; ++i) {
    texts.push_back(text_of(random));
    fingerprint::Sketch sketch;
    sketcher(texts.back(), sketch);
    features.push_back(sketch.short_features);
    ASSERT_FALSE(sketch.short_features.empty());
    const std::string id = std::to_string(i);
    const CollectionDocument document[] = {{id, texts.back()}};
    collection.add(document, Acknowledge::buffered);
    if (i == 500) collection.compact();
    if (i % 3 != 0) continue;
    std::set<std::string> wanted, found;
    for (unsigned j = 0; j <= i; ++j) {
      if (similarity::overlap(std::span(features[i]), std::span(features[j])).jaccard() < GetParam()) continue;
      wanted.insert(std::to_string(j));
      of_other_sizes += collection::size_class(features[i].size()) != collection::size_class(features[j].size()) ? 1 : 0;
    }
    for (const CollectionMatch& match : collection.query(texts[i], query).matches) found.insert(match.id);
    EXPECT_EQ(found, wanted) << texts[i];
    expected += wanted.size();
  }
  EXPECT_GT(expected, 300U + 5U);  // beside themselves
  if (GetParam() < 0.9) {
    EXPECT_GT(of_other_sizes, 50U);
  }
}

INSTANTIATE_TEST_SUITE_P(Thresholds, CollectionKeys, testing::Values(0.05, 0.2, 0.5, 0.55, 0.8, 0.95));

// Within half to twice a size, classes of different ranges differ; every size up to what a profile allows has one.
TEST(CollectionKeysClasses, DifferWhereTextsCanBeSimilar) {
  std::map<std::uint32_t, std::size_t> last;  // the largest size so far of each class
  std::uint32_t before = collection::size_class(1);
  for (std::size_t size = 1; size <= 5000; ++size) {
    const std::uint32_t now = collection::size_class(size);
    ASSERT_LT(now, store::classes);
    if (now != before) {
      EXPECT_EQ(now, (before + 1) % store::classes);
      if (last.contains(now)) {
        EXPECT_GT(size, 4 * last[now]) << size;
      }
    }
    last[now] = size;
    before = now;
  }
}

}  // namespace
}  // namespace leitong
