#include "calibration/sample.h"

#include <gtest/gtest.h>

#include <numeric>

namespace leitong::calibration {
namespace {

TEST(Steps, HoldTheirLowerEnd) {
  for (unsigned step = 0; step < steps; ++step) {
    EXPECT_EQ(step_of(least_of(step)), step);
    EXPECT_EQ(step_of(static_cast<double>(static_cast<float>(least_of(step)))), step) << "kept in single precision";
  }
  EXPECT_EQ(step_of(0.6999), 13U);
  EXPECT_EQ(step_of(0.9999), 19U);
  EXPECT_EQ(step_of(1), 20U);
  EXPECT_EQ(band_of(19), 9U);
  EXPECT_EQ(band_of(20), 10U);
}

TEST(DistanceBands, GrowWithTheFingerprint) {
  EXPECT_EQ(distance_band(0, 64), 0U);
  EXPECT_EQ(distance_band(3, 64), 0U);
  EXPECT_EQ(distance_band(4, 64), 1U);
  EXPECT_EQ(distance_band(12, 64), 2U);
  EXPECT_EQ(distance_band(13, 64), 3U);
  EXPECT_EQ(distance_band(64, 64), 3U);
  EXPECT_EQ(distance_band(12, 256), 0U);
  EXPECT_EQ(distance_band(13, 256), 1U);
}

Cell cell(unsigned step, bool taken, unsigned distance, std::uint64_t population) { return {step, taken, taken, distance, population, 1}; }

TEST(Allocate, TakesABandWholeIfItIsSmall) {
  const std::vector<Cell> cells = {cell(12, true, 0, 3), cell(13, true, 1, 4), cell(13, false, 1, 2)};
  EXPECT_EQ(allocate(cells, 40), (std::vector<std::uint32_t>{3, 4, 2}));
}

TEST(Allocate, HalvesABandBetweenTakenAndRefused) {
  const std::vector<Cell> cells = {cell(12, true, 1, 100), cell(13, true, 1, 300), cell(12, false, 2, 1'000'000)};
  EXPECT_EQ(allocate(cells, 40), (std::vector<std::uint32_t>{5, 15, 20}));
}

TEST(Allocate, GivesToOneHalfWhatTheOtherLacks) {
  EXPECT_EQ(allocate(std::vector<Cell>{cell(12, true, 1, 5), cell(12, false, 2, 1000)}, 40), (std::vector<std::uint32_t>{5, 35}));
  EXPECT_EQ(allocate(std::vector<Cell>{cell(12, true, 1, 1000), cell(12, false, 2, 5)}, 40), (std::vector<std::uint32_t>{35, 5}));
}

TEST(Allocate, SeesRareCells) {
  const std::vector<Cell> cells = {cell(12, true, 0, 1), cell(12, true, 1, 1'000'000), cell(13, true, 2, 2)};
  const auto counts = allocate(cells, 10);
  EXPECT_EQ(counts[0], 1U);
  EXPECT_EQ(counts[2], 1U);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0U), 10U);
  EXPECT_EQ(allocate(cells, 1), (std::vector<std::uint32_t>{0, 1, 0}));
}

TEST(Allocate, NeverMoreThanThereAre) {
  const std::vector<Cell> cells = {cell(12, true, 0, 2), cell(12, true, 1, 9), cell(13, true, 2, 0), cell(20, true, 0, 1)};
  const auto counts = allocate(cells, 10);
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_LE(counts[i], cells[i].population);
  EXPECT_EQ(counts[0] + counts[1], 10U);
  EXPECT_EQ(counts[3], 1U);
  EXPECT_TRUE(allocate({}, 10).empty());
}

}  // namespace
}  // namespace leitong::calibration
