#include "cli/settings.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "leitong/error.h"

namespace leitong::cli {
namespace {

std::string read_key(const std::string& path) {
  std::ifstream in(path);
  std::string word, rest;
  if (!in) throw Error(ErrorCode::io, path + ": cannot open the key file");
  in >> word;
  if (word.empty() || in >> rest) throw Error(ErrorCode::format, path + ": a key file holds one word of hexadecimal digits");
  return word;
}

void check_sizes(const ProfileSettings& s, const Profile& profile) {
  const bool any_sizes = profile.features == FeatureKind::token_ngrams && !s.shingles;
  if (any_sizes || profile.ngram_sizes.size() == 1) return;
  if (s.features && !s.ngram_sizes) throw Error(ErrorCode::usage, "--features: these features have one size; add --ngram-sizes N, e.g. 4");
  if (s.ngram_sizes) throw Error(ErrorCode::usage, "--ngram-sizes: character n-grams and word shingles have one size");
}

// A table of weights says which weights are meant. A Java program weighs by itself.
void take_table(const ProfileSettings& s, const char* flag, const std::string& file, WeightKind weights, Profile& profile) {
  if (file.empty() || profile.program != Program::leitong) return;
  if (s.weights && *s.weights != weights)
    throw Error(ErrorCode::usage,
                fmt::format("{}: a table has a meaning only with --weights {}", flag, weights == WeightKind::tfidf ? "tfidf" : "table"));
  profile.weights = weights;
}

}  // namespace

std::string key_of(const ProfileSettings& s) {
  if (!s.key.empty() && !s.key_file.empty()) throw Error(ErrorCode::usage, "--key and --key-file say the same: give one of them");
  return s.key_file.empty() ? s.key : read_key(s.key_file);
}

std::vector<std::string> files_read_for(const Settings& s) {
  const ProfileSettings& p = s.profile;
  std::vector<std::string> files = {p.name, p.idf_file, p.key_file, p.words.data, p.words.stop_words, p.words.weights, s.face.config};
  std::erase(files, std::string());
  return files;
}

Profile effective_profile(const ProfileSettings& s) {
  const WordSettings& words = s.words;
  Profile profile = load_profile(s.name.empty() ? profile_names().front() : s.name);
  if (s.bits) profile.bits = *s.bits;
  if (s.sketch) profile.sketch = *s.sketch;
  if (s.features) profile.features = *s.features;
  if (s.shingles) profile.ngram_sizes = {5};
  if (s.ngram_sizes) profile.ngram_sizes = *s.ngram_sizes;
  if (s.weights) profile.weights = *s.weights;
  if (s.fold_traditional) profile.fold_traditional = *s.fold_traditional;
  if (words.segmenter) profile.words = *words.segmenter;
  if (words.top) profile.top_words = *words.top;
  if (!words.parts_of_speech.empty()) profile.parts_of_speech = words.parts_of_speech;
  for (const auto& [given, field] : {std::pair(&words.data, &profile.data), std::pair(&words.stop_words, &profile.stop_words),
                                     std::pair(&words.weights, &profile.word_weights)})
    if (!given->empty()) *field = *given;
  take_table(s, "--idf", s.idf_file, WeightKind::tfidf, profile);
  take_table(s, "--word-weights", words.weights, WeightKind::table, profile);
  if (!s.idf_file.empty()) profile.idf_file = s.idf_file;
  if (std::string key = key_of(s); !key.empty()) profile.key = std::move(key);
  const bool of_tokens = profile.words == WordKind::tokens;
  if (of_tokens && profile.weights != WeightKind::set) profile.numbered = false;  // a weight counts the repetitions already
  check_sizes(s, profile);
  return profile;
}

Rule effective_rule(const RuleSettings& s) { return load_rule(s.name.empty() ? rule_names().front() : s.name); }

Rule effective_rule_with_threshold(const RuleSettings& s) {
  Rule rule = effective_rule(s);
  if (s.threshold) rule.thresholds = {{0xffffffffU, *s.threshold}};
  return rule;
}

}  // namespace leitong::cli
