#include "pages/trees.h"

#include <algorithm>
#include <array>

namespace leitong::pages {
namespace {

constexpr std::size_t lanes = 8;  // rows that go down a tree together, so that the processor waits for none of them alone
constexpr std::size_t tile = 32;

// The leaf of each of `lanes` rows.
inline void descend(const TreeNode* nodes, unsigned depth, const Number* const* rows, std::array<std::uint32_t, lanes>& at) {
  at.fill(0);
  for (unsigned step = 0; step < depth; ++step) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const TreeNode& node = nodes[at[lane]];
      at[lane] = node.child[rows[lane][node.feature] > node.threshold ? 1 : 0];
    }
  }
}

std::uint32_t descend_one(const TreeNode* nodes, unsigned depth, const Number* row) {
  std::uint32_t at = 0;
  for (unsigned step = 0; step < depth; ++step) at = nodes[at].child[row[nodes[at].feature] > nodes[at].threshold ? 1 : 0];
  return at;
}

// Adds a leaf of each tree to the score of each row. So few rows that they stay in the nearest cache while all trees pass.
void add_leaves(const Trees& trees, std::span<const Number* const> rows, std::int32_t* scores) {
  std::array<std::uint32_t, lanes> leaf{};
  for (const TreePlace& tree : trees.trees) {
    const TreeNode* const nodes = trees.nodes.data() + tree.first;
    const std::int16_t* const values = trees.values.data() + tree.first;
    std::size_t i = 0;
    for (; i + lanes <= rows.size(); i += lanes) {
      descend(nodes, tree.depth, rows.data() + i, leaf);
      for (std::size_t lane = 0; lane < lanes; ++lane) scores[i + lane] += values[leaf[lane]];
    }
    for (; i < rows.size(); ++i) scores[i] += values[descend_one(nodes, tree.depth, rows[i])];
  }
}

}  // namespace

void score(const Trees& trees, std::span<const Number* const> rows, std::span<std::int32_t> scores) {
  std::fill(scores.begin(), scores.end(), 0);
  for (std::size_t i = 0; i < rows.size(); i += tile)
    add_leaves(trees, rows.subspan(i, std::min(tile, rows.size() - i)), scores.data() + i);
  for (std::int32_t& s : scores) s >>= 4;  // from 1/4096 to 1/256
}

}  // namespace leitong::pages
