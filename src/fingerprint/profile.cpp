#include "leitong/profile.h"

#include <fmt/format.h>
#include <toml++/toml.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "fingerprint/minhash.h"
#include "leitong/error.h"

namespace leitong {
namespace {

constexpr std::string_view unicode_version = "15.0.0";
constexpr unsigned specification = 1;  // docs/fingerprint-spec.md

constexpr std::array<std::string_view, 2> feature_names = {"token-ngrams", "character-ngrams"};
constexpr std::array<std::string_view, 5> weight_names = {"set", "tf", "sqrt", "log", "tfidf"};

// The articles' own scheme without their segmenter: tokens weighted by how often they occur.
void words_tf(Profile& p) { p.ngram_sizes = {1}, p.numbered = false, p.weights = WeightKind::tf; }
void words_log(Profile& p) { p.ngram_sizes = {1}, p.numbered = false, p.weights = WeightKind::log; }
void characters(Profile& p) { p.features = FeatureKind::character_ngrams, p.ngram_sizes = {4}; }
void shingles(Profile& p) { p.ngram_sizes = {5}, p.numbered = false; }
void wide_128(Profile& p) { p.bits = 128; }
void wide_256(Profile& p) { p.bits = 256; }

struct BuiltIn {
  std::string_view name;
  void (*change)(Profile&);  // from the default; null: none
};
constexpr std::array<BuiltIn, 7> built_in = {{
    {"leitong-draft", nullptr},
    {"leitong-draft-128", wide_128},
    {"leitong-draft-256", wide_256},
    {"words-tf", words_tf},
    {"words-log", words_log},
    {"characters-4", characters},
    {"shingles-5", shingles},
}};

void require(bool holds, std::string_view what) {
  if (!holds) throw Error(ErrorCode::usage, fmt::format("profile: {}", what));
}

void check(const Profile& p) {
  require(p.bits == 64 || p.bits == 128 || p.bits == 256, fmt::format("bits = {}: must be 64, 128 or 256", p.bits));
  require(!p.ngram_sizes.empty() && p.ngram_sizes.size() <= 8, "ngram-sizes: between one and eight sizes");
  for (const unsigned size : p.ngram_sizes) require(size >= 1 && size <= 64, fmt::format("ngram-sizes: {} is not in 1..64", size));
  auto sizes = p.ngram_sizes;
  std::sort(sizes.begin(), sizes.end());
  require(std::adjacent_find(sizes.begin(), sizes.end()) == sizes.end(), "ngram-sizes: a size stands twice");
  require(!p.numbered || p.weights == WeightKind::set, "numbered = true already counts repetition: it goes with weights = \"set\" only");
  require(p.weights != WeightKind::tfidf || !p.idf_file.empty(), "weights = \"tfidf\" needs an idf table (idf = FILE)");
  require(p.weights != WeightKind::tfidf || p.features == FeatureKind::token_ngrams,
          "weights = \"tfidf\" needs features = \"token-ngrams\"");
  require(p.key.size() % 2 == 0 && p.key.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos,
          "key: an even number of hexadecimal digits");
  require(!p.thresholds.empty() && p.thresholds.back().up_to_tokens == 0xffffffffU, "thresholds: the last one must have no limit");
  for (std::size_t i = 0; i < p.thresholds.size(); ++i) {
    require(p.thresholds[i].similarity > 0 && p.thresholds[i].similarity <= 1, "thresholds: similarity must be in (0, 1]");
    require(i == 0 || p.thresholds[i].up_to_tokens > p.thresholds[i - 1].up_to_tokens, "thresholds: limits must ascend");
  }
  require(p.order_similarity >= 0 && p.order_similarity <= 1 && p.order_lcs >= 0 && p.order_lcs <= 1,
          "order-similarity, order-lcs: must be in [0, 1]");
  require(p.short_tokens >= 2 && p.short_tokens <= 1000, "short-tokens: must be in 2..1000");
}

std::string hash_hex(std::string_view bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

std::string content_hash(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, fmt::format("{}: cannot be read; the profile names it as its idf table", path));
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  return hash_hex(bytes);
}

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

const std::vector<std::pair<std::string_view, Setter>>& setters() {
  static const std::vector<std::pair<std::string_view, Setter>> table = {
      {"name", [](Profile& p, const toml::node& n, const std::string& w) { p.name = value_of<std::string>(n, w, "a text"); }},
      {"version", [](Profile& p, const toml::node& n, const std::string& w) { p.version = number_of(n, w); }},
      {"bits", [](Profile& p, const toml::node& n, const std::string& w) { p.bits = number_of(n, w); }},
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
      {"order-tokens", [](Profile& p, const toml::node& n, const std::string& w) { p.order_tokens = number_of(n, w); }},
      {"order-similarity",
       [](Profile& p, const toml::node& n, const std::string& w) { p.order_similarity = value_of<double>(n, w, "a number"); }},
      {"order-lcs", [](Profile& p, const toml::node& n, const std::string& w) { p.order_lcs = value_of<double>(n, w, "a number"); }},
      {"thresholds", set_thresholds},
  };
  return table;
}

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

std::string quoted(std::string_view text) {
  std::ostringstream out;
  out << toml::value<std::string>(std::string(text));
  return out.str();
}

std::string thresholds_text(const Profile& p) {
  std::string text;
  for (const auto& [limit, similarity] : p.thresholds) {
    if (!text.empty()) text += ", ";
    text += limit == 0xffffffffU ? fmt::format("{{similarity = {}}}", similarity)
                                 : fmt::format("{{up-to-tokens = {}, similarity = {}}}", limit, similarity);
  }
  return text;
}

}  // namespace

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const BuiltIn& entry : built_in) names.emplace_back(entry.name);
  return names;
}

