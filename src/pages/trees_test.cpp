#include "pages/trees.h"

#include <gtest/gtest.h>

#include <random>

namespace leitong::pages {
namespace {

// One row, one tree at a time, until a leaf: a node that is its own child.
std::int32_t plain_score(const Trees& trees, const Number* row) {
  std::int32_t sum = 0;
  for (const TreePlace& tree : trees.trees) {
    std::size_t at = 0;
    const auto node = [&] { return trees.nodes[tree.first + at]; };
    while (node().child[0] != at) at = row[node().feature] <= node().threshold ? node().child[0] : node().child[1];
    sum += trees.values[tree.first + at];
  }
  return sum >= 0 ? sum / 16 : -((-sum + 15) / 16);
}

TEST(Trees, ScoreAsThePlainWalkDoes) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> small(-3, 40), large(-32767, 32767);
  for (const Trees* trees : {&model.first, &model.article, &model.page}) {
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 61U}) {
      std::vector<Number> rows(count * width);
      for (Number& number : rows) number = static_cast<Number>(random() % 4 == 0 ? large(random) : small(random));
      std::vector<const Number*> begins;
      for (std::size_t i = 0; i < count; ++i) begins.push_back(rows.data() + i * width);
      std::vector<std::int32_t> scores(count, 77);
      score(*trees, begins, scores);
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(scores[i], plain_score(*trees, rows.data() + i * width));
    }
  }
}

TEST(Trees, OfTheModelAreWhole) {
  for (const Trees* trees : {&model.first, &model.article, &model.page, &model.choice}) {
    const unsigned numbers = trees == &model.first ? first_stage : trees == &model.choice ? page_numbers : width;
    ASSERT_FALSE(trees->trees.empty());
    ASSERT_EQ(trees->nodes.size(), trees->values.size());
    for (std::size_t t = 0; t < trees->trees.size(); ++t) {
      const std::size_t first = trees->trees[t].first, end = t + 1 < trees->trees.size() ? trees->trees[t + 1].first : trees->nodes.size();
      std::vector<unsigned> depth(end - first, 0);
      for (std::size_t n = first; n < end; ++n) {
        const TreeNode& node = trees->nodes[n];
        EXPECT_LT(node.feature, numbers);
        if (node.child[0] == n - first) {
          EXPECT_EQ(node.child[1], n - first);
          EXPECT_LE(depth[n - first], trees->trees[t].depth);
          continue;
        }
        EXPECT_EQ(trees->values[n], 0);
        for (const std::uint8_t child : node.child) {
          ASSERT_LT(child, end - first);
          ASSERT_GT(child, n - first);  // no circle
          depth[child] = depth[n - first] + 1;
        }
      }
    }
  }
}

}  // namespace
}  // namespace leitong::pages
