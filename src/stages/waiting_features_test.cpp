#include "stages/waiting_features.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "records/read_input_test.h"

namespace leitong::stages {
namespace {

// With any budget, get() returns what was put until the last use, and no file remains afterwards.
TEST(WaitingFeatures, AreWhatWasPut) {
  const TemporaryDirectory directory;
  for (const std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{2} << 20, std::uint64_t{1} << 30}) {
    std::mt19937 engine(7);
    WaitingFeatures waiting(budget, directory / "waiting");
    std::vector<std::vector<std::uint32_t>> all;
    std::vector<std::uint32_t> scratch, places;
    std::size_t most_files = 0;
    for (std::uint32_t row = 0; row < 3000; ++row) {
      std::vector<std::uint32_t> features(engine() % 3000);
      for (auto& f : features) f = static_cast<std::uint32_t>(engine());
      places.push_back(waiting.put(features, 2));
      EXPECT_LE(places.back(), 600U) << "places that are free again are used again";
      all.push_back(features);
      const std::uint32_t earlier = row < 500 ? 0 : row - 500;  // row - 500 is used now and once more 100 rows later
      if (row >= 500) {
        const auto got = waiting.get(places[earlier], scratch);
        ASSERT_TRUE(std::equal(got.begin(), got.end(), all[earlier].begin(), all[earlier].end()));
        waiting.done(places[earlier]);
      }
      if (row >= 600) {
        const auto got = waiting.get(places[row - 600], scratch);
        ASSERT_TRUE(std::equal(got.begin(), got.end(), all[row - 600].begin(), all[row - 600].end()));
        waiting.done(places[row - 600]);
      }
      const auto files = std::filesystem::directory_iterator(directory.path());
      most_files = std::max(most_files, static_cast<std::size_t>(std::distance(begin(files), end(files))));
    }
    EXPECT_EQ(most_files > 0, budget < (1U << 30)) << "a small budget spills, a large one does not";
    EXPECT_LT(most_files, 40U) << "files that nothing waits for are removed";
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

}  // namespace
}  // namespace leitong::stages
