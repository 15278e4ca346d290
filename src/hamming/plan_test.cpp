// A plan must satisfy the general pigeonhole whatever it costs: disjoint blocks, thresholds that add up, masks inside the usable bits.
#include "hamming/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace leitong::hamming {
namespace {

Frame whole_frame(unsigned words, int limit, std::uint64_t usable = ~std::uint64_t{0}) {
  Frame frame;
  for (unsigned w = 0; w < words; ++w) frame.usable.word[w] = usable;
  frame.limit = limit;
  return frame;
}

TEST(Plan, BlocksAreDisjointAndThresholdsAddUp) {
  for (const unsigned words : {1U, 2U, 4U}) {
    for (int k = 0; k <= 30; ++k) {
      for (const std::uint64_t n : {3ULL, 100ULL, 10'000ULL, 1'000'000ULL, 100'000'000ULL, 4'000'000'000ULL}) {
        for (const std::uint64_t usable : {~std::uint64_t{0}, std::uint64_t{0xffffffffffff}, std::uint64_t{0x9249249249249249}}) {
          const Frame frame = whole_frame(words, k, usable);
          const Plan plan = make_plan(frame, n, words);
          if (plan.blocks.empty()) continue;
          int units = 0;
          BitSet used;
          for (const Block& block : plan.blocks) {
            ASSERT_LT(block.word, words);
            ASSERT_LE(block.shift + block.span, 64U);
            ASSERT_LE(block.span, 24U);
            ASSERT_NE(block.mask, 0U);
            ASSERT_LT(block.mask, std::uint64_t{1} << block.span);
            ASSERT_EQ(used.word[block.word] & block.placed_mask(), 0U);
            ASSERT_EQ(block.placed_mask() & ~usable, 0U);
            used.word[block.word] |= block.placed_mask();
            units += static_cast<int>(block.threshold) + 1;
          }
          ASSERT_EQ(units, k + 1);
        }
      }
    }
  }
}

TEST(Plan, FewRowsAndHopelessLimitsAreScanned) {
  EXPECT_TRUE(make_plan(whole_frame(1, 3), 10, 1).blocks.empty());
  EXPECT_TRUE(make_plan(whole_frame(2, 60), 100'000, 2).blocks.empty());
  EXPECT_FALSE(make_plan(whole_frame(1, 3), 1'000'000, 1).blocks.empty());
  EXPECT_FALSE(make_plan(whole_frame(4, 8), 1'000'000, 4).blocks.empty());
}

TEST(Plan, ClausesElsewhereTightenTheBudgetOnce) {
  Frame frame = whole_frame(1, 3);
  frame.clauses = {{0, 0xffff, 1}, {0, 0xff00, 1}, {0, 0xffff0000, 1}};
  BitSet top, low;
  top.word[0] = 0xffffffff00000000U;
  low.word[0] = 0xff;
  EXPECT_EQ(frame.budget(top), 1);  // the second clause overlaps the first and may be fulfilled by the same bit
  EXPECT_EQ(frame.budget(low), 1);  // the first overlaps the region
  frame.frozen.word[0] = 0xffff0000;
  EXPECT_EQ(frame.budget(top), 2);  // what frozen bits fulfil is not paid from the limit
}

TEST(Plan, DeltasAreTheBallAroundZeroInsideTheMask) {
  const Block block{.word = 0, .shift = 5, .span = 6, .mask = 0b101101, .threshold = 2};
  const std::vector<std::uint32_t> deltas = block_deltas(block);
  ASSERT_EQ(deltas.size(), 1U + 4 + 6);
  EXPECT_EQ(deltas[0], 0U);
  for (const std::uint32_t d : deltas) {
    EXPECT_EQ(d & ~block.mask, 0U);
    EXPECT_LE(std::popcount(d), 2);
    EXPECT_EQ(std::count(deltas.begin(), deltas.end(), d), 1);
  }
}

// Table i of the articles' four blocks: every earlier block has used up a bit.
TEST(Plan, LaterTablesHaveTighterFilters) {
  Frame frame = whole_frame(1, 3);
  int last = 4;
  for (unsigned i = 0; i < 4; ++i) {
    const Block block{.word = 0, .shift = 16 * i, .span = 16, .mask = 0xffff, .threshold = 0};
    const Filter filter = choose_filter(frame, &block, 1);
    EXPECT_EQ((filter.mask << filter.shift) & block.placed_mask(), 0U);
    EXPECT_LE(filter.limit, last);
    last = filter.limit;
    frame.clauses.push_back({0, block.placed_mask(), 1});
  }
  EXPECT_LE(last, 1);
}

}  // namespace
}  // namespace leitong::hamming
