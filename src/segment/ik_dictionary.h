// The dictionaries of IKAnalyzer 3.2.8, compiled to one file that is mapped, not read: for every UTF-16 unit its code and class; a
// double-array trie over codes with one root for each of the six word lists.
// Thread-safe once opened. Opening checks the whole file: about a millisecond.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "segment/section_file.h"

namespace leitong::segment {

enum class IkList : std::uint8_t { main, surname, quantifier, suffix, preposition, stop };
inline constexpr std::size_t ik_list_count = 6;

using IkWords = std::array<std::vector<std::u16string>, ik_list_count>;  // by IkList; any order, repetitions do no harm

// What a unit can be; bits of the class half of a unit's entry.
enum IkClass : std::uint32_t {
  ik_cjk = 1U << 16,
  ik_letter = 1U << 17,       // A-Z, a-z
  ik_digit = 1U << 18,        // 0-9
  ik_connector = 1U << 19,    // + - _ . @ & / and the backslash
  ik_surname = 1U << 20,      // a whole word of the surname list
  ik_preposition = 1U << 21,  // a prefix of, or a whole, preposition
  ik_stop = 1U << 22,         // begins a stop word
  ik_number_shift = 24,       // three bits of number kind (IkNumber) from here
};

enum class IkNumber : std::uint8_t { none, arabic, arabic_middle, prefix, chinese, chinese_middle, suffix };

class IkDictionary {
 public:
  // A node of the trie.
  struct Node {
    std::uint32_t base;    // children stand at (base & base_mask) + code; bit 31: a word ends here; bit 30: has children
    std::uint32_t parent;  // no_parent: free
  };
  static constexpr std::uint32_t word_bit = 1U << 31, children_bit = 1U << 30, base_mask = children_bit - 1;
  static constexpr std::uint32_t none = 0xFFFFFFFF;  // not a node

  // Errors as of SectionFile.
  static IkDictionary open(const std::string& path);
  // A file in memory, as compile_ik() makes it.
  static IkDictionary from_bytes(std::vector<std::byte> bytes, const std::string& name);

  // Depends on the words only, not on their order, the files' line ends or the data file's layout.
  [[nodiscard]] ContentId content() const { return file_->content(); }
  [[nodiscard]] std::size_t words(IkList list) const { return word_counts_[static_cast<std::size_t>(list)]; }

  [[nodiscard]] std::uint32_t unit(char16_t c) const { return units_[c]; }
  [[nodiscard]] static std::uint32_t root(IkList list) { return static_cast<std::uint32_t>(list); }
  // The node that `unit` (an entry of unit()) leads to, or none.
  [[nodiscard]] std::uint32_t child(std::uint32_t node, std::uint32_t unit) const {
    const std::uint32_t to = (nodes_[node].base & base_mask) + (unit & 0xFFFF);
    return (unit & 0xFFFF) != 0 && nodes_[to].parent == node ? to : none;
  }
  [[nodiscard]] bool is_word(std::uint32_t node) const { return (nodes_[node].base & word_bit) != 0; }
  [[nodiscard]] bool has_children(std::uint32_t node) const { return (nodes_[node].base & children_bit) != 0; }
  // The raw entry, for callers that test both bits or go on from it. A child of `node` is at (bits(node) & base_mask) + code, and only it
  // names `node` as its parent.
  [[nodiscard]] const Node& entry(std::uint32_t node) const { return nodes_[node]; }
  // Fetches what a word of the main list that begins with these two units would be looked up by. The trie is larger than the inner caches,
  // and most pairs are in no word: without this, waiting for them is most of the segmenter's time.
  void prefetch_pair(char16_t first, char16_t second) const {
    const std::uint32_t to = (nodes_[root(IkList::main)].base & base_mask) + (units_[first] & 0xFFFF);
    __builtin_prefetch(&nodes_[(nodes_[to].base & base_mask) + (units_[second] & 0xFFFF)]);
  }

 private:
  explicit IkDictionary(std::unique_ptr<const SectionFile> file);

  std::unique_ptr<const SectionFile> file_;
  const std::uint32_t* units_ = nullptr;
  const Node* nodes_ = nullptr;
  std::span<const std::uint32_t> word_counts_;
};

// The bytes of the data file. Empty words are left out. Throws Error (limit) beyond 30 bits of nodes, (usage) without any word in the main
// list.
[[nodiscard]] std::vector<std::byte> compile_ik(const IkWords& words);

}  // namespace leitong::segment
