// A trie of coded keys in a double array: 8 bytes a state, values beside it. Built once, then used where the file is mapped.
//
// Code 0 stands for every unit that no key holds: it leads nowhere. A state without children has base 0.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace leitong::segment {

inline constexpr std::uint32_t kNoValue = 0xFFFFFFFF;

struct TrieCell {
  std::uint32_t base = 0;  // the highest bit: a key ends here
  std::uint32_t check = kNoValue;
};

// A view of cells that outlive it. Safe for any code below the number of codes that it was built with.
class Trie {
 public:
  static constexpr std::uint32_t kRoot = 0, kNowhere = 0xFFFFFFFF;

  Trie() = default;
  Trie(const TrieCell* cells, const std::uint32_t* values) : cells_(cells), values_(values) {}

  [[nodiscard]] std::uint32_t next(std::uint32_t state, std::uint16_t code) const {
    const std::uint32_t to = (cells_[state].base & kBaseBits) + code;
    return cells_[to].check == state ? to : kNowhere;
  }
  [[nodiscard]] bool ends(std::uint32_t state) const { return (cells_[state].base & kEndBit) != 0; }
  [[nodiscard]] std::uint32_t value(std::uint32_t state) const { return values_[state]; }
  [[nodiscard]] std::uint32_t find(const std::uint16_t* codes, std::uint32_t length) const {
    std::uint32_t state = kRoot;
    for (std::uint32_t i = 0; i < length; ++i) {
      state = next(state, codes[i]);
      if (state == kNowhere) return kNoValue;
    }
    return ends(state) ? values_[state] : kNoValue;
  }

  static constexpr std::uint32_t kEndBit = 0x80000000, kBaseBits = 0x7FFFFFFF;

 private:
  const TrieCell* cells_ = nullptr;
  const std::uint32_t* values_ = nullptr;
};

struct TrieArrays {
  std::vector<TrieCell> cells;
  std::vector<std::uint32_t> values;
};

using CodedKey = std::pair<std::basic_string<char16_t>, std::uint32_t>;  // codes 1..codes-1, value

// The arrays of the keys (any order, no key empty, none twice).
[[nodiscard]] TrieArrays build_trie(std::vector<CodedKey> keys, std::uint32_t codes);

}  // namespace leitong::segment
