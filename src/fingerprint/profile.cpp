// Profiles: the built-in ones, what contradicts, and ids.
#include "leitong/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "fingerprint/features.h"
#include "fingerprint/minhash.h"
#include "fingerprint/profile_names.h"
#include "fingerprint/toml_values.h"
#include "java/java_word_files.h"
#include "leitong/data.h"
#include "leitong/error.h"
#include "storage/content_file.h"

namespace leitong {
namespace {

using fingerprint::feature_names;
using fingerprint::name_in;
using fingerprint::program_names;
using fingerprint::sketch_names;
using fingerprint::weight_names;
using fingerprint::word_names;
using storage::content_hash;

constexpr std::string_view unicode_version = "15.0.0";
constexpr unsigned specification = 1;  // docs/fingerprint-spec.md

// The articles' own scheme without their segmenter: tokens weighted by how often they occur.
void words_tf(Profile& p) { p.ngram_sizes = {1}, p.numbered = false, p.weights = WeightKind::tf; }
void words_log(Profile& p) { p.ngram_sizes = {1}, p.numbered = false, p.weights = WeightKind::log; }
void characters(Profile& p) { p.features = FeatureKind::character_ngrams, p.ngram_sizes = {4}; }
void shingles(Profile& p) { p.ngram_sizes = {5}, p.numbered = false; }
void minhash1(Profile& p) { p.sketch = SketchKind::minhash1; }
void wide_128(Profile& p) { p.bits = 128; }
void wide_256(Profile& p) { p.bits = 256; }

// The articles' programs. Their SimHash is made of words; candidates by bands and verification stay the default's.
void java_ik(Profile& p) { p.words = WordKind::ik, p.program = Program::java_000; }
void java_hanlp(Profile& p) { p.words = WordKind::hanlp, p.program = Program::java_004; }
void java_hanlp_length(Profile& p) { p.words = WordKind::hanlp, p.program = Program::java_001a; }
void java_hanlp_length_short(Profile& p) { p.words = WordKind::hanlp, p.program = Program::java_001a_short; }
void java_hanlp_tfidf(Profile& p) { p.words = WordKind::hanlp, p.program = Program::java_001b; }
// Words of jieba: as the articles do it; damped; the heaviest by idf.
void jieba_tf(Profile& p) { p.words = WordKind::jieba, p.weights = WeightKind::tf, p.normalise = false; }
void jieba_log(Profile& p) { p.words = WordKind::jieba, p.weights = WeightKind::log; }
void jieba_tfidf(Profile& p) { p.words = WordKind::jieba, p.weights = WeightKind::tfidf, p.top_words = 200; }

struct BuiltIn {
  std::string_view name;
  void (*change)(Profile&);  // from the default; null: none
};
constexpr std::array<BuiltIn, 16> built_in = {{
    {"leitong-1", nullptr},
    {"leitong-1-128", wide_128},
    {"leitong-1-256", wide_256},
    {"minhash1", minhash1},
    {"words-tf", words_tf},
    {"words-log", words_log},
    {"characters-4", characters},
    {"shingles-5", shingles},
    {"jieba", jieba_tf},
    {"jieba-log", jieba_log},
    {"jieba-tfidf", jieba_tfidf},
    {"java-ik", java_ik},
    {"java-hanlp", java_hanlp},
    {"java-hanlp-length", java_hanlp_length},
    {"java-hanlp-length-short", java_hanlp_length_short},
    {"java-hanlp-tfidf", java_hanlp_tfidf},
}};

void require(bool holds, std::string_view what) {
  if (!holds) throw Error(ErrorCode::usage, fmt::format("profile: {}", what));
}

bool is_jieba(WordKind words) {
  return words == WordKind::jieba || words == WordKind::jieba_plain || words == WordKind::jieba_search || words == WordKind::jieba_all;
}

// What each Java program needs.
struct ProgramRule {
  Program program;
  WordKind words;
  bool wide;  // 32, 64 or 128 bits, else 64
};
constexpr std::array<ProgramRule, 5> program_rules = {{
    {Program::java_000, WordKind::ik, true},
    {Program::java_001a, WordKind::hanlp, false},
    {Program::java_001a_short, WordKind::hanlp, false},
    {Program::java_001b, WordKind::hanlp, false},
    {Program::java_004, WordKind::hanlp, true},
}};

// An idf table is asked for when it is used: a profile can be looked at without it.
void check_java(const Profile& p) {
  const auto* const rule = std::find_if(program_rules.begin(), program_rules.end(), [&](const auto& r) { return r.program == p.program; });
  require(p.words == rule->words,
          fmt::format("program = \"{}\" goes with words = \"{}\"", name_in(program_names, p.program), name_in(word_names, rule->words)));
  if (rule->wide) {
    require(p.bits == 32 || p.bits == 64 || p.bits == 128, fmt::format("bits = {}: this Java program has 32, 64 or 128", p.bits));
  } else {
    require(p.bits == 64, fmt::format("bits = {}: this Java program has 64", p.bits));
  }
  require(p.weights == WeightKind::set, "weights: a Java program weighs by itself");
  const bool own = p.program == Program::java_001b;
  require(own || (p.idf_file.empty() && p.stop_words.empty()), "idf, stop-words: this Java program takes none");
  require(p.word_weights.empty() && p.parts_of_speech.empty() && p.top_words == 0 && p.key.empty(),
          "word-weights, parts-of-speech, top-words, key: a Java program's fingerprints have none of these; custom words are "
          "compiled in (leitong data add)");
}

void check_words(const Profile& p) {
  if (p.words == WordKind::tokens) {
    require(p.data.empty() && p.stop_words.empty() && p.word_weights.empty() && p.parts_of_speech.empty() && p.top_words == 0,
            "data, stop-words, word-weights, parts-of-speech, top-words: they need words = \"jieba\" or another segmenter");
    require(p.normalise, "normalise: the standard tokens are always normalised");
    return;
  }
  require(p.weights != WeightKind::tfidf || !p.idf_file.empty() || is_jieba(p.words),
          "weights = \"tfidf\" needs an idf table (idf = FILE); only jieba brings its own");
  require(p.weights == WeightKind::tfidf || p.idf_file.empty(), "idf has a meaning only with weights = \"tfidf\"");
  require((p.weights == WeightKind::table) == !p.word_weights.empty(), "weights = \"table\" and word-weights = FILE go together");
  for (const std::string& part : p.parts_of_speech)
    require(!part.empty() && part != "-" && part.find_first_of(" \t\r\n") == std::string::npos,
            "parts-of-speech: a tag is empty or holds white space");
}

void check_weights(const Profile& p) {
  require(p.weights != WeightKind::table, "weights = \"table\" needs words = \"jieba\" or another segmenter");
  require(!p.numbered || p.weights == WeightKind::set, "numbered = true already counts repetition: it goes with weights = \"set\" only");
  require(p.weights != WeightKind::tfidf || !p.idf_file.empty(), "weights = \"tfidf\" needs an idf table (idf = FILE)");
  require(p.weights != WeightKind::tfidf || p.features == FeatureKind::token_ngrams,
          "weights = \"tfidf\" needs features = \"token-ngrams\"");
}

void check_sketch(const Profile& p) {
  if (p.sketch == SketchKind::simhash) return;
  require(fingerprint::votes_by_tokens(p), "sketch = \"minhash1\" goes with words = \"tokens\"");
  require(p.weights == WeightKind::set, "sketch = \"minhash1\" knows no weights: it goes with weights = \"set\" only");
}

void check(const Profile& p) {
  if (p.program == Program::leitong) {
    require(p.bits == 64 || p.bits == 128 || p.bits == 256, fmt::format("bits = {}: must be 64, 128 or 256", p.bits));
    check_words(p);
  } else {
    check_java(p);
  }
  require(!p.ngram_sizes.empty() && p.ngram_sizes.size() <= 8, "ngram-sizes: between one and eight sizes");
  for (const unsigned size : p.ngram_sizes) require(size >= 1 && size <= 64, fmt::format("ngram-sizes: {} is not in 1..64", size));
  auto sizes = p.ngram_sizes;
  std::sort(sizes.begin(), sizes.end());
  require(std::adjacent_find(sizes.begin(), sizes.end()) == sizes.end(), "ngram-sizes: a size stands twice");
  if (fingerprint::votes_by_tokens(p)) check_weights(p);
  check_sketch(p);
  require(p.key.size() % 2 == 0 && p.key.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos,
          "key: an even number of hexadecimal digits");
  require(p.short_tokens >= 2 && p.short_tokens <= 1000, "short-tokens: must be in 2..1000");
}

std::string lower_ascii(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return text;
}

std::string file_hash(const std::string& path, std::string_view what) { return content_hash(storage::read_content(path, what)); }

DataKind data_kind(WordKind words) {
  if (words == WordKind::hanlp) return DataKind::hanlp;
  return words == WordKind::ik ? DataKind::ik : DataKind::jieba;
}

// Everything that decides the bits of a SimHash made of words.
std::string words_of_id(const Profile& p) {
  std::string all = fmt::format("words {} {}\nprogram {}\n", name_in(word_names, p.words),
                                content_of_data(find_data(data_kind(p.words), p.data)), name_in(program_names, p.program));
  if (p.program == Program::java_001b) {
    require(!p.idf_file.empty(), "java-hanlp-tfidf needs the program's table of idf values (idf = FILE, --idf FILE)");
    all += fmt::format("idf {}\n", file_hash(p.idf_file, "its table of idf values"));
  }
  if (p.program == Program::leitong) all += fmt::format("normalise {}\ntop {}\n", p.normalise, p.top_words);
  if (!p.stop_words.empty()) all += fmt::format("stop {}\n", file_hash(p.stop_words, "its stop words"));
  if (!p.word_weights.empty()) all += fmt::format("table {}\n", file_hash(p.word_weights, "its table of word weights"));
  const std::set<std::string> parts(p.parts_of_speech.begin(), p.parts_of_speech.end());  // their order and repetition decide nothing
  if (!parts.empty()) all += fmt::format("parts {}\n", fmt::join(parts, " "));
  return all;
}

}  // namespace

namespace fingerprint {

void check_profile(const Profile& profile) { check(profile); }

Profile built_in_profile(std::string_view name) {
  for (const BuiltIn& entry : built_in) {
    if (entry.name != name) continue;
    Profile p;
    p.name = name;
    if (entry.change != nullptr) entry.change(p);
    return p;
  }
  throw Error(ErrorCode::usage,
              fmt::format("no profile \"{}\"; built in are {}; a file's name ends in .toml", name, fmt::join(profile_names(), ", ")));
}

}  // namespace fingerprint

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const BuiltIn& entry : built_in) names.emplace_back(entry.name);
  return names;
}

