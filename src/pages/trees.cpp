#include "pages/trees.h"

#include <array>

namespace leitong::pages {
namespace {

constexpr std::size_t lanes = 8;  // rows that go down a tree together, so that the processor waits for none of them alone

// The leaf of each of `lanes` rows.
inline void descend(const TreeNode* nodes, unsigned depth, const Number* rows, std::size_t stride, std::array<std::uint32_t, lanes>& at) {
  at.fill(0);
  for (unsigned step = 0; step < depth; ++step) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const TreeNode& node = nodes[at[lane]];
      at[lane] = node.child[rows[lane * stride + node.feature] > node.threshold ? 1 : 0];
    }
  }
}

std::uint32_t descend_one(const TreeNode* nodes, unsigned depth, const Number* row) {
  std::uint32_t at = 0;
  for (unsigned step = 0; step < depth; ++step) at = nodes[at].child[row[nodes[at].feature] > nodes[at].threshold ? 1 : 0];
  return at;
}

}  // namespace

void score(const Trees& trees, const Number* rows, std::size_t count, std::size_t stride, std::vector<std::int32_t>& scores) {
  scores.assign(count, 0);
  std::array<std::uint32_t, lanes> leaf{};
  for (const TreePlace& tree : trees.trees) {
    const TreeNode* const nodes = trees.nodes.data() + tree.first;
    const std::int16_t* const values = trees.values.data() + tree.first;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      descend(nodes, tree.depth, rows + i * stride, stride, leaf);
      for (std::size_t lane = 0; lane < lanes; ++lane) scores[i + lane] += values[leaf[lane]];
    }
    for (; i < count; ++i) scores[i] += values[descend_one(nodes, tree.depth, rows + i * stride)];
  }
  for (std::int32_t& s : scores) s >>= 4;  // from 1/4096 to 1/256
}

}  // namespace leitong::pages
