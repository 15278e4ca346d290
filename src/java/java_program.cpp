#include "java/java_program.h"

#include <algorithm>

#include "java/java_hash.h"
#include "java/java_simhash.h"
#include "leitong/error.h"
#include "storage/content_file.h"
#include "text/utf16.h"

namespace leitong::java {
namespace {

Fingerprint as_fingerprint(Uint128 value, unsigned bits) {
  return {{static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64), 0, 0}, bits};
}

Uint128 python2_hash_of(std::u16string_view word, unsigned bits) {
  if (bits == 32) return python2_hash<std::uint32_t>(word);
  return bits == 64 ? Uint128{python2_hash<std::uint64_t>(word)} : python2_hash<Uint128>(word);
}

}  // namespace

JavaProgram::JavaProgram(const Profile& profile) : program_(profile.program), bits_(profile.bits), words_(profile) {
  if (program_ != Program::java_001b) return;
  if (profile.idf_file.empty())
    throw Error(ErrorCode::usage, "profile: java-hanlp-tfidf needs the program's table of idf values (idf = FILE, --idf FILE)");
  tfidf_ = std::make_unique<Tfidf>();
  tfidf_->idf = read_java_idf(storage::read_content(profile.idf_file, "its table of idf values"), profile.idf_file);
  if (!profile.stop_words.empty()) tfidf_->stop_words = read_java_stop_words(storage::read_content(profile.stop_words, "its stop words"));
  tfidf_->votes.emplace(tfidf_->idf, tfidf_->stop_words);
}

template <typename Word>
Fingerprinter::Result JavaProgram::python2() {
  Python2SimHash<Word> votes;
  for (std::size_t i = 0; i < words_.size(); ++i) votes.add(words_[i]);
  return {as_fingerprint(votes.fingerprint(), bits_), static_cast<std::uint32_t>(words_.size())};
}

// Marks, core stop words and blank words have no vote.
template <typename Visit>
void JavaProgram::each_by_length(Visit visit) const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_.part_of_speech(i).starts_with('w') || words_.is_core_stop_word(i) || length_profile_weight(words_[i]) == 0) continue;
    visit(i);
  }
}

Fingerprinter::Result JavaProgram::by_length() {
  LengthSimHash votes;
  Fingerprinter::Result result;
  each_by_length([&](std::size_t i) {
    votes.add(words_[i]);
    ++result.features;
  });
  if (program_ != Program::java_001a_short || !votes.too_short()) result.fingerprint = as_fingerprint(votes.fingerprint(), 64);
  return result;
}

Fingerprinter::Result JavaProgram::by_tfidf() {
  TfIdfSimHash& votes = *tfidf_->votes;
  votes.clear();
  for (std::size_t i = 0; i < words_.size(); ++i) votes.add(words_[i]);
  const std::uint64_t value = votes.finish();
  std::uint64_t features = 0;
  for (const TfIdfSimHash::Word& word : votes.words()) features += word.count;
  return {as_fingerprint(value, 64), static_cast<std::uint32_t>(features)};
}

Fingerprinter::Result JavaProgram::operator()(std::string_view utf8) {
  words_.set_text(utf8);
  if (program_ == Program::java_001b) return by_tfidf();
  if (program_ == Program::java_001a || program_ == Program::java_001a_short) return by_length();
  if (bits_ == 32) return python2<std::uint32_t>();
  return bits_ == 64 ? python2<std::uint64_t>() : python2<Uint128>();
}

void JavaProgram::trace(std::string_view utf8, Trace& out) {
  out.fingerprint = (*this)(utf8).fingerprint;
  out.cut = text::to_utf8(words_.text());
  out.tie_sets_bit = program_ != Program::java_001a && program_ != Program::java_001a_short;
  const auto add = [&](std::u16string_view word, std::string_view part, Uint128 hash, double weight) {
    out.features.push_back({text::to_utf8(word), std::string(part), as_fingerprint(hash, bits_), weight});
  };
  if (program_ == Program::java_001b) {
    for (const TfIdfSimHash::Word& word : tfidf_->votes->words()) add(word.word, "", word.hash, word.weight);
  } else if (out.tie_sets_bit) {
    for (std::size_t i = 0; i < words_.size(); ++i) add(words_[i], words_.part_of_speech(i), python2_hash_of(words_[i], bits_), 1);
  } else {
    each_by_length(
        [&](std::size_t i) { add(words_[i], words_.part_of_speech(i), length_profile_hash(words_[i]), length_profile_weight(words_[i])); });
  }
}

}  // namespace leitong::java
