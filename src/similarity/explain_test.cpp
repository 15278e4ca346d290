// explain against what it must add up to, by plain loops: the counters of both texts, their fingerprints, and each bit's difference.
#include "leitong/explain.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "fingerprint/small_ik_test.h"
#include "leitong/data.h"
#include "leitong/error.h"

namespace leitong {
namespace {

constexpr std::uint32_t all = 0xffffffffU;

bool has_bit(const Fingerprint& f, unsigned bit) { return (f.words[bit / 64] >> (bit % 64) & 1) != 0; }

// The fingerprint that counters give.
Fingerprint reduced(const std::vector<double>& sums, bool tie_sets_bit) {
  Fingerprint f;
  f.bits = static_cast<unsigned>(sums.size());
  for (unsigned bit = 0; bit < f.bits; ++bit)
    if (sums[bit] > 0 || (sums[bit] == 0 && tie_sets_bit)) f.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
  return f;
}

// Texts that share words: every second one is made of another by edits.
class Texts {
 public:
  explicit Texts(std::uint64_t seed) : random_(seed) {}
  std::string text() {
    std::string out;
    for (std::size_t n = random_() % 40; n > 0; --n) out += word();
    return out;
  }
  std::string edited(const std::string& text) {
    const std::size_t at = text.empty() ? 0 : character_at(text, random_() % text.size());
    return text.substr(0, at) + word() + (random_() % 2 == 0 ? "" : text.substr(at));
  }

