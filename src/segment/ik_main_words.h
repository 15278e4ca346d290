// The words of the main dictionary in one window of IK: for each unit, those that end there. Only for the ik*.cpp files.
//
// All prefixes of one length are looked up in one pass, then those that go on in the next: loops without branches that cannot be
// foreseen. The trie is larger than the nearer caches; what a pass will read, the pass before it has fetched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "segment/ik_dictionary.h"

namespace leitong::segment {

inline constexpr std::size_t ik_window_size = 3072;

class IkMainWords {
 public:
  static constexpr std::uint32_t none = 0;  // no word

  // `units` as they are in the text, at most ik_window_size; replaces what an earlier window had.
  void find(const IkDictionary& dictionary, const char16_t* units, std::uint32_t count);

  // Of a unit: normalised, and its entry then.
  [[nodiscard]] char16_t unit(std::uint32_t at) const { return units_[at]; }
  [[nodiscard]] std::uint32_t entry(std::uint32_t at) const { return entries_[at]; }
  // Whether a word or a prefix of one begins here; whether a prefix of a longer word ends here.
  [[nodiscard]] bool begins(std::uint32_t at) const { return (marks_[at] & begins_here) != 0; }
  [[nodiscard]] bool goes_on(std::uint32_t at) const { return (marks_[at] & goes_on_here) != 0; }
  // The words that end here, the longest first: the first one, the next one, and where it begins.
  [[nodiscard]] std::uint32_t longest(std::uint32_t end) const { return longest_[end]; }
  [[nodiscard]] std::uint32_t shorter(std::uint32_t word) const { return words_[word].shorter; }
  [[nodiscard]] std::uint32_t begin(std::uint32_t word) const { return words_[word].begin; }

 private:
  enum Mark : std::uint8_t { goes_on_here = 1, begins_here = 2 };
  struct Prefix {
    std::uint32_t begin, node, next;  // `next`: where the node's child by the unit behind it would be
  };
  struct Word {
    std::uint32_t begin, shorter;
  };
  template <class T>
  using Buffer = std::unique_ptr<T[]>;

  std::size_t find_first(const IkDictionary& dictionary, std::uint32_t count);
  std::size_t lengthen(const IkDictionary& dictionary, std::size_t prefixes, std::uint32_t length);

  // One more for what stands behind the last unit.
  Buffer<char16_t> units_ = std::make_unique_for_overwrite<char16_t[]>(ik_window_size);
  Buffer<std::uint32_t> entries_ = std::make_unique_for_overwrite<std::uint32_t[]>(ik_window_size);
  Buffer<std::uint16_t> codes_ = std::make_unique_for_overwrite<std::uint16_t[]>(ik_window_size + 1);  // 0 for what is not CJK
  Buffer<std::uint8_t> marks_ = std::make_unique_for_overwrite<std::uint8_t[]>(ik_window_size + 1);
  Buffer<std::uint32_t> longest_ = std::make_unique_for_overwrite<std::uint32_t[]>(ik_window_size + 1);
  Buffer<Prefix> prefixes_ = std::make_unique_for_overwrite<Prefix[]>(ik_window_size + 1);
  std::vector<Word> words_;  // from 1 on
  std::uint32_t word_count_ = 1;
};

}  // namespace leitong::segment
