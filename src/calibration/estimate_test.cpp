#include "calibration/estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace leitong::calibration {
namespace {

Cell cell(unsigned step, bool taken, std::uint64_t population, unsigned distance = 1) {
  return {step, taken, taken, distance, population, 1};
}

void label(Study& study, std::uint32_t of, Label label, int times = 1) {
  for (int i = 0; i < times; ++i) study.pairs.push_back({of, label});
}

bool everything(const Cell&) { return true; }

TEST(Precision, WeighsCellsByTheirPopulation) {
  Study study;
  study.cells = {cell(12, true, 900), cell(13, true, 100)};
  label(study, 0, Label::yes, 10);
  label(study, 1, Label::no, 10);
  const Precision p = precision_of(study, everything);
  EXPECT_DOUBLE_EQ(p.right.value, 0.9);
  EXPECT_EQ(p.population, 1000U);
  EXPECT_EQ(p.yes, 10U);
  EXPECT_EQ(p.no, 10U);
  EXPECT_NEAR(p.effective, 1 / (0.81 / 10 + 0.01 / 10), 1e-9);
}

TEST(Precision, CountsUnsureBothWays) {
  Study study;
  study.cells = {cell(12, true, 50)};
  label(study, 0, Label::yes, 6);
  label(study, 0, Label::no, 1);
  label(study, 0, Label::unsure, 3);
  label(study, 0, Label::none, 5);
  const Precision p = precision_of(study, everything);
  EXPECT_DOUBLE_EQ(p.right.value, 0.6);
  EXPECT_DOUBLE_EQ(p.if_unsure_right.value, 0.9);
  EXPECT_EQ(p.labels(), 10U);
  EXPECT_NEAR(p.right.interval.low, exact_interval(6, 10).low, 1e-9);
}

TEST(Precision, SpreadsCellsWithoutLabelsOverTheirHalfOfTheBand) {
  Study study;
  study.cells = {cell(12, true, 10, 0), cell(12, true, 10, 1), cell(13, true, 80, 2), cell(12, false, 50), cell(14, true, 50)};
  label(study, 0, Label::yes, 2);
  label(study, 1, Label::no, 2);
  label(study, 3, Label::no, 2);
  label(study, 4, Label::yes, 2);
  // The 80 stand for their own half, which says half and half, not for the refused or the next band.
  const Precision band = precision_of(study, [](const Cell& c) { return band_of(c.step) == 6 && c.taken; });
  EXPECT_TRUE(band.right.known);
  EXPECT_DOUBLE_EQ(band.right.value, 0.5);
  EXPECT_EQ(band.population, 100U);
  // Also if no label stands in the part asked for.
  EXPECT_DOUBLE_EQ(precision_of(study, [](const Cell& c) { return c.step == 13; }).right.value, 0.5);
}

TEST(Precision, DoesNotKnowWhatNobodyLabelled) {
  Study study;
  study.cells = {cell(12, true, 100), cell(16, true, 300)};
  label(study, 0, Label::none, 10);
  label(study, 1, Label::yes, 1000);
  EXPECT_FALSE(precision_of(study, [](const Cell& c) { return c.step == 12; }).right.known);
  const Estimate right = precision_of(study, everything).right;
  EXPECT_TRUE(right.known);
  EXPECT_NEAR(right.interval.low, 0.75, 0.01) << "the hundred may all be wrong";
  EXPECT_DOUBLE_EQ(right.interval.high, 1);
  EXPECT_FALSE(precision_of(Study{}, everything).right.known);
}

TEST(Thresholds, TakeWhatReachesThemAndIsNotRefused) {
  Study study;
  study.cells = {cell(12, true, 100), cell(14, true, 100), cell(14, false, 300)};
  label(study, 0, Label::no, 10);
  label(study, 1, Label::yes, 10);
  label(study, 2, Label::yes, 5);
  label(study, 2, Label::no, 5);
  const std::vector<Threshold> thresholds = thresholds_of(study);
  ASSERT_EQ(thresholds.size(), 2U);
  EXPECT_DOUBLE_EQ(thresholds[0].similarity, 0.6);
  EXPECT_DOUBLE_EQ(thresholds[0].precision.right.value, 0.5);
  EXPECT_DOUBLE_EQ(thresholds[1].precision.right.value, 1);
  EXPECT_NEAR(thresholds[1].recall.value, 100.0 / 250, 1e-12);
  EXPECT_LT(thresholds[1].recall.interval.low, 0.4);
  EXPECT_GT(thresholds[1].recall.interval.high, 0.4);
}

TEST(Thresholds, AddWhatWasNotNominated) {
  Study study;
  study.cells = {cell(12, true, 100), cell(16, true, 100)};
  study.cells[0].nominated = 0.5;
  label(study, 0, Label::yes, 10);
  label(study, 1, Label::yes, 10);
  const std::vector<Threshold> thresholds = thresholds_of(study);
  EXPECT_DOUBLE_EQ(thresholds[1].recall.value, 0.5);
  EXPECT_NEAR(thresholds[1].recall_of_all.value, 100.0 / 300, 1e-12);
  EXPECT_NEAR(thresholds[0].recall_of_all.value, 200.0 / 300, 1e-12);
  EXPECT_DOUBLE_EQ(thresholds[0].recall.value, 1);
}

TEST(Advise, TakesTheLowestThresholdThatShowsIt) {
  Study study;
  study.cells = {cell(10, true, 100), cell(12, true, 1000), cell(16, true, 1000)};
  label(study, 0, Label::no, 40);
  label(study, 1, Label::yes, 100);
  label(study, 2, Label::yes, 100);
  const Advice advice = advise(thresholds_of(study), 0.95);
  ASSERT_TRUE(advice.threshold);
  EXPECT_DOUBLE_EQ(*advice.threshold, 0.6);
}

TEST(Advise, SaysHowManyLabelsAreMissing) {
  Study study;
  study.cells = {cell(16, true, 1000)};
  label(study, 0, Label::yes, 40);
  const Advice advice = advise(thresholds_of(study), 0.95);
  EXPECT_FALSE(advice.threshold);
  ASSERT_TRUE(advice.nearest);
  EXPECT_DOUBLE_EQ(*advice.nearest, 0.8);
  EXPECT_GE(advice.more_labels, 32U);  // 72 or 73 of as many
  EXPECT_LE(advice.more_labels, 33U);
}

TEST(Advise, SaysWhenThereAreTooFewPairs) {
  Study study;
  study.cells = {cell(16, true, 50)};
  label(study, 0, Label::yes, 40);
  const Advice advice = advise(thresholds_of(study), 0.95);
  EXPECT_FALSE(advice.threshold || advice.nearest);
  EXPECT_TRUE(advice.too_few_pairs);
}

TEST(Advise, SaysWhenLabelsWouldNotHelp) {
  Study study;
  study.cells = {cell(16, true, 1000)};
  label(study, 0, Label::yes, 30);
  label(study, 0, Label::no, 10);
  const Advice advice = advise(thresholds_of(study), 0.95);
  EXPECT_FALSE(advice.threshold || advice.nearest);
  EXPECT_EQ(advice.more_labels, 0U);
  EXPECT_FALSE(advise({}, 0.95).nearest);
}

// Collections of which the truth is known: cells of unequal population, a truth of each. Thousands of times pairs are drawn and labelled as
// the truth has it; the intervals must hold the truth.
struct World {
  const char* name;
  std::uint32_t per_band;
  double skew;  // of the populations, natural logarithm
  double (*truth)(double similarity, bool taken, double luck);
  double labelled = 1;  // share of the pairs that get a label, at random
};

double rising(double similarity, bool taken, double luck) {
  return 1 / (1 + std::exp(-25 * (similarity - 0.62) - (taken ? 1.5 : -1.5) - (luck - 0.5)));
}

const World worlds[] = {
    {"all but certain", 8, 1, [](double, bool, double) { return 0.995; }},
    {"all but certain, many labels", 40, 2, [](double, bool, double luck) { return 0.97 + 0.03 * luck; }},
    {"hardly ever", 8, 1, [](double, bool, double) { return 0.01; }},
    {"hardly ever, unequal", 20, 3, [](double, bool, double luck) { return 0.05 * luck; }},
    {"one in two", 10, 1, [](double, bool, double) { return 0.5; }},
    {"rises with similarity", 8, 1, rising},
    {"rises with similarity, few low pairs", 20, 2.5, rising},
    {"rises with similarity, many labels", 40, 1, rising},
    {"nine in ten", 16, 2, [](double, bool, double luck) { return 0.85 + 0.1 * luck; }},
    {"rises with similarity, half of the pairs labelled", 24, 2, rising, 0.5},
    {"all but certain, half of the pairs labelled", 24, 2, [](double, bool, double luck) { return 0.96 + 0.04 * luck; }, 0.5},
};

struct Truth {
  double right = 0, all = 0;
};

class Simulation {
 public:
  explicit Simulation(const World& world, std::uint64_t seed) : random_(seed), share_labelled_(world.labelled) {
    std::normal_distribution<double> size(5, world.skew);
    std::uniform_real_distribution<double> luck;
    for (unsigned step = 8; step < steps; ++step)
      for (const bool taken : {true, false})
        for (unsigned distance = 0; distance < 4; ++distance) {
          const auto population = static_cast<std::uint64_t>(std::exp(size(random_)));
          if (population == 0 || (step >= 16 && !taken)) continue;
          study_.cells.push_back(cell(step, taken, population, distance));
          truth_.push_back(world.truth(least_of(step) + 0.025, taken, luck(random_)));
        }
    const auto counts = allocate(study_.cells, world.per_band);
    for (std::uint32_t c = 0; c < counts.size(); ++c) label(study_, c, Label::none, static_cast<int>(counts[c]));
  }

