#include "segment/double_array.h"

#include <algorithm>
#include <bit>

#include "leitong/error.h"

namespace leitong::segment {
namespace {

struct TrieNode {
  std::uint32_t first_word, end_word;  // the sorted words below it
  std::uint32_t first_child = 0, child_count = 0;
  std::uint32_t value = 0;
  Label label = 0;
};

// Breadth first, so that the children of a node stand together.
std::vector<TrieNode> build_trie(const std::vector<LabelledWord>& words) {
  std::vector<TrieNode> trie{{0, static_cast<std::uint32_t>(words.size())}};
  std::size_t level_end = 1;
  for (std::size_t depth = 0, i = 0; i < trie.size(); ++depth, level_end = trie.size()) {
    for (; i < level_end; ++i) {
      std::uint32_t at = trie[i].first_word;
      const std::uint32_t end = trie[i].end_word;
      for (; at < end && words[at].labels.size() == depth; ++at) trie[i].value = words[at].value;
      trie[i].first_child = static_cast<std::uint32_t>(trie.size());
      while (at < end) {
        TrieNode child{at, at};
        child.label = words[at].labels[depth];
        while (at < end && words[at].labels[depth] == child.label) ++at;
        child.end_word = at;
        trie.push_back(child);
      }
      trie[i].child_count = static_cast<std::uint32_t>(trie.size()) - trie[i].first_child;
    }
  }
  return trie;
}

// Which slots are taken, as bits, so that 64 bases are tried at once.
class Slots {
 public:
  // Bit i: slot `from` + i is taken.
  std::uint64_t taken(std::size_t from) {
    const std::size_t word = from / 64, bit = from % 64;
    if (word + 2 > bits_.size()) bits_.resize(word + word / 2 + 2);
    return bit == 0 ? bits_[word] : bits_[word] >> bit | bits_[word + 1] << (64 - bit);
  }
  void take(std::size_t slot) {
    taken(slot);  // makes room
    bits_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }

 private:
  std::vector<std::uint64_t> bits_;
};

class Placement {
 public:
  Placement(const std::vector<TrieNode>& trie, std::size_t label_count) : trie_(trie), first_(label_count), start_(label_count) {
    for (std::size_t slot = 0; slot < label_count; ++slot) slots_.take(slot);
  }

  // The base of every node; crowded nodes first, so that only children fill the holes.
  std::vector<std::uint32_t> bases() {
    std::vector<std::uint32_t> order, base(trie_.size());
    for (std::uint32_t i = 1; i < trie_.size(); ++i) {
      if (trie_[i].child_count != 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return trie_[a].child_count > trie_[b].child_count; });
    std::uint32_t crowd = 0;
    for (const std::uint32_t i : order) {
      if (trie_[i].child_count != crowd) start_ = first_;  // fewer children may fit where more did not
      crowd = trie_[i].child_count;
      base[i] = place(trie_[i]);
    }
    return base;
  }

 private:
  std::uint32_t place(const TrieNode& node) {
    constexpr unsigned patience = 32;  // tries before the search starts further on for nodes as crowded as this
    const TrieNode* children = trie_.data() + node.first_child;
    std::size_t base = start_ - children[0].label;
    std::uint64_t free = 0;
    unsigned tries = 0;
    for (;; base += 64, ++tries) {
      free = ~std::uint64_t{0};
      for (std::uint32_t c = 0; free != 0 && c < node.child_count; ++c) free &= ~slots_.taken(base + children[c].label);
      if (free != 0) break;
    }
    if (tries > patience) start_ = base + children[0].label;
    base += static_cast<std::size_t>(std::countr_zero(free));
    if (base + 65536 >= root_parent) throw Error(ErrorCode::limit, "the dictionary has too many words for its compiled form");
    for (std::uint32_t c = 0; c < node.child_count; ++c) slots_.take(base + children[c].label);
    return static_cast<std::uint32_t>(base);
  }

  const std::vector<TrieNode>& trie_;
  Slots slots_;
  std::size_t first_, start_;
};

std::vector<Node> fill_slots(const std::vector<TrieNode>& trie, const std::vector<std::uint32_t>& base, std::size_t label_count) {
  const std::uint32_t last_base = *std::max_element(base.begin(), base.end());
  std::vector<Node> nodes(last_base + label_count, make_node(0, no_parent, 0));
  std::vector<std::uint32_t> slot(trie.size());
  for (std::uint32_t i = 0; i < trie.size(); ++i) {  // parents come before their children
    for (std::uint32_t c = trie[i].first_child; c < trie[i].first_child + trie[i].child_count; ++c) {
      slot[c] = base[i] + trie[c].label;
      nodes[slot[c]] = make_node(base[c], i == 0 ? root_parent : slot[i], trie[c].value);
    }
  }
  return nodes;
}

}  // namespace

std::vector<Node> build_double_array(std::vector<LabelledWord> words, std::size_t label_count) {
  std::stable_sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.labels < b.labels; });
  for (const LabelledWord& word : words) {
    if (word.value >> value_bits != 0)
      throw Error(ErrorCode::limit, "the dictionary has too many different frequencies for its compiled form");
  }
  const std::vector<TrieNode> trie = build_trie(words);
  return fill_slots(trie, Placement(trie, label_count).bases(), label_count);
}

}  // namespace leitong::segment