Profile load_profile(std::string_view name_or_path) {
  if (!fingerprint::is_toml_path(name_or_path)) return fingerprint::built_in_profile(name_or_path);
  const std::string path(name_or_path);
  return parse_profile(fingerprint::read_toml_file(path, "profile"), path);
}

std::string profile_id(const Profile& p) {
  check(p);
  // Only what decides bits of what is stored: not the profile's name, nor that of the idf file, nor the key itself.
  std::string all = fmt::format(
      "leitong profile\nspecification {}\nunicode {}\nversion {}\nbits {}\nfold-traditional {}\nfeatures {}\nsizes {}\nnumbered "
      "{}\nweights {}\n",
      specification, unicode_version, p.version, p.bits, p.fold_traditional, name_in(feature_names, p.features),
      fmt::join(p.ngram_sizes, ","), p.numbered, name_in(weight_names, p.weights));
  if (p.weights == WeightKind::tfidf && !p.idf_file.empty())
    all += fmt::format("idf {}\n", file_hash(p.idf_file, "its table of idf values"));
  if (!p.key.empty()) all += fmt::format("key {}\n", content_hash("leitong key\n" + lower_ascii(p.key)));
  if (p.sketch != SketchKind::simhash) all += fmt::format("sketch {}\n", name_in(sketch_names, p.sketch));
  if (p.minhash) all += fmt::format("minhash {} {}\n", fingerprint::slot_count, content_hash(fingerprint::common_bigrams()));
  all += fmt::format("short {}\n", p.short_tokens);
  if (!fingerprint::votes_by_tokens(p)) all += words_of_id(p);
  return content_hash(all);
}

std::vector<std::string> profile_warnings(const Profile& p) {
  if (p.program != Program::java_001b || p.idf_file.empty()) return {};
  const java::JavaIdf idf = java::read_java_idf(storage::read_content(p.idf_file, "its table of idf values"), p.idf_file);
  std::vector<std::string> warnings = idf.warnings;
  if (idf.skipped > 0)
    warnings.push_back(fmt::format("{}: {} lines are not a word, one space and a number; as in the Java program, they are not used",
                                   p.idf_file, idf.skipped));
  if (idf.values.empty()) warnings.push_back(p.idf_file + ": no word has an idf, so every fingerprint is the same");
  if (p.stop_words.empty())
    warnings.push_back(
        "java-hanlp-tfidf has no stop words here; if its program had a list, give the same (--stop-words): they decide bits");
  return warnings;
}

}  // namespace leitong
