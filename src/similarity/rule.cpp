// Rules: the built-in ones, TOML, what contradicts, and ids.
#include "leitong/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>

#include "fingerprint/toml_values.h"
#include "leitong/error.h"
#include "similarity/thresholds.h"
#include "storage/content_file.h"

namespace leitong {
namespace {

using fingerprint::number_of;
using fingerprint::value_of;

constexpr unsigned specification = 1;  // docs/fingerprint-spec.md

// As it was before facts were looked at, for those who want that judgement.
void near_1(Rule& rule) { rule.template_sure = rule.sure_similarity, rule.template_passage = rule.fact_tokens = 0; }

struct BuiltIn {
  std::string_view name;
  void (*change)(Rule&);  // from the default; null: none
};
constexpr std::array<BuiltIn, 2> built_in = {{
    {"near-2", nullptr},
    {"near-1", near_1},
}};

// Every setting that is one number, in the order of TOML and id: a share from 0 to 1, or a count within its bounds.
struct Field {
  std::string_view key;
  std::variant<double Rule::*, std::uint32_t Rule::*> value;
  std::uint32_t least = 0, most = 0xffffffffU;
};
constexpr std::array<Field, 13> fields = {{
    {"sure-similarity", &Rule::sure_similarity},
    {"order-tokens", &Rule::order_tokens},
    {"order-lcs", &Rule::order_lcs},
    {"order-contained", &Rule::order_contained},
    {"template-records", &Rule::template_records, 1, 1000},
    {"template-similarity", &Rule::template_similarity},
    {"template-sure", &Rule::template_sure},
    {"template-passage", &Rule::template_passage, 0, 10000},
    {"template-share", &Rule::template_share},
    {"fact-tokens", &Rule::fact_tokens, 0, 10000},
    {"fact-sure", &Rule::fact_sure},
    {"fact-share", &Rule::fact_share},
    {"fact-weight", &Rule::fact_weight},
}};

void require(bool holds, const std::string& what) {
  if (!holds) throw Error(ErrorCode::usage, "rule: " + what);
}

void check(const Rule& rule) {
  require(rule.name.size() <= 100, "name: at most 100 bytes, for it stands in every output");
  require(!rule.thresholds.empty() && rule.thresholds.back().up_to_tokens == 0xffffffffU, "thresholds: the last one must have no limit");
  for (std::size_t i = 0; i < rule.thresholds.size(); ++i) {
    require(rule.thresholds[i].similarity > 0 && rule.thresholds[i].similarity <= 1, "thresholds: similarity must be in (0, 1]");
    require(i == 0 || rule.thresholds[i].up_to_tokens > rule.thresholds[i - 1].up_to_tokens, "thresholds: limits must ascend");
  }
  for (const Field& field : fields) {
    if (const auto* const share = std::get_if<double Rule::*>(&field.value)) {
      require(rule.**share >= 0 && rule.**share <= 1, fmt::format("{}: must be in [0, 1]", field.key));
    } else {
      const std::uint32_t count = rule.*std::get<std::uint32_t Rule::*>(field.value);
      require(count >= field.least && count <= field.most, fmt::format("{}: must be in {}..{}", field.key, field.least, field.most));
    }
  }
}

std::string written(const Rule& rule, const Field& field) {
  return std::visit([&](const auto member) { return fmt::format("{}", rule.*member); }, field.value);
}

Rule built_in_rule(std::string_view name) {
  for (const BuiltIn& entry : built_in) {
    if (entry.name != name) continue;
    Rule rule;
    rule.name = name;
    if (entry.change != nullptr) entry.change(rule);
    return rule;
  }
  throw Error(ErrorCode::usage,
              fmt::format("no rule \"{}\"; built in are {}; a file's name ends in .toml", name, fmt::join(rule_names(), ", ")));
}

void set_thresholds(Rule& rule, const toml::node& node, const std::string& where) {
  rule.thresholds.clear();
  const toml::array* list = node.as_array();
  if (list == nullptr) throw Error(ErrorCode::format, fmt::format("{}: expected a list of {{up-to-tokens, similarity}}", where));
  for (const toml::node& entry : *list) {
    const toml::table* table = entry.as_table();
    const toml::node* similarity = table == nullptr ? nullptr : table->get("similarity");
    if (similarity == nullptr) throw Error(ErrorCode::format, fmt::format("{}: an entry without similarity", where));
    const toml::node* limit = table->get("up-to-tokens");
    rule.thresholds.push_back(
        {limit == nullptr ? 0xffffffffU : number_of(*limit, where), value_of<double>(*similarity, where, "a number")});
  }
}

fingerprint::TomlSetters<Rule> make_setters() {
  fingerprint::TomlSetters<Rule> table = {
      {"name", [](Rule& r, const toml::node& n, const std::string& w) { r.name = value_of<std::string>(n, w, "a text"); }},
      {"version", [](Rule& r, const toml::node& n, const std::string& w) { r.version = number_of(n, w); }},
      {"thresholds", set_thresholds},
  };
  for (const Field& field : fields)
    table.emplace_back(field.key, [value = field.value](Rule& r, const toml::node& n, const std::string& w) {
      if (const auto* const share = std::get_if<double Rule::*>(&value)) {
        r.** share = value_of<double>(n, w, "a number");
      } else {
        r.*std::get<std::uint32_t Rule::*>(value) = number_of(n, w);
      }
    });
  return table;
}

}  // namespace

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const BuiltIn& entry : built_in) names.emplace_back(entry.name);
  return names;
}

Rule load_rule(std::string_view name_or_path) {
  if (!fingerprint::is_toml_path(name_or_path)) return built_in_rule(name_or_path);
  const std::string path(name_or_path);
  return parse_rule(fingerprint::read_toml_file(path, "rule"), path);
}

Rule parse_rule(std::string_view text, const std::string& path) {
  static const fingerprint::TomlSetters<Rule> setters = make_setters();
  const toml::table table = fingerprint::parse_toml(text, path);
  Rule rule;
  if (const auto base = table["base"].value<std::string>()) rule = built_in_rule(*base);
  fingerprint::take_toml(table, path, setters, rule, [](std::string_view) { return ""; });
  check(rule);
  return rule;
}

std::string to_toml(const Rule& rule) {
  std::string text = fmt::format("name = {}\nversion = {}\nthresholds = [{}]\n", fingerprint::quoted(rule.name), rule.version,
                                 similarity::thresholds_text(rule));
  for (const Field& field : fields) text += fmt::format("{} = {}\n", field.key, written(rule, field));
  return text;
}

std::string rule_id(const Rule& rule) {
  check(rule);
  std::string all = fmt::format("leitong rule\nspecification {}\nversion {}\nthresholds {}\n", specification, rule.version,
                                similarity::thresholds_text(rule));
  for (const Field& field : fields) all += fmt::format("{} {}\n", field.key, written(rule, field));
  return storage::content_hash(all);
}

}  // namespace leitong
