#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

#include "leitong/error.h"
#include "leitong/profile.h"
#include "leitong/similarity.h"

namespace leitong {
namespace {

TEST(ShortText, NominatesThenDecides) {
  const Profile profile;
  ShortTextJudge judge(profile);
  const std::string a = "你妈妈喊你回家吃饭哦，回家罗回家罗", b = "你妈妈叫你回家吃饭啦，回家罗回家罗";  // article 003's pair: 2 of 17
  const auto verdict = judge(a, b);
  ASSERT_TRUE(verdict.distance.has_value());
  EXPECT_EQ(verdict.nominated, *verdict.distance <= 12);
  const auto decision = judge.decide(a, b);
  EXPECT_DOUBLE_EQ(decision.similarity, 1 - 2.0 / 17);
  EXPECT_TRUE(decision.near_duplicate);
  EXPECT_EQ(verdict.near_duplicate, verdict.nominated);
  EXPECT_TRUE(judge(a, a).near_duplicate);
}

TEST(ShortText, BothHalvesAreNeeded) {
  const Profile profile;
  ShortTextRule strict;
  strict.k = 0;
  ShortTextJudge narrow(profile, strict);
  const auto missed = narrow("白日依山尽黄河入海流", "白日依山尽黄河入海游");
  EXPECT_FALSE(missed.nominated);
  EXPECT_FALSE(missed.near_duplicate);
  EXPECT_EQ(missed.similarity, 0);
  ShortTextRule all;
  all.k = 64;  // nominates everything
  ShortTextJudge wide(profile, all);
  EXPECT_TRUE(wide("白日依山尽黄河入海流", "床前明月光疑是地上霜").nominated);
  EXPECT_FALSE(wide("白日依山尽黄河入海流", "床前明月光疑是地上霜").near_duplicate);
  EXPECT_TRUE(wide("白日依山尽黄河入海流", "白日依山尽黄河入海游").near_duplicate);
}

TEST(ShortText, CosineForgivesOrder) {
  const Profile profile;
  ShortTextRule rule;
  rule.k = 64;
  const std::string a = "red green blue black white", b = "white black blue green red";
  EXPECT_FALSE(ShortTextJudge(profile, rule)(a, b).near_duplicate);
  rule.by = ShortTextRule::By::cosine;
  const auto turned = ShortTextJudge(profile, rule)(a, b);
  EXPECT_TRUE(turned.near_duplicate);
  EXPECT_EQ(turned.similarity, 1);
}

// The decision by bounded edits is the one that all edits give, at every limit.
TEST(ShortText, TheBoundChangesNoDecision) {
  const Profile profile;
  std::mt19937_64 random(1);
  for (int round = 0; round < 400; ++round) {
    std::string a, b;
    for (auto i = random() % 20; i > 0; --i) a += static_cast<char>('a' + random() % 3);
    for (auto i = random() % 20; i > 0; --i) b += static_cast<char>('a' + random() % 3);
    const double truth = character_edits(a, b, profile, 0xffffffffU).similarity;
    for (const double limit : {0.0, 0.25, 0.5, 0.56, 0.8, 1.0}) {
      ShortTextRule rule;
      rule.edit_similarity = limit;
      const auto decision = ShortTextJudge(profile, rule).decide(a, b);
      ASSERT_EQ(decision.near_duplicate, truth >= limit) << a << " " << b << " " << limit;
      ASSERT_GE(decision.similarity, truth);
      if (truth >= limit) {
        ASSERT_EQ(decision.similarity, truth);
      }
    }
  }
}

TEST(ShortText, WithoutFingerprints) {
  const Profile profile;
  ShortTextJudge judge(profile);
  for (const char* text : {"", "!!!"}) {
    const auto verdict = judge(text, text);
    EXPECT_EQ(verdict.distance, std::nullopt);
    EXPECT_FALSE(verdict.nominated);
    EXPECT_FALSE(verdict.near_duplicate);
  }
}

TEST(ShortText, WiderFingerprintsNominateFurther) {
  Profile profile;
  for (const auto& [bits, k] : {std::pair{64U, 12U}, std::pair{128U, 40U}, std::pair{256U, 88U}}) {
    profile.bits = bits;
    Fingerprint zero, some;
    zero.bits = some.bits = bits;
    for (unsigned i = 0; i < k; ++i) some.words[i % (bits / 64)] |= std::uint64_t{1} << i / (bits / 64);
    const ShortTextJudge judge(profile);
    EXPECT_TRUE(judge.nominates(zero, some)) << bits;
    some.words[0] |= std::uint64_t{1} << 63;
    EXPECT_FALSE(judge.nominates(zero, some)) << bits;
  }
}

TEST(ShortText, LimitsAreShares) {
  ShortTextRule rule;
  rule.edit_similarity = 60;
  EXPECT_THROW(ShortTextJudge(Profile{}, rule), Error);
}

}  // namespace
}  // namespace leitong
