// A text as an article's Java program sees it: UTF-16 units, cleaned where the program cleans, cut by HanLP or IKAnalyzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "java/java_preprocess.h"
#include "leitong/profile.h"
#include "segment/hanlp_segmenter.h"
#include "segment/ik.h"

namespace leitong::java {

// One for each thread. Views are valid until the next text.
class JavaWords {
 public:
  // Profile::words must be hanlp or ik. Errors as of find_data and of opening.
  explicit JavaWords(const Profile& profile);

  void set_text(std::string_view utf8);

  [[nodiscard]] std::u16string_view text() const { return cuts_cleaned_ ? cleaned_ : units_; }  // that was cut
  [[nodiscard]] std::size_t size() const { return hanlp_ ? natures_.size() : ik_words_.size(); }
  // IKAnalyzer's words are half-width and in lower case where it makes them so; else they are part of text().
  [[nodiscard]] std::u16string_view operator[](std::size_t i) const {
    return hanlp_ ? text().substr(natures_[i].offset, natures_[i].length) : ik_words_[i];
  }
  [[nodiscard]] std::uint32_t begin(std::size_t i) const { return hanlp_ ? natures_[i].offset : ik_words_.tokens[i].begin; }
  [[nodiscard]] std::uint32_t end(std::size_t i) const {
    return hanlp_ ? natures_[i].offset + natures_[i].length : ik_words_.tokens[i].end;
  }
  [[nodiscard]] std::string_view part_of_speech(std::size_t i) const;
  // HanLP only: what its CoreStopWordDictionary holds.
  [[nodiscard]] bool is_core_stop_word(std::size_t i) const { return hanlp_->is_stop_word((*this)[i]); }

 private:
  std::shared_ptr<const segment::HanlpData> hanlp_;
  std::optional<segment::HanlpSegmenter> segmenter_;
  std::optional<Cleaning001> cleaning_;
  std::shared_ptr<const segment::IkDictionary> ik_;
  std::u16string units_, cleaned_;
  bool cuts_cleaned_ = false;  // of the last text
  std::span<const segment::HanlpToken> natures_;
  segment::IkTokens ik_words_;
};

}  // namespace leitong::java
