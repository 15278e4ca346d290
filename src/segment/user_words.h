// What a user added to the dictionary or took from it: a trie over code points that lies over the compiled one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace leitong::segment {

class UserWords {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Word {
    std::uint64_t frequency = 0;
    double log = 0;            // of max(frequency, 1)
    bool set = false;          // else only a prefix: the compiled dictionary tells, or 0
    bool force_split = false;  // once set to 0: the hidden Markov model may not make it either, even if it is set again
    std::string tag;
  };

  [[nodiscard]] bool empty() const { return words_.size() == 1; }
  void set(std::u32string_view word, std::uint64_t frequency, const std::string& tag);
  [[nodiscard]] const Word* find(std::u32string_view word) const;  // null if it is not even a prefix

  // Walking: the root is 0; `none` has no children.
  [[nodiscard]] std::uint32_t step(std::uint32_t from, char32_t c) const {
    if (from == none || (from == 0 && c < 65536 && (starts_[c >> 6] >> (c & 63) & 1) == 0)) return none;
    const auto found = children_.find(std::uint64_t{from} << 32 | c);
    return found == children_.end() ? none : found->second;
  }
  [[nodiscard]] const Word& word(std::uint32_t at) const { return words_[at]; }
  [[nodiscard]] bool any_force_split() const { return force_splits_ != 0; }
  [[nodiscard]] const std::uint64_t* ascii_marks() const { return ascii_marks_; }

 private:
  std::vector<Word> words_ = std::vector<Word>(1);
  std::unordered_map<std::uint64_t, std::uint32_t> children_;
  std::vector<std::uint64_t> starts_ = std::vector<std::uint64_t>(1024);  // first characters
  std::size_t force_splits_ = 0;
  std::uint64_t ascii_marks_[2] = {};
};

}  // namespace leitong::segment
