#include "cluster/keep.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "cluster/date.h"
#include "leitong/error.h"
#include "text/host.h"

namespace leitong::cluster {
namespace {

constexpr std::string_view possible =
    "a rule is central, length:max, length:min, first, last, url, site:HOST, FIELD:max, FIELD:min, FIELD:newest, FIELD:oldest or "
    "FIELD:a>b>c, and rules "
    "are "
    "separated by commas";

[[noreturn]] void reject(std::string_view rule, std::string_view why) {
  throw Error(ErrorCode::usage, fmt::format("keep policy, rule \"{}\": {}; {}", rule, why, possible));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// The parts of `text` between separators, blanks around them removed.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

constexpr std::string_view keywords[] = {"max", "min", "newest", "oldest"};

bool is_keyword(std::string_view word) { return std::ranges::find(keywords, word) != std::end(keywords); }

// What people write for an order, and what it is called here. As the one value of a list such a word would decide nothing in silence.
std::string_view order_meant_by(std::string_view word) {
  static constexpr std::pair<std::string_view, std::string_view> meant_words[] = {
      {"latest", "newest"},  {"recent", "newest"}, {"most-recent", "newest"}, {"youngest", "newest"}, {"earliest", "oldest"},
      {"old", "oldest"},     {"new", "newest"},    {"maximum", "max"},        {"largest", "max"},     {"greatest", "max"},
      {"highest", "max"},    {"biggest", "max"},   {"most", "max"},           {"best", "max"},        {"desc", "max"},
      {"descending", "max"}, {"minimum", "min"},   {"smallest", "min"},       {"lowest", "min"},      {"least", "min"},
      {"fewest", "min"},     {"asc", "min"},       {"ascending", "min"},      {"longest", "max"},     {"shortest", "min"}};
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  if (lower != word && is_keyword(lower)) return *std::ranges::find(keywords, lower);
  const auto at = std::ranges::find(meant_words, std::string_view(lower), &std::pair<std::string_view, std::string_view>::first);
  return at == std::end(meant_words) ? std::string_view() : at->second;
}

std::vector<std::string> parse_values(std::string_view rule, std::string_view list) {
  std::vector<std::string> values;
  for (const std::string_view value : split(list, '>')) {
    if (value.empty()) reject(rule, "a value is missing");
    if (std::find(values.begin(), values.end(), value) != values.end()) reject(rule, fmt::format("\"{}\" is listed twice", value));
    values.emplace_back(value);
  }
  return values;
}

bool continues_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte >= 0x80;
}

bool path_holds(std::string_view path, std::string_view word) {
  for (;;) {
    const std::size_t end = path.find('/');
    if (path.substr(0, end) == word) return true;
    if (end == std::string_view::npos) break;
    path.remove_prefix(end + 1);
  }
  return path.starts_with(word) && !continues_word(path[word.size()]);  // longer than the word: equal was answered above
}

// The host itself, or one below it.
bool is_of_site(std::string_view host, std::string_view site) {
  if (host.size() < site.size() || site.empty() || !host.ends_with(site)) return false;
  return host.size() == site.size() || host[host.size() - site.size() - 1] == '.';
}

std::string_view value_of(const KeepCandidate& candidate, std::size_t field) {
  return field < candidate.fields.size() ? candidate.fields[field] : std::string_view{};
}

constexpr std::uint64_t missing = UINT64_MAX;  // after every key of a value

// Keys in the order of the values.
std::uint64_t ordered(std::int64_t value) { return static_cast<std::uint64_t>(value) ^ (1ULL << 63); }
std::uint64_t ordered(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // the two zeros become one
  return (bits >> 63) != 0 ? ~bits : bits | (1ULL << 63);
}

template <typename Value>
std::uint64_t key_of(const std::optional<Value>& value, bool greater_first) {
  if (!value) return missing;
  return greater_first ? ~ordered(*value) : ordered(*value);
}

}  // namespace

KeepPolicy::KeepPolicy(std::string_view text) {
  if (trimmed(text).empty()) throw Error(ErrorCode::usage, fmt::format("the keep policy is empty; {}", possible));
  for (const std::string_view rule : split(text, ',')) {
    if (rule.empty())
      throw Error(ErrorCode::usage, fmt::format("keep policy \"{}\": a rule is missing beside a comma; {}", text, possible));
    rules_.push_back(parse_rule(rule));
  }
  // What stands behind a rule that always decides is never asked.
  const auto total = [](const Rule& rule) { return rule.kind == Rule::Kind::first || rule.kind == Rule::Kind::last; };
  const auto decides = std::find_if(rules_.begin(), rules_.end(), total);
  if (decides == rules_.end())
    rules_.push_back(parse_rule("first"));
  else
    rules_.erase(decides + 1, rules_.end());
}

KeepPolicy::Rule KeepPolicy::parse_rule(std::string_view text) {
  using Kind = Rule::Kind;
  for (const auto& [name, kind] : {std::pair{"central", Kind::central}, {"first", Kind::first}, {"last", Kind::last}})
    if (text == name) return {kind, 0, 0, {}, std::string(text)};
  if (text == "url") {
    const std::size_t url = field_index("url");
    return {Kind::url, url, field_index("canonical"), {}, "url"};
  }
  const std::size_t last_colon = text.rfind(':');
  if (last_colon == std::string_view::npos) {
    if (text == "length" || text == "longest" || text == "shortest")
      reject(text, text == "shortest" ? "write length:min" : "write length:max");
    reject(text, "it names no order");
  }
  const bool keyword = is_keyword(trimmed(text.substr(last_colon + 1)));
  const std::size_t colon = keyword ? last_colon : text.find(':');
  const std::string_view field = trimmed(text.substr(0, colon));
  const std::string_view what = trimmed(text.substr(colon + 1));
  if (field.empty()) reject(text, "the field's name is missing before the colon");
  if (what.empty()) reject(text, "nothing follows the colon");
  const std::string canonical = fmt::format("{}:{}", field, what);
  if (const std::string_view meant = keyword ? std::string_view() : order_meant_by(what); !meant.empty())
    reject(text, fmt::format("\"{}\" is no order: write {}:{}", what, field, meant));
  if (field == "length") {
    if (what != "max" && what != "min") reject(text, "length is the text's own and has only max and min");
    return {what == "max" ? Kind::length_max : Kind::length_min, 0, 0, {}, canonical};
  }
  if (field == "first" || field == "last" || field == "central") reject(text, fmt::format("write {} alone", field));
  if (!keyword) {
    auto values = parse_values(text, what);
    const std::size_t own = field_index(field);
    if (field == "site") return {Kind::site, own, field_index("url"), std::move(values), canonical};
    return {Kind::values, own, 0, std::move(values), canonical};
  }
  const Kind kind = what == "max" ? Kind::number_max : what == "min" ? Kind::number_min : what == "newest" ? Kind::newest : Kind::oldest;
  return {kind, field_index(field), 0, {}, canonical};
}

std::size_t KeepPolicy::field_index(std::string_view name) {
  const auto at = std::find(fields_.begin(), fields_.end(), name);
  if (at != fields_.end()) return static_cast<std::size_t>(at - fields_.begin());
  fields_.emplace_back(name);
  return fields_.size() - 1;
}

const std::vector<std::string>& KeepPolicy::fields() const { return fields_; }

bool KeepPolicy::uses_neighbours() const {
  return std::any_of(rules_.begin(), rules_.end(), [](const Rule& rule) { return rule.kind == Rule::Kind::central; });
}

// Smaller for what should stay.
std::uint64_t KeepPolicy::address(const Rule& rule, const KeepCandidate& candidate) const {
  constexpr std::uint64_t longest = 0xffffffff;
  const std::string_view url = value_of(candidate, rule.field), canonical = value_of(candidate, rule.other);
  if (url.empty()) return missing;
  const std::uint64_t other = canonical == url ? 0 : 1, open = url.starts_with("https:") ? 0 : 1;
  return other << 33 | open << 32 | std::min<std::uint64_t>(url.size(), longest);
}

// Position of the first listed value that the candidate has; their number if it has none.
std::size_t KeepPolicy::preference(const Rule& rule, const KeepCandidate& candidate) const {
  const std::string_view value = value_of(candidate, rule.field);
  const bool is_source = fields_[rule.field] == "source";
  const std::string_view path = value.empty() ? candidate.source : value;
  const std::string host = rule.kind == Rule::Kind::site ? text::host_of(value_of(candidate, rule.other)) : std::string();
  const auto at = std::find_if(rule.values.begin(), rule.values.end(), [&](const std::string& word) {
    return value == word || (is_source && path_holds(path, word)) || is_of_site(host, word);
  });
  return static_cast<std::size_t>(at - rule.values.begin());
}

std::uint64_t KeepPolicy::key(std::size_t rule_index, const KeepCandidate& candidate) const {
  using Kind = Rule::Kind;
  const Rule& rule = rules_[rule_index];
  const std::string_view value = value_of(candidate, rule.field);
  switch (rule.kind) {
    case Kind::central:
      return ~std::uint64_t{candidate.neighbours};
    case Kind::length_max:
      return ~candidate.length;
    case Kind::length_min:
      return candidate.length;
    case Kind::first:
      return candidate.record;
    case Kind::last:
      return ~candidate.record;
    case Kind::number_max:
      return key_of(parse_number(value), true);
    case Kind::number_min:
      return key_of(parse_number(value), false);
    case Kind::newest:
      return key_of(parse_date(value), true);
    case Kind::oldest:
      return key_of(parse_date(value), false);
    case Kind::url:
      return address(rule, candidate);
    case Kind::site:
    case Kind::values:
      return preference(rule, candidate);
  }
  return 0;
}

}  // namespace leitong::cluster
