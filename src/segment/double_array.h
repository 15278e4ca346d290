// A trie as one array of 64-bit nodes: the child of node n by label l stands at base(n) + l if that slot's check says n.
//
// Slot l is the child of the root by label l, so the first step of a walk needs no check. Label 0 belongs to no character: it ends a
// walk without a test for the end of the text. A node without children has base 0, whose slots are the root's and never check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace leitong::segment {

using Label = char16_t;
using Node = std::uint64_t;  // base: 22 bits, check: 22 bits, value: 20 bits

inline constexpr unsigned node_bits = 22, value_bits = 20;
inline constexpr std::uint32_t no_parent = (1U << node_bits) - 1;  // of a free slot
inline constexpr std::uint32_t root_parent = no_parent - 1;        // of what begins words; no node stands there

constexpr std::uint32_t base_of(Node n) { return static_cast<std::uint32_t>(n) & no_parent; }
constexpr std::uint32_t check_of(Node n) { return static_cast<std::uint32_t>(n >> node_bits) & no_parent; }
constexpr std::uint32_t value_of(Node n) { return static_cast<std::uint32_t>(n >> 2 * node_bits); }  // 0: a prefix, no word
constexpr Node make_node(std::uint32_t base, std::uint32_t check, std::uint32_t value) {
  return Node{value} << 2 * node_bits | Node{check} << node_bits | base;
}

struct LabelledWord {
  std::u16string labels;  // none is 0; not empty
  std::uint32_t value;    // below 2^20
};

// `words` in any order; of equal ones the last counts. Every label is below `label_count` (at most 65,536). Any base plus any label is
// inside the result. Throws Error (limit) if the words do not fit into the bits of a node.
std::vector<Node> build_double_array(std::vector<LabelledWord> words, std::size_t label_count);

// The value of a word, or 0; `nodes` as built or checked.
template <typename Labels>
std::uint32_t find_value(const Node* nodes, const Labels& labels) {
  bool first = true;
  std::uint32_t at = 0;
  for (const auto label : labels) {
    const std::uint32_t next = first ? label : base_of(nodes[at]) + label;
    if (label == 0 || (!first && check_of(nodes[next]) != at)) return 0;
    at = next;
    first = false;
  }
  return first ? 0 : value_of(nodes[at]);
}

}  // namespace leitong::segment
