#include "fingerprint/word_cutter.h"

#include "segment/shared_data.h"
#include "text/normalize.h"
#include "text/utf16.h"

namespace leitong::fingerprint {
WordCutter::WordCutter(const Profile& profile)
    : kind_(profile.words),
      normalise_(profile.normalise && profile.program == Program::leitong),
      fold_traditional_(profile.fold_traditional && profile.program == Program::leitong) {
  if (kind_ == WordKind::tokens) return;
  if (kind_ == WordKind::hanlp || kind_ == WordKind::ik) {
    java_.emplace(profile);
    return;
  }
  jieba_.emplace(segment::shared_jieba(profile.data));
}

std::string WordCutter::normalised(std::string_view utf8) const {
  const std::string text = normalise_ ? text::nfkc_casefold(text::without_surrogates(utf8)) : std::string(utf8);
  return fold_traditional_ ? normalize(text, {.casefold = false, .width = Width::as_it_is, .simplified = true}) : text;
}

std::span<const Word> WordCutter::operator()(std::string_view utf8) {
  words_.clear();
  if (kind_ == WordKind::tokens) {
    cut_tokens(utf8);
  } else if (jieba_) {
    cut_jieba(utf8);
  } else {
    cut_java(utf8);
  }
  return words_;
}

void WordCutter::cut_tokens(std::string_view utf8) {
  text::tokenize(utf8, {.fold_traditional = fold_traditional_}, tokens_);
  text_.assign(tokens_.bytes.data(), tokens_.size() == 0 ? 0 : tokens_.tokens.back().end);
  for (const auto& [begin, end] : tokens_.tokens) words_.push_back({std::string_view(text_).substr(begin, end - begin), {}, begin, end});
}

void WordCutter::cut_jieba(std::string_view utf8) {
  text_ = normalised(utf8);
  // For jieba a surrogate is one character that is in no word, as U+FFFD is.
  const std::string hidden = text::without_surrogates(text_);
  switch (kind_) {
    case WordKind::jieba_all:
      jieba_->cut_all(hidden, jieba_words_);
      break;
    case WordKind::jieba_search:
      jieba_->cut_for_search(hidden, true, jieba_words_);
      break;
    default:
      jieba_->cut(hidden, kind_ == WordKind::jieba, jieba_words_);
  }
  for (std::size_t i = 0; i < jieba_words_.size(); ++i) {
    const text::Range range = jieba_words_.ranges()[i];
    const std::string_view word = jieba_words_.view(text_, i);
    words_.push_back({word, jieba_->tag(word), range.begin, range.end});
  }
}

void WordCutter::cut_java(std::string_view utf8) {
  java_->set_text(normalised(utf8));
  const std::u16string_view units = java_->text();
  text_.clear();
  java_offsets_.clear();
  for (std::size_t i = 0; i < units.size(); ++i) {
    java_offsets_.push_back(static_cast<std::uint32_t>(text_.size()));
    const bool pair = (units[i] & 0xFC00) == 0xD800 && i + 1 < units.size() && (units[i + 1] & 0xFC00) == 0xDC00;
    text::append_utf8(units.substr(i, pair ? 2 : 1), text_);
    // Within a pair: a word may end there, and its bytes are then not those of the text.
    if (pair) java_offsets_.push_back(java_offsets_.back()), ++i;
  }
  java_offsets_.push_back(static_cast<std::uint32_t>(text_.size()));
  java_bytes_.clear();
  std::size_t word_units = 0;
  for (std::size_t i = 0; i < java_->size(); ++i) word_units += (*java_)[i].size();
  java_bytes_.reserve(3 * word_units);  // so that it does not move under the views
  for (std::size_t i = 0; i < java_->size(); ++i) {
    const std::size_t at = java_bytes_.size();
    text::append_utf8((*java_)[i], java_bytes_);
    words_.push_back({std::string_view(java_bytes_).substr(at), java_->part_of_speech(i), java_offsets_[java_->begin(i)],
                      java_offsets_[std::min<std::size_t>(java_->end(i), units.size())]});
  }
}

}  // namespace leitong::fingerprint
