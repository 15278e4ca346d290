#include "fingerprint/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>

#include "fingerprint/sketcher.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"

namespace leitong::fingerprint {
namespace {

TEST(Weights, AreMonotoneAndExact) {
  EXPECT_EQ(log_weight(1), 256U);
  EXPECT_EQ(log_weight(2), 512U);
  EXPECT_EQ(log_weight(1024), 256U * 11);
  EXPECT_EQ(sqrt_weight(4), 512U);
  for (std::uint32_t tf = 1; tf < 5000; ++tf) {
    EXPECT_LE(log_weight(tf), log_weight(tf + 1));
    EXPECT_NEAR(log_weight(tf), 256 * (1 + std::log2(tf)), 1.01);
    EXPECT_NEAR(sqrt_weight(tf), 256 * std::sqrt(tf), 1.0);
  }
}

TEST(FeatureExtractor, TokenNgramsWithCopies) {
  FeatureExtractor extractor{Profile{}};
  extractor.set_text("a b a b");
  EXPECT_EQ(extractor.features().hashes.size(), 7U);  // a b a' b' ab ba ab'
  std::vector<std::uint64_t> sorted;
  extractor.sorted_features(sorted);
  EXPECT_EQ(sorted.size(), 7U);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  // The same features in another order of the text.
  FeatureExtractor other{Profile{}};
  other.set_text("A, B! A; B.");
  std::vector<std::uint64_t> again;
  other.sorted_features(again);
  EXPECT_EQ(sorted, again);
}

TEST(FeatureExtractor, FastShapeEqualsTheGeneralOne) {
  // {2, 1} takes the general path; the set of features is that of {1, 2}.
  Profile general;
  general.ngram_sizes = {2, 1};
  FeatureExtractor fast{Profile{}}, plain{general};
  for (const char* text : {"", "one", "one two", "the cat saw the cat and the cat saw", "雷同雷同雷同", "mixed 文本 mixed 文本 1 2 3"}) {
    std::vector<std::uint64_t> a, b;
    fast.set_text(text), plain.set_text(text);
    fast.sorted_features(a), plain.sorted_features(b);
    EXPECT_EQ(a, b) << text;
  }
}

TEST(FeatureExtractor, TextShorterThanEveryNgramIsOneFeature) {
  Profile shingles;
  shingles.ngram_sizes = {5};
  shingles.numbered = false;
  FeatureExtractor extractor{shingles};
  extractor.set_text("only three words");
  ASSERT_EQ(extractor.features().hashes.size(), 1U);
  const std::uint64_t one = extractor.features().hashes[0];
  extractor.set_text("only three others");
  EXPECT_NE(extractor.features().hashes[0], one);
  extractor.set_text("w1 w2 w3 w4 w5 w6");
  EXPECT_EQ(extractor.features().hashes.size(), 2U);  // the last window is there
  extractor.set_text("");
  EXPECT_TRUE(extractor.features().hashes.empty());
}

TEST(FeatureExtractor, CharacterNgramsJoinWordsBySpacesButNotHan) {
  Profile characters;
  characters.features = FeatureKind::character_ngrams;
  characters.ngram_sizes = {2};
  FeatureExtractor extractor{characters};
  extractor.set_text("ab cd");  // "ab", "b ", " c", "cd"
  EXPECT_EQ(extractor.features().hashes.size(), 4U);
  extractor.set_text("雷同器");
  EXPECT_EQ(extractor.features().hashes.size(), 2U);
}

TEST(FeatureExtractor, TermFrequencyAndIdfWeights) {
  const std::string path = ::testing::TempDir() + "idf_test.txt";
  std::ofstream(path) << "cat 2.5\ndog 0\n";
  Profile tfidf;
  tfidf.ngram_sizes = {1}, tfidf.numbered = false, tfidf.weights = WeightKind::tfidf, tfidf.idf_file = path;
  FeatureExtractor extractor{tfidf};
  extractor.set_text("cat cat dog bird");
  const auto features = extractor.features();
  std::multiset<std::uint32_t> weights(features.weights.begin(), features.weights.end());
  EXPECT_EQ(weights, (std::multiset<std::uint32_t>{1280, 0, 320}));  // 2 · 640, 0, and the mean of 640 and 0 for an unknown word
  std::ofstream(path) << "cat two\n";
  EXPECT_THROW(FeatureExtractor{tfidf}, Error);
  std::remove(path.c_str());
}

TEST(Fingerprinter, NoFeaturesNoFingerprint) {
  Fingerprinter fingerprinter{Profile{}};
  for (const char* text : {"", "   \n", "!!! --- ???", "……。。。"}) EXPECT_FALSE(fingerprinter(text).fingerprint.has_value()) << text;
  EXPECT_TRUE(fingerprinter("x").fingerprint.has_value());
}

TEST(Fingerprinter, NormalFormsAreOneText) {
  Fingerprinter fingerprinter{Profile{}};
  const auto base = fingerprinter("Leitong 雷同 finds ABC 123 copies").fingerprint;
  EXPECT_EQ(fingerprinter("ｌｅｉｔｏｎｇ　雷同，finds ＡＢＣ   １２３ COPIES!").fingerprint, base);
  EXPECT_NE(fingerprinter("Leitong 雷同 finds ABC 124 copies").fingerprint, base);
}

TEST(Fingerprinter, WiderFingerprintsBeginWithTheNarrowOne) {
  Profile wide;
  wide.bits = 256;
  Fingerprinter narrow{Profile{}}, broad{wide};
  const char* text = "the quick brown fox jumps over the lazy dog while 敏捷的棕色狐狸跳过懒狗";
  const auto a = narrow(text).fingerprint, b = broad(text).fingerprint;
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->words[0], b->words[0]);
  EXPECT_EQ(to_hex(*b).size(), 64U);
  EXPECT_EQ(fingerprint_from_hex(to_hex(*b)), *b);
  EXPECT_THROW((void)distance(*a, *b), Error);
  EXPECT_THROW((void)fingerprint_from_hex("xyz"), Error);
  EXPECT_THROW((void)fingerprint_from_hex("000000000000000g"), Error);
}

// Similar texts are near, others are not: the expected distance of random texts is half of the bits.
TEST(Fingerprinter, DistanceFollowsSimilarity) {
  std::mt19937_64 random(9);
  std::vector<std::string> words;
  for (int i = 0; i < 400; ++i) words.push_back("w" + std::to_string(random() % 5000));
  const auto text = [](const std::vector<std::string>& w) {
    std::string all;
    for (const auto& word : w) all += word + " ";
    return all;
  };
  Profile wide;
  wide.bits = 256;
  Fingerprinter fingerprinter{wide};
  const auto base = *fingerprinter(text(words)).fingerprint;
  auto edited = words;
  for (int i = 0; i < 8; ++i) edited[random() % edited.size()] = "new" + std::to_string(i);
  EXPECT_LT(distance(base, *fingerprinter(text(edited)).fingerprint), 60U);
  std::vector<std::string> other;
  for (int i = 0; i < 400; ++i) other.push_back("v" + std::to_string(random() % 5000));
  EXPECT_NEAR(distance(base, *fingerprinter(text(other)).fingerprint), 128, 48);  // 6 standard deviations
}

TEST(Sketcher, ContentHashSeesTokensOnly) {
  Sketcher sketcher{Profile{}};
  Sketch a, b, c, blank, marks, marks2;
  sketcher("Hello, world", a), sketcher("hello  WORLD!", b), sketcher("hello world x", c);
  EXPECT_EQ(a.content, b.content);
  EXPECT_NE(a.content, c.content);
  sketcher(" \n\t", blank), sketcher("!!!", marks), sketcher("???", marks2);
  EXPECT_EQ(blank.content, (std::array<std::uint64_t, 2>{}));
  EXPECT_NE(marks.content, blank.content);
  EXPECT_NE(marks.content, marks2.content);
}

TEST(Sketcher, ShortTextsCarryTheirFeaturesLongOnesSlots) {
  Sketcher sketcher{Profile{}};
  Sketch sketch;
  const auto words = [](int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "w" + std::to_string(i) + " ";
    return text;
  };
  sketcher(words(49), sketch);
  EXPECT_FALSE(sketch.has_slots);
  EXPECT_EQ(sketch.short_features.size(), 97U);
  sketcher(words(50), sketch);
  EXPECT_TRUE(sketch.has_slots);
  EXPECT_EQ(sketch.short_features.size(), 99U);
  sketcher(words(100), sketch);
  EXPECT_TRUE(sketch.has_slots);
  EXPECT_TRUE(sketch.short_features.empty());
}

// Section 5 of the specification, step by step.
bool slots_by_the_steps(const FeatureExtractor::Bigrams& bigrams, const Hasher& hasher, Slots& slots) {
  std::set<std::uint64_t> common;
  for (std::string_view rest = common_bigrams(); !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const std::string a(line.substr(0, line.find(' '))), b(line.substr(line.find(' ') + 1));
    common.insert(hasher.join(hasher.bytes(a.data(), a.size()), hasher.bytes(b.data(), b.size())) >> 48);
  }
  constexpr std::uint32_t absent = 0xffffffffU;
  std::vector<std::uint32_t> least(slot_count, absent);
  for (const bool all : {false, true}) {
    if (all && *std::min_element(least.begin(), least.end()) != absent) break;
    for (std::size_t i = 0; i < bigrams.numbered.size(); ++i) {
      const std::uint64_t h = bigrams.numbered[i];
      if (!all && common.count(bigrams.plain[i] >> 48) != 0) continue;
      auto& slot = least[((h >> 32) * slot_count) >> 32];
      slot = std::min(slot, all ? std::min(static_cast<std::uint32_t>(h), absent - 1) : static_cast<std::uint32_t>(h));
    }
  }
  std::vector<std::vector<unsigned>> donors(slot_count);
  std::uint64_t state = 0x6a09e667f3bcc908ULL;
  for (int t = 0; t < 16; ++t)
    for (auto& of_slot : donors) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      of_slot.push_back(static_cast<unsigned>(((state >> 32) * slot_count) >> 32));
    }
  for (unsigned i = 0; i < slot_count; ++i) {
    unsigned from = i;
    for (std::size_t t = 0; least[from] == absent; ++t) from = t < 16 ? donors[i][t] : (from + 1) % slot_count;
    slots[i] = static_cast<std::uint8_t>(least[from]);
  }
  return !bigrams.numbered.empty();
}