 private:
  static std::size_t character_at(const std::string& text, std::size_t at) {
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return at;
  }
  std::string word() {
    static const std::vector<std::string> words = {"the ", "quick ", "Fox ", "red, ",      "ＡＢ",         "研究", "生命", "研究生", "起源",
                                                   "美国", "雇员",   "3 ",   "个",         "！",           " ",    "x1 ",  "\xff",   "😀",
                                                   "圖書", "一",     "a#2 ", "word word ", "\xed\xa0\x80", "カタ", "\n",   "の"};
    return words[random_() % words.size()];
  }
  std::mt19937_64 random_;
};

// With nothing beside it, every feature of a text has moved: its counters and its fingerprint must come of these alone.
void expect_whole(std::string_view text, const Profile& profile) {
  const Explanation e = explain(text, "", profile, all);
  const auto fingerprint = Fingerprinter(profile)(text).fingerprint;
  ASSERT_EQ(e.a, fingerprint);
  EXPECT_EQ(e.moved.size(), e.a_features + e.b_features - 2 * e.unmoved) << "no feature of these profiles weighs nothing";
  std::vector<double> sums(profile.bits, 0);
  for (const MovedFeature& f : e.moved)
    for (unsigned bit = 0; bit < profile.bits; ++bit) sums[bit] += has_bit(f.hash, bit) ? f.a : -f.a;
  EXPECT_EQ(sums, e.a_sums);
  if (fingerprint) {
    EXPECT_EQ(reduced(sums, e.tie_sets_bit), *fingerprint);
  }
}

void expect_ranked(const Explanation& e) {
  for (std::size_t i = 1; i < e.moved.size(); ++i) {
    const double before = std::fabs(e.moved[i - 1].b - e.moved[i - 1].a), here = std::fabs(e.moved[i].b - e.moved[i].a);
    EXPECT_TRUE(before > here || (before == here && e.moved[i - 1].pull >= e.moved[i].pull));
  }
  for (const MovedFeature& f : e.moved) {
    EXPECT_NE(f.a, f.b);
    int pull = 0;
    for (const DifferingBit& bit : e.bits) pull += (contribution(f, bit.bit) > 0) == has_bit(*e.b, bit.bit) ? 1 : -1;
    EXPECT_EQ(f.pull, pull) << f.text;
  }
}

void expect_bits(const Explanation& e) {
  std::size_t next = 0;
  for (unsigned bit = 0; bit < e.a->bits; ++bit) {
    const bool differs = has_bit(*e.a, bit) != has_bit(*e.b, bit);
    ASSERT_EQ(differs, next < e.bits.size() && e.bits[next].bit == bit);
    if (!differs) continue;
    const DifferingBit& d = e.bits[next++];
    EXPECT_EQ(d.a, e.a_sums[bit]);
    EXPECT_EQ(d.b, e.b_sums[bit]);
    EXPECT_EQ(d.left_out, 0U);
    std::vector<bool> listed(e.moved.size(), false);
    double sum = 0;
    for (const std::uint32_t i : d.features) {
      ASSERT_LT(i, e.moved.size());
      EXPECT_FALSE(listed[i]);
      listed[i] = true;
      sum += contribution(e.moved[i], bit);
    }
    EXPECT_EQ(sum, d.b - d.a);
    EXPECT_EQ(sum > 0, has_bit(*e.b, bit)) << "a bit goes where its counter went";
  }
}

// Few features with each bit: the beginning of the whole list.
void expect_shortened(std::string_view a, std::string_view b, const Profile& profile, const Explanation& whole) {
  const Explanation few = explain(a, b, profile, 2);
  ASSERT_EQ(few.bits.size(), whole.bits.size());
  for (std::size_t i = 0; i < few.bits.size(); ++i) {
    ASSERT_EQ(few.bits[i].features.size(), std::min<std::size_t>(2, whole.moved.size()));
    EXPECT_TRUE(std::equal(few.bits[i].features.begin(), few.bits[i].features.end(), whole.bits[i].features.begin()));
    EXPECT_EQ(few.bits[i].left_out + few.bits[i].features.size(), whole.moved.size());
  }
}

void expect_explained(std::string_view a, std::string_view b, const Profile& profile) {
  SCOPED_TRACE(profile.name + "\n" + std::string(a) + "\n" + std::string(b));
  expect_whole(a, profile);
  const Explanation e = explain(a, b, profile, all);
  Fingerprinter fingerprinter(profile);
  ASSERT_EQ(e.a, fingerprinter(a).fingerprint);
  ASSERT_EQ(e.b, fingerprinter(b).fingerprint);
  for (unsigned bit = 0; bit < profile.bits; ++bit) {
    double sum = 0;
    for (const MovedFeature& f : e.moved) sum += contribution(f, bit);
    EXPECT_EQ(sum, e.b_sums[bit] - e.a_sums[bit]);
  }
  expect_ranked(e);
  if (!e.a || !e.b) {
    EXPECT_TRUE(e.bits.empty());
    return;
  }
  EXPECT_EQ(e.bits.size(), distance(*e.a, *e.b));
  expect_bits(e);
  expect_shortened(a, b, profile, e);
}

void expect_explained(const Profile& profile, int rounds) {
  Texts texts(profile.bits + profile.name.size());
  for (int round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
    const std::string a = texts.text();
    expect_explained(a, round % 2 == 0 ? texts.text() : texts.edited(a), profile);
  }
}

// Profiles on the standard tokens, which need no dictionary.
std::vector<Profile> of_tokens() {
  std::vector<Profile> profiles;
  for (const std::string& name : profile_names())
    if (Profile p = load_profile(name); p.words == WordKind::tokens && p.sketch == SketchKind::simhash) profiles.push_back(std::move(p));
  const auto like_default = [&](const char* name) -> Profile& {
    profiles.emplace_back().name = name;
    return profiles.back();
  };
  like_default("keyed").key = "00112233445566778899aabbccddeeff";
  like_default("traditional").fold_traditional = true;
  like_default("three").ngram_sizes = {1, 2, 3};
  like_default("long").ngram_sizes = {9};
  Profile& two = like_default("two sizes");
  two.features = FeatureKind::character_ngrams, two.ngram_sizes = {2, 5}, two.bits = 256;
  Profile& roots = like_default("roots");
  roots.numbered = false, roots.weights = WeightKind::sqrt, roots.bits = 128;
  return profiles;
}

TEST(Explain, AddsUpForEveryProfileOfTokens) {
  for (const Profile& profile : of_tokens()) expect_explained(profile, 25);
}

// Whether the dictionary of a profile is there: jieba's is, once the program is built.
bool has_dictionary(const Profile& profile) {
  try {
    (void)profile_id(profile);
  } catch (const Error&) {
    return false;
  }
  return true;
}

TEST(Explain, AddsUpForJieba) {
  for (const char* name : {"jieba", "jieba-log", "jieba-tfidf"}) {
    const Profile profile = load_profile(name);
    if (!has_dictionary(profile)) GTEST_SKIP() << "no dictionary of jieba";
    expect_explained(profile, 20);
  }
}

TEST(Explain, AddsUpForHanlp) {
  for (const char* name : {"java-hanlp", "java-hanlp-length", "java-hanlp-length-short"}) {
    const Profile profile = load_profile(name);
    if (!has_dictionary(profile)) GTEST_SKIP() << "no dictionary of HanLP";
    expect_explained(profile, 20);
  }
}

using ExplainWords = fingerprint::SmallIk;

TEST_F(ExplainWords, AddsUpForJavaPrograms) {
  for (const unsigned bits : {32U, 64U, 128U}) {
    Profile java = load_profile("java-ik");
    java.bits = bits;
    expect_explained(java, 30);
  }
}

TEST_F(ExplainWords, AddsUpForWeighedWords) {
  Profile p;
  p.words = WordKind::ik;
  for (const WeightKind weights : {WeightKind::set, WeightKind::tf, WeightKind::sqrt, WeightKind::log}) {
    p.weights = weights;
    expect_explained(p, 15);
  }
  p.weights = WeightKind::table, p.word_weights = file("weights.txt", "美国 4\n雇员 2.5\n研究 0\n");
  expect_explained(p, 15);
  p.word_weights.clear();
  p.weights = WeightKind::tfidf, p.idf_file = file("idf.txt", "美国 4\n雇员 2\nfox 1.75\n"), p.bits = 256;
  expect_explained(p, 15);
  p.top_words = 3;
  expect_explained(p, 15);
}

TEST_F(ExplainWords, CopiesOfAWordAreOneFeature) {
  const Explanation e = explain("美国雇员美国", "美国", load_profile("java-ik"), all);
  ASSERT_EQ(e.moved.size(), 2U);
  EXPECT_EQ(e.a_features, 2U);
  EXPECT_EQ(e.unmoved, 0U);
  for (const MovedFeature& f : e.moved) {
    EXPECT_EQ(f.a, f.text == "美国" ? 2 : 1) << f.text;
    EXPECT_EQ(f.b, f.text == "美国" ? 1 : 0) << f.text;
  }
}

std::vector<std::string> moved_texts(const Explanation& e) {
  std::vector<std::string> texts;
  for (const MovedFeature& f : e.moved) texts.push_back((f.a > f.b ? "-" : "+") + f.text);
  std::sort(texts.begin(), texts.end());
  return texts;
}

TEST(Explain, NamesWhatMoved) {
  EXPECT_EQ(moved_texts(explain("The red fox", "the grey fox", Profile{})),
            (std::vector<std::string>{"+grey", "+grey fox", "+the grey", "-red", "-red fox", "-the red"}));
  EXPECT_EQ(moved_texts(explain("谢谢童学们", "谢谢同学们", Profile{})),
            (std::vector<std::string>{"+同", "+同学", "+谢同", "-童", "-童学", "-谢童"}));
  EXPECT_EQ(moved_texts(explain("so so", "so so so", Profile{})), (std::vector<std::string>{"+so so#2", "+so#3"}));
  EXPECT_EQ(moved_texts(explain("用ｅＸｃｅｌ做", "用 excel 做", Profile{})), std::vector<std::string>{}) << "equal after normalisation";
}

TEST(Explain, TextsWithoutFeatures) {
  const Explanation none = explain("!!!", "", Profile{});
  EXPECT_EQ(none.a, std::nullopt);
  EXPECT_TRUE(none.moved.empty());
  const Explanation one = explain("a fox", "!!!", Profile{});
  EXPECT_TRUE(one.a.has_value());
  EXPECT_EQ(one.b, std::nullopt);
  EXPECT_EQ(one.moved.size(), 3U);
  EXPECT_TRUE(one.bits.empty());
}

TEST(Explain, WhatMovesFarthestComesFirst) {
  const Profile counted = load_profile("words-tf");
  const Explanation e = explain("fox fox fox dog dog cat", "cat bird owl owl", counted, 1);
  ASSERT_GE(e.moved.size(), 4U);
  EXPECT_EQ(e.moved.front().text, "fox");
  EXPECT_EQ(e.unmoved, 1U);
  for (const DifferingBit& bit : e.bits) EXPECT_EQ(bit.features, std::vector<std::uint32_t>{0});
}

TEST(Explain, VeryLongTextsAreRefused) { EXPECT_THROW((void)explain(std::string((16U << 20) + 1, 'a'), "a", Profile{}), Error); }

}  // namespace
}  // namespace leitong
