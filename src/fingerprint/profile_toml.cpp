// Profiles as TOML, to and fro.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "fingerprint/features.h"
#include "fingerprint/profile_names.h"
#include "leitong/error.h"

namespace leitong {
namespace {

using fingerprint::feature_names;
using fingerprint::name_in;
using fingerprint::program_names;
using fingerprint::sketch_names;
using fingerprint::weight_names;
using fingerprint::word_names;

template <std::size_t N>
std::size_t index_of(const std::array<std::string_view, N>& names, std::string_view name, const std::string& where) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == name) return i;
  throw Error(ErrorCode::format, fmt::format("{}: \"{}\" is none of: {}", where, name, fmt::join(names, ", ")));
}

// TOML. One entry a key: parsing and unknown-key detection read the same table.
using Setter = std::function<void(Profile&, const toml::node&, const std::string& where)>;

template <typename T>
T value_of(const toml::node& node, const std::string& where, std::string_view expected) {
  const auto value = node.value<T>();
  if (!value) throw Error(ErrorCode::format, fmt::format("{}: expected {}", where, expected));
  return *value;
}

std::uint32_t number_of(const toml::node& node, const std::string& where) {
  const auto value = value_of<std::int64_t>(node, where, "a whole number");
  if (value < 0 || value > 0xffffffffLL) throw Error(ErrorCode::format, fmt::format("{}: {} is out of range", where, value));
  return static_cast<std::uint32_t>(value);
}

void set_sizes(Profile& p, const toml::node& node, const std::string& where) {
  p.ngram_sizes.clear();
  const toml::array* list = node.as_array();
  if (list == nullptr) throw Error(ErrorCode::format, fmt::format("{}: expected a list of sizes, e.g. [1, 2]", where));
  for (const toml::node& size : *list) p.ngram_sizes.push_back(number_of(size, where));
}

void set_thresholds(Profile& p, const toml::node& node, const std::string& where) {
  p.thresholds.clear();
  const toml::array* list = node.as_array();
  if (list == nullptr) throw Error(ErrorCode::format, fmt::format("{}: expected a list of {{up-to-tokens, similarity}}", where));
  for (const toml::node& entry : *list) {
    const toml::table* table = entry.as_table();
    const toml::node* similarity = table == nullptr ? nullptr : table->get("similarity");
    if (similarity == nullptr) throw Error(ErrorCode::format, fmt::format("{}: an entry without similarity", where));
    const toml::node* limit = table->get("up-to-tokens");
    p.thresholds.push_back({limit == nullptr ? 0xffffffffU : number_of(*limit, where), value_of<double>(*similarity, where, "a number")});
  }
}

void set_parts_of_speech(Profile& p, const toml::node& node, const std::string& where) {
  p.parts_of_speech.clear();
  const toml::array* list = node.as_array();
  if (list == nullptr) throw Error(ErrorCode::format, fmt::format("{}: expected a list of tags, e.g. [\"n\", \"v\"] or [\"-w\"]", where));
  for (const toml::node& part : *list) p.parts_of_speech.push_back(value_of<std::string>(part, where, "a tag"));
}

const std::vector<std::pair<std::string_view, Setter>>& setters() {
  static const std::vector<std::pair<std::string_view, Setter>> table = {
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
      {"sure-similarity",
       [](Profile& p, const toml::node& n, const std::string& w) { p.sure_similarity = value_of<double>(n, w, "a number"); }},
      {"order-tokens", [](Profile& p, const toml::node& n, const std::string& w) { p.order_tokens = number_of(n, w); }},
      {"order-lcs", [](Profile& p, const toml::node& n, const std::string& w) { p.order_lcs = value_of<double>(n, w, "a number"); }},
      {"order-contained",
       [](Profile& p, const toml::node& n, const std::string& w) { p.order_contained = value_of<double>(n, w, "a number"); }},
      {"template-records", [](Profile& p, const toml::node& n, const std::string& w) { p.template_records = number_of(n, w); }},
      {"template-similarity",
       [](Profile& p, const toml::node& n, const std::string& w) { p.template_similarity = value_of<double>(n, w, "a number"); }},
      {"thresholds", set_thresholds},
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

std::string quoted(std::string_view text) {
  std::ostringstream out;
  out << toml::value<std::string>(std::string(text));
  return out.str();
}

// Only of a profile whose SimHash is made of words; files and lists only where they are given.
std::string words_toml(const Profile& p) {
  std::string text = fmt::format("words = \"{}\"\nprogram = \"{}\"\n", name_in(word_names, p.words), name_in(program_names, p.program));
  if (p.program == Program::leitong) text += fmt::format("normalise = {}\ntop-words = {}\n", p.normalise, p.top_words);
  const std::pair<const char*, const std::string*> files[] = {
      {"data", &p.data}, {"stop-words", &p.stop_words}, {"word-weights", &p.word_weights}};
  for (const auto& [key, value] : files)
    if (!value->empty()) text += fmt::format("{} = {}\n", key, quoted(*value));
  std::vector<std::string> parts;
  for (const std::string& part : p.parts_of_speech) parts.push_back(quoted(part));
  if (!parts.empty()) text += fmt::format("parts-of-speech = [{}]\n", fmt::join(parts, ", "));
  return text;
}

}  // namespace

Profile parse_profile(std::string_view text, const std::string& path) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::format, fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
  }
  Profile profile;
  if (const auto base = table["base"].value<std::string>()) profile = fingerprint::built_in_profile(*base);
  for (const auto& [key, node] : table) {
    if (key.str() == "base") continue;
    const std::string where = fmt::format("{}:{}: {}", path, node.source().begin.line, key.str());
    const auto& known = setters();
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.first == key.str(); });
    if (found == known.end()) throw Error(ErrorCode::format, where + ": no such setting");
    found->second(profile, node, where);
  }
  fingerprint::check_profile(profile);
  return profile;
}

std::string to_toml(const Profile& p) {
  std::string text = fmt::format(
      "name = {}\nversion = {}\nbits = {}\nfold-traditional = {}\nfeatures = \"{}\"\nngram-sizes = [{}]\nnumbered = {}\nweights = \"{}\"\n",
      quoted(p.name), p.version, p.bits, p.fold_traditional, name_in(feature_names, p.features), fmt::join(p.ngram_sizes, ", "), p.numbered,
      name_in(weight_names, p.weights));
  if (p.sketch != SketchKind::simhash) text += fmt::format("sketch = \"{}\"\n", name_in(sketch_names, p.sketch));
  if (!p.idf_file.empty()) text += fmt::format("idf = {}\n", quoted(p.idf_file));
  if (!p.key.empty()) text += fmt::format("key = {}\n", quoted(p.key));
  text += fmt::format("minhash = {}\nshort-tokens = {}\nthresholds = [{}]\n", p.minhash, p.short_tokens, fingerprint::thresholds_text(p));
  text += fmt::format("sure-similarity = {}\norder-tokens = {}\norder-lcs = {}\norder-contained = {}\n", p.sure_similarity, p.order_tokens,
                      p.order_lcs, p.order_contained);
  text += fmt::format("template-records = {}\ntemplate-similarity = {}\n", p.template_records, p.template_similarity);
  if (!fingerprint::votes_by_tokens(p)) text += words_toml(p);
  return text;
}

}  // namespace leitong
