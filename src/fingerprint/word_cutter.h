// A text to the words that a profile's SimHash is made of, in UTF-8.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "java/java_words.h"
#include "leitong/segment.h"
#include "segment/jieba.h"
#include "text/tokenize.h"

namespace leitong::fingerprint {

// One for each thread.
class WordCutter {
 public:
  // Error(io, format, unsupported) if the segmenter's dictionary cannot be had.
  explicit WordCutter(const Profile& profile);

  // All words, in order. Valid until the next call.
  std::span<const Word> operator()(std::string_view utf8);
  [[nodiscard]] std::string_view text() const { return text_; }  // that was cut
  [[nodiscard]] const segment::Jieba* jieba() const { return jieba_ ? &*jieba_ : nullptr; }

 private:
  [[nodiscard]] std::string normalised(std::string_view utf8) const;
  void cut_tokens(std::string_view utf8);
  void cut_jieba(std::string_view utf8);
  void cut_java(std::string_view utf8);

  WordKind kind_;
  bool normalise_, fold_traditional_;
  std::string text_;
  std::vector<Word> words_;
  text::Tokens tokens_;
  std::optional<segment::Jieba> jieba_;
  segment::Tokens jieba_words_;
  std::optional<java::JavaWords> java_;
  std::string java_bytes_;                   // the words, where they are no part of the text
  std::vector<std::uint32_t> java_offsets_;  // bytes of the text before each unit
};

}  // namespace leitong::fingerprint
