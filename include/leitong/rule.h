// Rule: which candidates are near-duplicates, under one name, version and id.
//
// A profile (leitong/profile.h) decides what is stored of a text; a rule judges two texts of which that is known. So a store made under one
// rule may be asked under any other, and what depends on a rule says which: its name and id stand in every output that it judged. The id
// hashes every field but the name. docs/fingerprint-spec.md says what each field asks for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

struct Rule {
  std::string name = "near-2";
  std::uint32_t version = 1;

  // Two texts are near-duplicates when their multiset Jaccard similarity reaches the threshold of their length
  // (tokens of the shorter text): first entry whose limit is not exceeded.
  struct Threshold {
    std::uint32_t up_to_tokens;  // 0xffffffff: no limit
    double similarity;
  };
  std::vector<Threshold> thresholds = {{0xffffffffU, 0.50}};
  // Below this similarity more is asked for. Texts of one kind share their vocabulary (ordinances of two cities), so two of more than
  // order_tokens tokens each must also share their tokens in the same order: 2 · LCS / (n + m) >= order_lcs, or the shorter must stand in
  // the other, as an excerpt does: LCS / min(n, m) >= order_contained.
  double sure_similarity = 0.80;
  std::uint32_t order_tokens = 50;
  double order_lcs = 0.77, order_contained = 0.95;
  // And texts of one template share its words: of a collection, features that stand in more than template_records of its records (of a
  // sample of those that resemble another) weigh template_records / that number, and by these weights two texts whose similarity is below
  // template_sure must still have one of template_similarity. 0: not asked for.
  std::uint32_t template_records = 20;
  double template_similarity = 0.30, template_sure = 0.97;
  // Weights cannot tell short articles under one long menu from reprints of one text: of both, nearly all is common. But of two such pages
  // each has its own article in the same place, and the differences of reprints are scattered. So two texts of more than order_tokens
  // tokens and a similarity below template_sure, of whose shared features template_share and more stand in more than template_records
  // records (copies counted too), are no near-duplicates if what each has for itself is mostly one passage of at least template_passage
  // tokens, and both passages stand in the same place. 0: not asked for.
  std::uint32_t template_passage = 20;
  double template_share = 0.90;
  // Short notices differ where it matters in a few numbers, dates, or words such as "raises" and "lowers". Two texts, the shorter of which
  // has at most fact_tokens tokens, of a similarity below fact_sure, are no near-duplicates if they state fact_weight other facts and more
  // for each other word that they share, and these are more than fact_share of their facts (docs/accuracy.md). 0 tokens: not asked for.
  std::uint32_t fact_tokens = 100;
  double fact_sure = 0.90, fact_share = 0.15, fact_weight = 0.08;
};

// Names of the built-in rules, the default first.
[[nodiscard]] std::vector<std::string> rule_names();

// A built-in rule by name, or a TOML file by path (a name holding '/' or ending in ".toml").
// Throws Error(usage) for an unknown name, Error(format) with file and line for a bad file.
[[nodiscard]] Rule load_rule(std::string_view name_or_path);

// The same from TOML text; `where` names it in messages.
[[nodiscard]] Rule parse_rule(std::string_view toml, const std::string& where);

// The rule as TOML: parse_rule of it gives the same id.
[[nodiscard]] std::string to_toml(const Rule&);

// 32 lower-case hexadecimal digits. Throws Error(usage) if the fields contradict each other.
[[nodiscard]] std::string rule_id(const Rule&);

}  // namespace leitong