  const Study& labelled() {
    for (LabelledPair& pair : study_.pairs) {
      std::bernoulli_distribution right(truth_[pair.cell]), reached(share_labelled_);
      pair.label = !reached(random_) ? Label::none : right(random_) ? Label::yes : Label::no;
    }
    return study_;
  }

  [[nodiscard]] Truth truth(const Part& part) const {
    Truth sum;
    for (std::size_t c = 0; c < truth_.size(); ++c) {
      if (!part(study_.cells[c])) continue;
      sum.all += static_cast<double>(study_.cells[c].population);
      sum.right += truth_[c] * static_cast<double>(study_.cells[c].population);
    }
    return sum;
  }

 private:
  std::mt19937_64 random_;
  double share_labelled_;
  Study study_;
  std::vector<double> truth_;
};

class Coverage : public testing::TestWithParam<World> {};

TEST_P(Coverage, OfTheTruthIsAtLeast93Percent) {
  constexpr int labellings = 2000;
  const World& world = GetParam();
  Simulation simulation(world, 7);
  const Part parts[] = {
      [](const Cell& c) { return band_of(c.step) == 5; },
      [](const Cell& c) { return band_of(c.step) == 9; },
      [](const Cell& c) { return band_of(c.step) == 6 && c.taken; },
      [](const Cell& c) { return c.taken && c.step >= 11; },
      [](const Cell& c) { return c.taken && c.step >= 16; },
      [](const Cell& c) { return c.distance == 2; },
  };
  const double recall_from[] = {0.5, 0.7, 0.9};
  int precision_holds[std::size(parts)] = {}, recall_holds[std::size(recall_from)] = {};
  const auto holds = [](const Estimate& e, double truth) { return e.interval.low <= truth && truth <= e.interval.high; };
  const Truth all = simulation.truth(everything);
  for (int i = 0; i < labellings; ++i) {
    const Study& study = simulation.labelled();
    for (std::size_t p = 0; p < std::size(parts); ++p) {
      const Truth truth = simulation.truth(parts[p]);
      precision_holds[p] += holds(precision_of(study, parts[p]).right, truth.right / truth.all) ? 1 : 0;
    }
    for (std::size_t r = 0; r < std::size(recall_from); ++r) {
      const Part part = [&](const Cell& c) { return c.taken && least_of(c.step) >= recall_from[r] - 1e-9; };
      recall_holds[r] += holds(threshold_of(study, recall_from[r], part).recall, simulation.truth(part).right / all.right) ? 1 : 0;
    }
  }
  RecordProperty("least_precision", std::to_string(*std::min_element(std::begin(precision_holds), std::end(precision_holds))));
  RecordProperty("least_recall", std::to_string(*std::min_element(std::begin(recall_holds), std::end(recall_holds))));
  for (std::size_t p = 0; p < std::size(parts); ++p) EXPECT_GE(precision_holds[p], 0.93 * labellings) << "precision, part " << p;
  for (std::size_t r = 0; r < std::size(recall_from); ++r)
    EXPECT_GE(recall_holds[r], 0.93 * labellings) << "recall from " << recall_from[r];
}

INSTANTIATE_TEST_SUITE_P(Worlds, Coverage, testing::ValuesIn(worlds), [](const auto& tested) {
  std::string name = tested.param.name;
  std::erase_if(name, [](char c) { return c == ' ' || c == ','; });
  return name;
});

}  // namespace
}  // namespace leitong::calibration
