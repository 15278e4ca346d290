// Each share and item once, and failures after all threads have ended.
#include "hamming/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace leitong::hamming {
namespace {

TEST(Threads, EachRunsOnce) {
  std::vector<int> runs(5);
  on_threads(5, [&](unsigned thread) { ++runs[thread]; });
  EXPECT_EQ(runs, std::vector<int>(5, 1));
}

TEST(Threads, SharesAreTheRangeInOrder) {
  for (const std::uint32_t count : {0U, 1U, 3U, 4U, 1003U, 0xffffffffU}) {
    std::vector<std::uint32_t> begins(4), ends(4);
    in_shares(4, count, [&](unsigned thread, std::uint32_t begin, std::uint32_t end) { begins[thread] = begin, ends[thread] = end; });
    EXPECT_EQ(begins[0], 0U);
    for (std::size_t thread = 1; thread < 4; ++thread) EXPECT_EQ(begins[thread], ends[thread - 1]);
    EXPECT_EQ(ends[3], count);
    for (std::size_t thread = 0; thread < 4; ++thread) EXPECT_LE(ends[thread] - begins[thread], count / 4 + 1);
  }
}

TEST(Threads, EachItemIsTakenOnce) {
  for (const std::uint32_t items : {0U, 1U, 2U, 1000U}) {
    std::vector<int> runs(items);
    run_items(3, items, [&](unsigned thread, std::uint32_t item) {
      EXPECT_LT(thread, 3U);
      ++runs[item];
    });
    EXPECT_EQ(runs, std::vector<int>(items, 1));
  }
}

TEST(Threads, AFailureIsThrownOnceAllHaveEnded) {
  std::atomic<int> ended = 0;
  try {
    on_threads(4, [&](unsigned thread) {
      if (thread == 2) throw std::runtime_error("thread " + std::to_string(thread));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ++ended;
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "thread 2");
  }
  EXPECT_EQ(ended, 3);
}

TEST(Threads, AFailureKeepsTheRestFromBeingBegun) {
  std::size_t begun = 0;
  const auto fail_at_10 = [&](unsigned, std::size_t item) {
    ++begun;
    if (item == 10) throw std::runtime_error("ten");
  };
  EXPECT_THROW(run_items(1, std::size_t{1000}, fail_at_10), std::runtime_error);
  EXPECT_EQ(begun, 11U);
}

TEST(Threads, StepsBeginWhenAllHaveEndedTheOneBefore) {
  constexpr unsigned thread_count = 4;
  std::atomic<int> done = 0;
  std::atomic<bool> early = false;
  run_team(thread_count, [&](unsigned, Steps& steps) {
    for (int round = 1; round <= 100; ++round) {
      EXPECT_TRUE(steps.step([&] { ++done; }));
      EXPECT_TRUE(steps.step([&] {
        if (done < round * static_cast<int>(thread_count)) early = true;
      }));
    }
  });
  EXPECT_FALSE(early);
  EXPECT_EQ(done, 400);
}

// A thread that fails right after a step while others are still leaving it: nobody may wait for those who went.
TEST(Threads, AFailedStepIsTheLastForAll) {
  for (int round = 0; round < 300; ++round) {
    std::atomic<int> after = 0;
    const auto work = [&](unsigned thread, Steps& steps) {
      for (int i = 0; i < 3; ++i) {
        if (!steps.step([] {})) return;
      }
      const bool well = steps.step([&] {
        if (thread == 1) throw std::runtime_error("full");
      });
      EXPECT_FALSE(well);
      if (well && steps.step([&] { ++after; })) ++after;
    };
    EXPECT_THROW(run_team(3, work), std::runtime_error);
    EXPECT_EQ(after, 0);
  }
}

TEST(Threads, AFailureBetweenStepsEndsTheTeam) {
  const auto work = [&](unsigned thread, Steps& steps) {
    if (thread == 2) throw std::runtime_error("no memory");
    while (steps.step([] {})) {
    }
  };
  EXPECT_THROW(run_team(4, work), std::runtime_error);
}

}  // namespace
}  // namespace leitong::hamming
