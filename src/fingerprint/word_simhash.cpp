#include "fingerprint/word_simhash.h"

#include <algorithm>
#include <limits>

#include "fingerprint/features.h"
#include "fingerprint/sketcher.h"
#include "fingerprint/weight_file.h"
#include "storage/content_file.h"
#include "text/unicode_tables.h"
#include "text/utf8.h"

namespace leitong::fingerprint {
namespace {

bool has_letter_or_digit(std::string_view word) {
  for (std::size_t at = 0; at < word.size();) {
    const text::Decoded decoded = text::decode_utf8(word, at);
    if (decoded.valid && text::unicode::Properties(decoded.value).letter_or_digit()) return true;
    at += decoded.size;
  }
  return false;
}

bool begins_with_any(std::string_view tag, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string& b) { return tag.starts_with(b); });
}

std::uint32_t saturated(std::uint64_t weight) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(weight, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

WordSimHash::WordSimHash(const Profile& profile) : profile_(profile), hasher_(key_bytes(profile.key)), cutter_(profile) {
  const auto hash = [this](std::string_view word) { return hasher_.bytes(word.data(), word.size()); };
  if (!profile.stop_words.empty()) {
    const std::string content = storage::read_content(profile.stop_words, "its stop words");
    for (std::string_view rest(content); !rest.empty();) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!line.empty()) stop_words_.insert(hash(line));
    }
  }
  if (profile.weights == WeightKind::table)
    read_weights(profile.word_weights, "a table of word weights", 1000,
                 [&](std::string_view word, std::uint32_t weight) { table_[hash(word)] = weight; });
  if (profile.weights == WeightKind::tfidf && !profile.idf_file.empty()) idf_.emplace(profile.idf_file, hasher_);
  for (const std::string& part : profile.parts_of_speech)
    part.starts_with('-') ? unwanted_.push_back(part.substr(1)) : wanted_.push_back(part);
}

bool WordSimHash::counts(const Word& word, std::uint64_t hash) const {
  if (stop_words_.contains(hash) || !has_letter_or_digit(word.text)) return false;
  if (!wanted_.empty() && !begins_with_any(word.part_of_speech, wanted_)) return false;
  return unwanted_.empty() || !begins_with_any(word.part_of_speech, unwanted_);
}

std::uint32_t WordSimHash::idf_of(const Word& word, std::uint64_t hash) const {
  if (idf_) return (*idf_)(hash);
  std::u32string points;
  for (std::size_t at = 0; at < word.text.size();) {
    const text::Decoded decoded = text::decode_utf8(word.text, at);
    points.push_back(decoded.value);
    at += decoded.size;
  }
  return static_cast<std::uint32_t>(cutter_.jieba()->data().idf(points) * 256 + 0.5);
}

std::uint32_t WordSimHash::weight_of(const Word& word, std::uint64_t hash, std::uint32_t count) const {
  switch (profile_.weights) {
    case WeightKind::set:
      break;
    case WeightKind::tf:
      return count;
    case WeightKind::sqrt:
      return sqrt_weight(count);
    case WeightKind::log:
      return log_weight(count);
    case WeightKind::tfidf:
      return saturated(std::uint64_t{count} * idf_of(word, hash));
    case WeightKind::table: {
      const auto found = table_.find(hash);
      return saturated(std::uint64_t{count} * (found == table_.end() ? 256 : found->second));
    }
  }
  return 1;
}

void WordSimHash::weigh(std::string_view utf8) {
  words_ = cutter_(utf8);
  entries_.clear();
  for (std::uint32_t i = 0; i < words_.size(); ++i) entries_.push_back({hasher_.bytes(words_[i].text.data(), words_[i].text.size()), i, 0});
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.hash != b.hash ? a.hash < b.hash : a.word < b.word; });
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < entries_.size(); begin = end) {
    while (end < entries_.size() && entries_[end].hash == entries_[begin].hash) ++end;
    Entry entry = entries_[begin];
    const Word& word = words_[entry.word];
    if (!counts(word, entry.hash)) continue;
    entry.weight = weight_of(word, entry.hash, static_cast<std::uint32_t>(end - begin));
    if (entry.weight != 0) entries_[kept++] = entry;
  }
  entries_.resize(kept);
  if (profile_.top_words != 0 && kept > profile_.top_words) {
    // Of equal weights the smaller hash stays: a choice that does not depend on where in the text the words stand.
    std::nth_element(entries_.begin(), entries_.begin() + profile_.top_words, entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.weight != b.weight ? a.weight > b.weight : a.hash < b.hash; });
    entries_.resize(profile_.top_words);
  }
}

Fingerprinter::Result WordSimHash::operator()(std::string_view utf8) {
  weigh(utf8);
  Fingerprinter::Result result;
  result.features = static_cast<std::uint32_t>(entries_.size());
  if (entries_.empty()) return result;
  hashes_.clear();
  weights_.clear();
  for (const Entry& entry : entries_) hashes_.push_back(entry.hash), weights_.push_back(entry.weight);
  result.fingerprint = simhash({hashes_, weights_}, profile_.bits, hasher_, wide_);
  return result;
}

void WordSimHash::trace(std::string_view utf8, Trace& out) {
  out.fingerprint = (*this)(utf8).fingerprint;
  out.cut = cutter_.text();
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.word < b.word; });
  const bool fixed_point = profile_.weights != WeightKind::set && profile_.weights != WeightKind::tf;
  for (const Entry& entry : entries_) {
    const Word& word = words_[entry.word];
    out.features.push_back({std::string(word.text), std::string(word.part_of_speech), wide_hash(entry.hash, profile_.bits, hasher_),
                            fixed_point ? entry.weight / 256.0 : entry.weight});
  }
}

}  // namespace leitong::fingerprint