Profile parse_profile(std::string_view text, const std::string& path) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::format, fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
  }
  Profile profile;
  if (const auto base = table["base"].value<std::string>()) profile = built_in_profile(*base);
  for (const auto& [key, node] : table) {
    if (key.str() == "base") continue;
    const std::string where = fmt::format("{}:{}: {}", path, node.source().begin.line, key.str());
    const auto& known = setters();
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.first == key.str(); });
    if (found == known.end()) throw Error(ErrorCode::format, where + ": no such setting");
    found->second(profile, node, where);
  }
  check(profile);
  return profile;
}

Profile load_profile(std::string_view name_or_path) {
  if (name_or_path.find('/') == std::string_view::npos && !name_or_path.ends_with(".toml")) return built_in_profile(name_or_path);
  const std::string path(name_or_path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, fmt::format("{}: no such profile file", path));
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  return parse_profile(text, path);
}

std::string to_toml(const Profile& p) {
  std::string text = fmt::format(
      "name = {}\nversion = {}\nbits = {}\nfold-traditional = {}\nfeatures = \"{}\"\nngram-sizes = [{}]\nnumbered = {}\nweights = \"{}\"\n",
      quoted(p.name), p.version, p.bits, p.fold_traditional, feature_names[static_cast<std::size_t>(p.features)],
      fmt::join(p.ngram_sizes, ", "), p.numbered, weight_names[static_cast<std::size_t>(p.weights)]);
  if (!p.idf_file.empty()) text += fmt::format("idf = {}\n", quoted(p.idf_file));
  if (!p.key.empty()) text += fmt::format("key = {}\n", quoted(p.key));
  text += fmt::format("minhash = {}\nshort-tokens = {}\nthresholds = [{}]\n", p.minhash, p.short_tokens, thresholds_text(p));
  text += fmt::format("order-tokens = {}\norder-similarity = {}\norder-lcs = {}\n", p.order_tokens, p.order_similarity, p.order_lcs);
  return text;
}

namespace {

std::string lower_ascii(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return text;
}

}  // namespace

std::string profile_id(const Profile& p) {
  check(p);
  // Only what decides bits of a sketch, and what decides whether two of them match: not the profile's name, nor that of the idf file, nor
  // the key itself.
  std::string all = fmt::format(
      "leitong profile\nspecification {}\nunicode {}\nversion {}\nbits {}\nfold-traditional {}\nfeatures {}\nsizes {}\nnumbered "
      "{}\nweights {}\n",
      specification, unicode_version, p.version, p.bits, p.fold_traditional, feature_names[static_cast<std::size_t>(p.features)],
      fmt::join(p.ngram_sizes, ","), p.numbered, weight_names[static_cast<std::size_t>(p.weights)]);
  if (p.weights == WeightKind::tfidf) all += fmt::format("idf {}\n", content_hash(p.idf_file));
  if (!p.key.empty()) all += fmt::format("key {}\n", hash_hex("leitong key\n" + lower_ascii(p.key)));
  if (p.minhash) all += fmt::format("minhash {} {}\n", fingerprint::slot_count, hash_hex(fingerprint::common_bigrams()));
  all += fmt::format("short {}\nthresholds {}\n", p.short_tokens, thresholds_text(p));
  all += fmt::format("order {} {} {}\n", p.order_tokens, p.order_similarity, p.order_lcs);
  return hash_hex(all);
}

}  // namespace leitong
