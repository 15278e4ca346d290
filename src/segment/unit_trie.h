// A trie of coded keys in a double array: 8 bytes a state hold all of it. Built once, then used where the file is mapped.
//
// Code 0 stands for every unit that no key holds: it leads nowhere. No two states share a base, so a cell need not name its parent: the
// code that leads to it tells it apart. Base 0, of a state without children and of nowhere, is no state's own, so nothing follows there.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace leitong::segment {

inline constexpr std::uint32_t no_value = 0xFFFFFFFF;

using TrieCell = std::uint64_t;  // base: 24 bits, code: 16 bits, value + 1: 24 bits; free: 0

// A view of cells that outlive it. Safe for any code below the number of codes that it was built with. A state is its cell.
class Trie {
 public:
  static constexpr TrieCell nowhere = 0;
  static constexpr unsigned base_bits = 24, code_bits = 16;
  static constexpr std::uint32_t base_mask = (1U << base_bits) - 1;

  static constexpr std::uint32_t base(TrieCell cell) { return static_cast<std::uint32_t>(cell) & base_mask; }
  static constexpr std::uint16_t code(TrieCell cell) { return static_cast<std::uint16_t>(cell >> base_bits); }
  static constexpr bool ends(TrieCell cell) { return cell >> (base_bits + code_bits) != 0; }
  static constexpr std::uint32_t value(TrieCell cell) { return static_cast<std::uint32_t>(cell >> (base_bits + code_bits)) - 1; }
  static constexpr TrieCell cell(std::uint32_t base, std::uint16_t code, std::uint32_t value) {
    return TrieCell{base} | TrieCell{code} << base_bits | TrieCell{value + 1} << (base_bits + code_bits);
  }

  Trie() = default;
  explicit Trie(const TrieCell* cells) : cells_(cells) {}

  [[nodiscard]] TrieCell root() const { return cells_[0]; }
  [[nodiscard]] TrieCell next(TrieCell state, std::uint16_t by) const { return child(base(state), by); }
  [[nodiscard]] TrieCell child(std::uint32_t of_base, std::uint16_t by) const {
    const TrieCell cell = cells_[of_base + by];
    return code(cell) == by ? cell : nowhere;
  }
  // Says that next() will be asked soon.
  void prefetch(TrieCell state, std::uint16_t by) const { __builtin_prefetch(cells_ + base(state) + by); }
  [[nodiscard]] TrieCell walk(TrieCell state, const std::uint16_t* codes, std::uint32_t length) const {
    for (std::uint32_t i = 0; i < length && state != nowhere; ++i) state = next(state, codes[i]);
    return state;
  }
  [[nodiscard]] std::uint32_t find(const std::uint16_t* codes, std::uint32_t length) const {
    const TrieCell state = walk(root(), codes, length);
    return ends(state) ? value(state) : no_value;
  }

 private:
  const TrieCell* cells_ = nullptr;
};

using CodedKey = std::pair<std::basic_string<char16_t>, std::uint32_t>;  // codes 1..codes-1, value below 2^24 - 1

// The cells of the keys (any order, no key empty, none twice). Error(limit) when there are more states than a base can name.
[[nodiscard]] std::vector<TrieCell> build_trie(std::vector<CodedKey> keys, std::uint32_t codes);

}  // namespace leitong::segment
