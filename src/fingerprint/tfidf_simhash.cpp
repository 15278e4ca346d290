#include "fingerprint/tfidf_simhash.h"

#include <algorithm>

#include "fingerprint/java_hash.h"

namespace leitong::fingerprint {

bool is_invalid_word(std::u16string_view word) {
  if (word.size() < 2) return true;
  const char16_t last = word.back();
  if (last == u'年' || last == u'|' || last == u'月' || last == u'日') word.remove_suffix(1);
  return std::all_of(word.begin(), word.end(), [](char16_t c) { return c >= u'0' && c <= u'9'; });
}

void TfIdfSimHash::clear() {
  counted_.clear();
  weighed_.clear();
  counts_.clear();
  without_spaces_.clear();
  order_.clear();
  words_.clear();
  ballots_.clear();
  vote_ = DoubleVote();
  seen_count_ = 0;
  if (++text_ == 0) {  // the numbers of texts begin again
    std::fill(seen_.begin(), seen_.end(), Seen{});
    text_ = 1;
  }
}

std::size_t TfIdfSimHash::seen_place(std::u16string_view word, std::uint32_t java_hash) const {
  const std::size_t mask = seen_.size() - 1;
  for (std::size_t at = (java_hash * 0x9E3779B1U >> 7) & mask;; at = (at + 1) & mask) {
    const Seen& seen = seen_[at];
    if (seen.text != text_ || (seen.java_hash == java_hash && seen.word == word)) return at;
  }
}

void TfIdfSimHash::grow_seen() {
  std::vector<Seen> old(2 * seen_.size());
  old.swap(seen_);
  for (const Seen& seen : old) {
    if (seen.text == text_) seen_[seen_place(seen.word, seen.java_hash)] = seen;
  }
}

std::uint32_t TfIdfSimHash::item_of_new(std::u16string_view word, std::uint32_t java_hash) {
  if (stop_words_.find(word, java_hash)) return left_out;
  if (word.find(u' ') != std::u16string_view::npos) {
    std::u16string& copy = without_spaces_.emplace_back(word);
    std::erase(copy, u' ');
    word = copy;
    java_hash = java_hash_code(word);
  }
  if (is_invalid_word(word)) return left_out;
  const std::uint32_t spread = JavaHashOrder::spread(java_hash);
  const std::uint32_t item = counted_.find(spread, [&](std::uint32_t i) { return counts_[i].word == word; });
  if (item != JavaHashOrder::none) return item;
  counts_.push_back({word, java_hash, 0});
  return counted_.add(spread);
}

void TfIdfSimHash::add(std::u16string_view word) {
  const std::uint32_t java_hash = java_hash_code(word);
  std::size_t at = seen_place(word, java_hash);
  if (seen_[at].text != text_) {
    if (2 * ++seen_count_ > seen_.size()) {
      grow_seen();
      at = seen_place(word, java_hash);
    }
    seen_[at] = {word, java_hash, item_of_new(word, java_hash), text_};
  }
  if (seen_[at].item != left_out) ++counts_[seen_[at].item].count;
}

// The program moves its counts from one HashMap to another, in the first one's order.
std::uint64_t TfIdfSimHash::finish() {
  counted_.each([&](std::uint32_t item) {
    weighed_.add(counted_.hash(item));
    order_.push_back(item);
  });
  weighed_.each([&](std::uint32_t item) {
    const Counted& counted = counts_[order_[item]];
    const std::optional<double> idf = idf_.find(counted.word, counted.java_hash);
    const double weight = static_cast<double>(counted.count) * idf.value_or(idf_.average);
    words_.push_back({counted.word, counted.count, idf.has_value(), weight, fnv1a_units(counted.word)});
    ballots_.push_back({words_.back().hash, weight});
  });
  vote_.add(ballots_);
  return vote_.fingerprint();
}

}  // namespace leitong::fingerprint
