// Segmenter: text to the words that a profile cuts it into; and the normal forms that come before.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "leitong/profile.h"

namespace leitong {

struct Word {
  std::string_view text;             // UTF-8; a surrogate without its partner stands as three bytes
  std::string_view part_of_speech;   // HanLP's nature, jieba's tag, IKAnalyzer's type; empty if there is none
  std::uint32_t begin = 0, end = 0;  // bytes of cut_text(); IKAnalyzer's and search words may overlap. Beyond its end
                                     // for words that stand nowhere in it (Jieba::Token)
};

// Reuses its buffers: make one a thread.
class Segmenter {
 public:
  // Error(io, format, unsupported) if the segmenter's compiled dictionary is missing, damaged or of another version.
  explicit Segmenter(const Profile& profile);
  ~Segmenter();
  Segmenter(Segmenter&&) noexcept;
  Segmenter& operator=(Segmenter&&) noexcept;

  // All words, stop words and punctuation included, exactly as the segmenter gives them. Valid until the next call. Linear time.
  [[nodiscard]] std::span<const Word> operator()(std::string_view utf8);
  // What the last text was before it was cut: normalised or cleaned as the profile says.
  [[nodiscard]] std::string_view cut_text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

enum class Width { as_it_is, half, full };
struct Normalization {
  bool casefold = false;          // NFKC_Casefold of Unicode 15.0, the normal form of all profiles of this library
  Width width = Width::as_it_is;  // article 001's: half: U+3000 to a space, U+FF01..FF5E to ASCII; full: ASCII the other way
  bool simplified = false;        // traditional Chinese characters to simplified ones, one for one, by Unihan
};
// The steps in the order of their fields. Surrogates without a partner (three bytes) stay, except under casefold: U+FFFD. Linear time.
[[nodiscard]] std::string normalize(std::string_view utf8, const Normalization& steps);

}  // namespace leitong
