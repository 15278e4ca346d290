// The cleaning of article 001's programs, and its steps one by one. All on UTF-16 units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::fingerprint {

// U+3000 becomes a space, U+FF01..FF5E their ASCII twins.
void to_half_width(std::u16string& text);
// The article's reverse: a space becomes U+3000, everything else below U+007F (control characters too) moves up by 0xFEE0.
void to_full_width(std::u16string& text);

// Strings that stand for others, such as traditional words for simplified ones. Fill it, then use it from any number of threads.
class Replacements {
 public:
  Replacements() : first_(65536, none) {}
  // A key that is there already takes the new value. Empty keys are ignored.
  void add(std::u16string_view key, std::u16string_view value);
  // Appends `text` with every key replaced, from left to right, the longest key at each place. Time: length times the longest key.
  void append(std::u16string_view text, std::u16string& out) const;

  struct Match {
    std::size_t length = 0;  // of the key; 0: none begins here
    std::u16string_view value;
  };
  // The longest key at `at`, reading unit i of the text as read(i) and nothing from `size` on.
  template <typename Read>
  [[nodiscard]] Match longest(std::size_t at, std::size_t size, Read read) const;
  [[nodiscard]] bool begins(char16_t c) const { return first_[c] != none; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::u16string key, value;
    std::uint32_t next;  // with the same first unit, not longer
  };
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  std::vector<std::uint32_t> first_;  // by first unit
  std::vector<Entry> entries_;
};

template <typename Read>
Replacements::Match Replacements::longest(std::size_t at, std::size_t size, Read read) const {
  for (std::uint32_t i = first_[read(at)]; i != none; i = entries_[i].next) {
    const std::u16string& key = entries_[i].key;
    if (key.size() > size - at) continue;
    std::size_t same = 1;
    while (same < key.size() && key[same] == read(at + same)) ++same;
    if (same == key.size()) return {same, entries_[i].value};
  }
  return {};
}

// preprocessData of article 001: a blank text as it is; otherwise half width, `simplified` applied, and of that U+4E00..9FA5 only.
// Replaces `out`.
void preprocess_001(std::u16string_view text, const Replacements& simplified, std::u16string& out);

}  // namespace leitong::fingerprint
