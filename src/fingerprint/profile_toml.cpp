// Profiles as TOML, to and fro.
#include <fmt/format.h>

#include <algorithm>

#include "fingerprint/features.h"
#include "fingerprint/profile_names.h"
#include "fingerprint/toml_values.h"
#include "leitong/error.h"

namespace leitong {
namespace {

using fingerprint::feature_names;
using fingerprint::index_of;
using fingerprint::name_in;
using fingerprint::number_of;
using fingerprint::program_names;
using fingerprint::sketch_names;
using fingerprint::value_of;
using fingerprint::weight_names;
using fingerprint::word_names;

void set_sizes(Profile& p, const toml::node& node, const std::string& where) {
  p.ngram_sizes.clear();
  const toml::array* list = node.as_array();
  if (list == nullptr) throw Error(ErrorCode::format, fmt::format("{}: expected a list of sizes, e.g. [1, 2]", where));
  for (const toml::node& size : *list) p.ngram_sizes.push_back(number_of(size, where));
}

void set_parts_of_speech(Profile& p, const toml::node& node, const std::string& where) {
  p.parts_of_speech.clear();
  const toml::array* list = node.as_array();
  if (list == nullptr) throw Error(ErrorCode::format, fmt::format("{}: expected a list of tags, e.g. [\"n\", \"v\"] or [\"-w\"]", where));
  for (const toml::node& part : *list) p.parts_of_speech.push_back(value_of<std::string>(part, where, "a tag"));
}

const fingerprint::TomlSetters<Profile>& setters() {
  static const fingerprint::TomlSetters<Profile> table = {
      {"name", [](Profile& p, const toml::node& n, const std::string& w) { p.name = value_of<std::string>(n, w, "a text"); }},
      {"version", [](Profile& p, const toml::node& n, const std::string& w) { p.version = number_of(n, w); }},
      {"bits", [](Profile& p, const toml::node& n, const std::string& w) { p.bits = number_of(n, w); }},
      {"sketch",
       [](Profile& p, const toml::node& n, const std::string& w) {
         p.sketch = static_cast<SketchKind>(index_of(sketch_names, value_of<std::string>(n, w, "a text"), w));
       }},
      {"fold-traditional",
       [](Profile& p, const toml::node& n, const std::string& w) { p.fold_traditional = value_of<bool>(n, w, "true or false"); }},
      {"features",
       [](Profile& p, const toml::node& n, const std::string& w) {
         p.features = static_cast<FeatureKind>(index_of(feature_names, value_of<std::string>(n, w, "a text"), w));
       }},
      {"ngram-sizes", set_sizes},
      {"numbered", [](Profile& p, const toml::node& n, const std::string& w) { p.numbered = value_of<bool>(n, w, "true or false"); }},
      {"weights",
       [](Profile& p, const toml::node& n, const std::string& w) {
         p.weights = static_cast<WeightKind>(index_of(weight_names, value_of<std::string>(n, w, "a text"), w));
       }},
      {"idf", [](Profile& p, const toml::node& n, const std::string& w) { p.idf_file = value_of<std::string>(n, w, "a file name"); }},
      {"key", [](Profile& p, const toml::node& n, const std::string& w) { p.key = value_of<std::string>(n, w, "hexadecimal digits"); }},
      {"minhash", [](Profile& p, const toml::node& n, const std::string& w) { p.minhash = value_of<bool>(n, w, "true or false"); }},
      {"short-tokens", [](Profile& p, const toml::node& n, const std::string& w) { p.short_tokens = number_of(n, w); }},
      {"words",
       [](Profile& p, const toml::node& n, const std::string& w) {
         p.words = static_cast<WordKind>(index_of(word_names, value_of<std::string>(n, w, "a text"), w));
       }},
      {"program",
       [](Profile& p, const toml::node& n, const std::string& w) {
         p.program = static_cast<Program>(index_of(program_names, value_of<std::string>(n, w, "a text"), w));
       }},
      {"data", [](Profile& p, const toml::node& n, const std::string& w) { p.data = value_of<std::string>(n, w, "a name or a path"); }},
      {"normalise", [](Profile& p, const toml::node& n, const std::string& w) { p.normalise = value_of<bool>(n, w, "true or false"); }},
      {"stop-words",
       [](Profile& p, const toml::node& n, const std::string& w) { p.stop_words = value_of<std::string>(n, w, "a file name"); }},
      {"word-weights",
       [](Profile& p, const toml::node& n, const std::string& w) { p.word_weights = value_of<std::string>(n, w, "a file name"); }},
      {"parts-of-speech", set_parts_of_speech},
      {"top-words", [](Profile& p, const toml::node& n, const std::string& w) { p.top_words = number_of(n, w); }},
  };
  return table;
}

// What judges two texts stood here once.
std::string moved_to_rule(std::string_view key) {
  static constexpr std::array<std::string_view, 7> keys = {"thresholds",      "sure-similarity",  "order-tokens",       "order-lcs",
                                                           "order-contained", "template-records", "template-similarity"};
  if (std::ranges::find(keys, key) == keys.end()) return "";
  return " of a profile: which texts are near-duplicates is for a rule to say; put it into a rule file and give that with --rule FILE.toml "
         "(leitong rules NAME prints one to begin with)";
}

// Only of a profile whose SimHash is made of words; files and lists only where they are given.
std::string words_toml(const Profile& p) {
  std::string text = fmt::format("words = \"{}\"\nprogram = \"{}\"\n", name_in(word_names, p.words), name_in(program_names, p.program));
  if (p.program == Program::leitong) text += fmt::format("normalise = {}\ntop-words = {}\n", p.normalise, p.top_words);
  const std::pair<const char*, const std::string*> files[] = {
      {"data", &p.data}, {"stop-words", &p.stop_words}, {"word-weights", &p.word_weights}};
  for (const auto& [key, value] : files)
    if (!value->empty()) text += fmt::format("{} = {}\n", key, fingerprint::quoted(*value));
  std::vector<std::string> parts;
  for (const std::string& part : p.parts_of_speech) parts.push_back(fingerprint::quoted(part));
  if (!parts.empty()) text += fmt::format("parts-of-speech = [{}]\n", fmt::join(parts, ", "));
  return text;
}

}  // namespace

Profile parse_profile(std::string_view text, const std::string& path) {
  const toml::table table = fingerprint::parse_toml(text, path);
  Profile profile;
  if (const auto base = table["base"].value<std::string>()) profile = fingerprint::built_in_profile(*base);
  fingerprint::take_toml(table, path, setters(), profile, moved_to_rule);
  fingerprint::check_profile(profile);
  return profile;
}

std::string to_toml(const Profile& p) {
  std::string text = fmt::format(
      "name = {}\nversion = {}\nbits = {}\nfold-traditional = {}\nfeatures = \"{}\"\nngram-sizes = [{}]\nnumbered = {}\nweights = \"{}\"\n",
      fingerprint::quoted(p.name), p.version, p.bits, p.fold_traditional, name_in(feature_names, p.features),
      fmt::join(p.ngram_sizes, ", "), p.numbered, name_in(weight_names, p.weights));
  if (p.sketch != SketchKind::simhash) text += fmt::format("sketch = \"{}\"\n", name_in(sketch_names, p.sketch));
  if (!p.idf_file.empty()) text += fmt::format("idf = {}\n", fingerprint::quoted(p.idf_file));
  if (!p.key.empty()) text += fmt::format("key = {}\n", fingerprint::quoted(p.key));
  text += fmt::format("minhash = {}\nshort-tokens = {}\n", p.minhash, p.short_tokens);
  if (!fingerprint::votes_by_tokens(p)) text += words_toml(p);
  return text;
}

}  // namespace leitong
