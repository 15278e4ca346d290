#include "java/tfidf_simhash.h"

#include <algorithm>

#include "java/java_hash.h"

namespace leitong::java {
namespace {

// The units of a word of one to four as one number; 0 of every other word and of one that holds U+0000.
std::uint64_t packed(std::u16string_view word) {
  if (word.empty() || word.size() > 4) return 0;
  std::uint64_t units = 0;
  for (std::size_t i = word.size(); i-- > 0;) {
    if (word[i] == 0) return 0;
    units = units << 16 | word[i];
  }
  return units;
}

std::uint64_t scattered(std::uint64_t units) { return units * 0x9E3779B97F4A7C15ULL >> 20; }

}  // namespace

bool is_invalid_word(std::u16string_view word) {
  if (word.size() < 2) return true;
  const char16_t last = word.back();
  if (last == u'年' || last == u'|' || last == u'月' || last == u'日') word.remove_suffix(1);
  return std::all_of(word.begin(), word.end(), [](char16_t c) { return c >= u'0' && c <= u'9'; });
}

TfIdfSimHash::TfIdfSimHash(const JavaIdf& idf, const WordTable& stop_words) : idf_(idf), stop_words_(stop_words) {
  std::size_t size = 64;
  while (size < 2 * (idf.words.size() + stop_words.size() + 1)) size *= 2;
  facts_.resize(size);
  for (std::uint32_t i = 0; i < idf.words.size(); ++i) {
    const std::uint64_t units = packed(idf.words[i]);
    if (units == 0) continue;
    Facts& facts = facts_place(units);
    facts.units = units, facts.idf = idf.values[i], facts.has_idf = true;
  }
  for (std::uint32_t i = 0; i < stop_words.size(); ++i) {
    const std::uint64_t units = packed(stop_words[i]);
    if (units == 0) continue;
    Facts& facts = facts_place(units);
    facts.units = units, facts.stop = true;
  }
}

TfIdfSimHash::Facts& TfIdfSimHash::facts_place(std::uint64_t units) {
  const std::size_t mask = facts_.size() - 1;
  std::size_t at = scattered(units) & mask;
  while (facts_[at].units != units && facts_[at].units != 0) at = (at + 1) & mask;
  return facts_[at];
}

void TfIdfSimHash::clear() {
  counted_.clear();
  weighed_.clear();
  raw_.clear();
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

std::size_t TfIdfSimHash::seen_place(std::uint64_t units) const {
  const std::size_t mask = seen_.size() - 1;
  std::size_t at = scattered(units) & mask;
  while (seen_[at].text == text_ && seen_[at].units != units) at = (at + 1) & mask;
  return at;
}

void TfIdfSimHash::grow_seen() {
  std::vector<Seen> old(2 * seen_.size());
  old.swap(seen_);
  for (const Seen& seen : old) {
    if (seen.text == text_) seen_[seen_place(seen.units)] = seen;
  }
}

// The number of its count, or left_out.
std::uint32_t TfIdfSimHash::item_of(const Raw& raw) {
  std::u16string_view word = raw.word;
  bool known = raw.units != 0;
  const Facts facts = known ? facts_place(raw.units) : Facts{};
  if (known ? facts.stop : stop_words_.find(word).has_value()) return left_out;
  if (word.find(u' ') != std::u16string_view::npos) {
    std::u16string& copy = without_spaces_.emplace_back(word);
    std::erase(copy, u' ');
    word = copy;
    known = false;  // what is known is of the word with its spaces
  }
  if (is_invalid_word(word)) return left_out;
  const std::uint32_t java_hash = java_hash_code(word), spread = JavaHashOrder::spread(java_hash);
  const std::uint32_t item = counted_.find(spread, [&](std::uint32_t i) { return counts_[i].word == word; });
  if (item != JavaHashOrder::none) return item;
  const std::optional<double> idf = known ? (facts.has_idf ? std::optional(facts.idf) : std::nullopt) : idf_.find(word, java_hash);
  counts_.push_back({word, 0, idf.has_value(), idf.value_or(idf_.average)});
  return counted_.add(spread);
}

void TfIdfSimHash::add(std::u16string_view word) {
  const std::uint64_t units = packed(word);
  if (units == 0) {
    raw_.push_back({word, 0, 1});
    return;
  }
  std::size_t at = seen_place(units);
  if (seen_[at].text != text_) {
    if (2 * ++seen_count_ > seen_.size()) {
      grow_seen();
      at = seen_place(units);
    }
    __builtin_prefetch(&facts_[scattered(units) & (facts_.size() - 1)]);
    seen_[at] = {units, static_cast<std::uint32_t>(raw_.size()), text_};
    raw_.push_back({word, units, 0});
  }
  ++raw_[seen_[at].raw].count;
}

// The program moves its counts from one HashMap to another, in the first one's order.
void TfIdfSimHash::set_order() {
  first_order_.clear();
  counted_.each([&](std::uint32_t item) {
    weighed_.add(counted_.hash(item));
    first_order_.push_back(item);
  });
  weighed_.each([&](std::uint32_t item) { order_.push_back(first_order_[item]); });
}

std::uint64_t TfIdfSimHash::finish() {
  for (const Raw& raw : raw_) {  // in the order of their first coming, as the program's map was filled
    const std::uint32_t item = item_of(raw);
    if (item != left_out) counts_[item].count += raw.count;
  }
  set_order();
  for (const std::uint32_t item : order_) {
    const Counted& counted = counts_[item];
    const double weight = static_cast<double>(counted.count) * counted.idf;
    words_.push_back({counted.word, counted.count, counted.has_idf, weight, fnv1a_units(counted.word)});
    ballots_.push_back({words_.back().hash, weight});
  }
  vote_.add(ballots_);
  return vote_.fingerprint();
}

}  // namespace leitong::java
