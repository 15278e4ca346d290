// The trained trees as constants. A tree's node n has a feature and a threshold: a row whose number there is at most the threshold goes on
// with the left child, else with the right one; a leaf is its own child. Whoever takes `depth` steps from node 0 stands on a leaf.
#pragma once

#include <cstdint>
#include <span>

namespace leitong::pages {

struct TreeNode {
  std::int16_t threshold;
  std::uint8_t feature;
  std::uint8_t child[2];  // left, right
  constexpr TreeNode(std::int16_t t, std::uint8_t f, std::uint8_t left, std::uint8_t right)
      : threshold(t), feature(f), child{left, right} {}
};

struct TreePlace {
  std::uint32_t first;  // its node 0
  std::uint8_t depth;
};

struct Trees {
  std::span<const TreePlace> trees;
  std::span<const TreeNode> nodes;
  std::span<const std::int16_t> values;  // of the nodes, in 1/4096 of a logarithm of odds; 0 where the node is no leaf
  std::int32_t cut = 0;                  // in 1/256: a score of at least this much is a yes
};

struct ModelTable {
  const char* id;  // frozen: other trees or other numbers are another model
  Trees first, article, page, choice;
};

extern const ModelTable model;

}  // namespace leitong::pages