TEST(MinHash, FollowsTheSpecification) {
  std::mt19937_64 random(17);
  const Hasher hasher;
  const MinHash minhash(hasher);
  const std::uint64_t common = hasher.join(hasher.bytes("of", 2), hasher.bytes("the", 3));
  for (const std::size_t n : {1U, 2U, 3U, 5U, 10U, 50U, 51U, 200U, 1000U, 5000U}) {
    for (int round = 0; round < 12; ++round) {
      std::vector<std::uint64_t> plain(n), numbered(n);
      for (std::size_t i = 0; i < n; ++i) {
        plain[i] = round % 4 == 3 || random() % 4 == 0 ? common : random();
        numbered[i] = random() % 8 == 0 ? random() | 0xffffffffU : random();
        if (round % 3 == 2) numbered[i] &= 0x0fffffffffffffffULL;  // a stretch of the slots only
      }
      Slots expected{}, slots{};
      ASSERT_TRUE(slots_by_the_steps({numbered, plain}, hasher, expected));
      ASSERT_TRUE(minhash({numbered, plain}, slots));
      ASSERT_EQ(slots, expected) << n << " bigrams, round " << round;
    }
  }
}

// The share of slots that agree estimates the Jaccard similarity of the bigrams.
TEST(MinHash, SlotsAgreeAsOftenAsTextsAreSimilar) {
  std::mt19937_64 random(11);
  Sketcher sketcher{Profile{}};
  double error = 0;
  constexpr int rounds = 40;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::uint64_t> words(600);
    for (auto& w : words) w = random() % 100000;
    auto edited = words;
    for (auto& w : edited)
      if (random() % 100 < 10) w = random() % 100000;
    const auto sketch = [&](const std::vector<std::uint64_t>& ws) {
      std::string text;
      for (const auto w : ws) text += "q" + std::to_string(w) + " ";
      Sketch s;
      sketcher(text, s);
      return s;
    };
    const auto bigrams = [](const std::vector<std::uint64_t>& ws) {
      std::set<std::pair<std::uint64_t, std::uint64_t>> set;
      for (std::size_t i = 0; i + 1 < ws.size(); ++i) set.insert({ws[i], ws[i + 1]});
      return set;
    };
    const auto a = bigrams(words), b = bigrams(edited);
    std::size_t common = 0;
    for (const auto& pair : a) common += b.count(pair);
    const double jaccard = static_cast<double>(common) / static_cast<double>(a.size() + b.size() - common);
    const Sketch x = sketch(words), y = sketch(edited);
    std::size_t agreeing = 0;
    for (unsigned i = 0; i < slot_count; ++i) agreeing += x.slots[i] == y.slots[i] ? 1 : 0;
    error += static_cast<double>(agreeing) / slot_count - jaccard;
  }
  EXPECT_NEAR(error / rounds, 0, 0.02);
}

TEST(MinHash, BitsAreTheSlotsLowestBits) {
  Slots slots{};
  for (unsigned i = 0; i < slot_count; ++i) slots[i] = static_cast<std::uint8_t>(i * 7 + i / 3);
  const auto bits = slot_bits(slots);
  for (unsigned i = 0; i < slot_count; ++i) EXPECT_EQ(bits[i / 64] >> (i % 64) & 1, slots[i] & 1U) << i;
  EXPECT_DOUBLE_EQ(similarity_of_distance(0), 1.0);
  EXPECT_DOUBLE_EQ(similarity_of_distance(slot_count), 0.0);
}

}  // namespace
}  // namespace leitong::fingerprint
