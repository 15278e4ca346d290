#include "candidates/band_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace leitong::candidates {
namespace {

constexpr SketchShape shape = {320, 256, 120};

// The share of simulated pairs of sketches that the bands and the filter let pass.
double simulated(double similarity, const BandPlan& plan, int rounds) {
  std::mt19937_64 random(11);
  std::bernoulli_distribution same(bigram_similarity(similarity));
  std::uniform_int_distribution<unsigned> value(0, shape.values - 1);
  int found = 0;
  for (int round = 0; round < rounds; ++round) {
    unsigned distance = 0, run = 0;
    bool banded = false;
    for (unsigned slot = 0; slot < shape.slots; ++slot) {
      const unsigned a = value(random), b = same(random) ? a : value(random);
      distance += (a ^ b) & 1;
      run = a == b ? run + 1 : 0;
      if (slot % plan.slots == 0) run = a == b ? 1 : 0;
      banded |= slot % plan.slots + 1 == plan.slots && run == plan.slots && slot / plan.slots < plan.bands;
    }
    found += banded && distance <= shape.max_distance ? 1 : 0;
  }
  return static_cast<double>(found) / rounds;
}

TEST(BandPlan, PredictsWhatASimulationFinds) {
  constexpr int rounds = 3'000;
  for (const BandPlan plan : {BandPlan{106, 3}, BandPlan{80, 4}, BandPlan{64, 5}, BandPlan{53, 6}, BandPlan{20, 8}}) {
    for (const double similarity : {0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.95}) {
      const double predicted = predicted_recall(similarity, plan, shape), found = simulated(similarity, plan, rounds);
      EXPECT_NEAR(predicted, found, 4 * std::sqrt(predicted * (1 - predicted) / rounds) + 1e-4) << plan.slots << " " << similarity;
    }
  }
}

TEST(BandRecall, ClosedForm) {
  EXPECT_DOUBLE_EQ(band_recall(0, 80, 4), 0);
  EXPECT_DOUBLE_EQ(band_recall(1, 80, 4), 1);
  EXPECT_DOUBLE_EQ(band_recall(0.5, 1, 1), 0.5);
  EXPECT_DOUBLE_EQ(band_recall(0.5, 2, 2), 1 - 0.75 * 0.75);
  EXPECT_NEAR(band_recall(0.6, 80, 4), 0.99998, 1e-5);
}

TEST(BandPlan, WithoutTheFilterItIsTheBandsRecall) {
  const SketchShape open = {320, 1U << 31, 320};
  for (const double similarity : {0.5, 0.7, 0.9})
    EXPECT_NEAR(predicted_recall(similarity, {80, 4}, open), band_recall(bigram_similarity(similarity), 80, 4), 1e-6);
  EXPECT_EQ(predicted_recall(1, {80, 4}, open), 1);
  EXPECT_EQ(predicted_recall(1, {80, 4}, shape), 1);
}

// Of 3,000 tokens every fifth is another one in the second text: counted, not derived.
TEST(BandPlan, BigramsOfTextsThatDifferHereAndThere) {
  constexpr double tokens = 3000, edited = tokens / 5;
  const double unigrams = tokens - edited, bigrams = tokens - 2 * edited;  // in both texts
  const double all = (unigrams + bigrams) / (4 * tokens - unigrams - bigrams), pairs = bigrams / (2 * tokens - bigrams);
  EXPECT_NEAR(bigram_similarity(all), pairs, 1e-12);
  EXPECT_EQ(bigram_similarity(1), 1);
  EXPECT_EQ(bigram_similarity(0.1), 0);
}

TEST(BandPlan, AGoalTakesTheLongestBandsThatReachIt) {
  unsigned last = 0;
  for (const double similarity : {0.5, 0.6, 0.7, 0.8, 0.9, 0.95}) {
    const auto plan = plan_bands(1'000'000, RecallGoal{similarity, 0.99}, shape);
    ASSERT_TRUE(plan) << similarity;
    EXPECT_LE(plan->bands * plan->slots, shape.slots);
    EXPECT_GE(predicted_recall(similarity, *plan, shape), 0.99);
    EXPECT_LT(predicted_recall(similarity, {plan->bands - 1, plan->slots}, shape), 0.99) << "no band too many";
    if (plan->slots < 16) {
      EXPECT_LT(predicted_recall(similarity, {shape.slots / (plan->slots + 1), plan->slots + 1}, shape), 0.99) << "no longer bands";
    }
    EXPECT_GE(plan->slots, last) << "more similar texts allow longer bands";
    last = plan->slots;
  }
  EXPECT_FALSE(plan_bands(1000, RecallGoal{0.2, 0.999}, shape)) << "the filter alone loses more";
}

TEST(BandPlan, WithoutAGoalBandsGrowWithTheRows) {
  EXPECT_EQ(plan_bands(1000, {}, shape)->slots, 3U);
  EXPECT_EQ(plan_bands(1000, {}, shape)->bands, 106U);
  EXPECT_EQ(plan_bands(1'000'000, {}, shape)->bands, 80U);
  EXPECT_EQ(plan_bands(10'000'000, {}, shape)->bands, 64U);
  EXPECT_EQ(plan_bands(1'000'000'000, {}, shape)->bands, 53U);
}

}  // namespace
}  // namespace leitong::candidates
