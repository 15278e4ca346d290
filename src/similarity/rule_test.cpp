#include "leitong/rule.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <set>

#include "leitong/error.h"
#include "leitong/profile.h"
#include "similarity/thresholds.h"

namespace leitong {
namespace {

TEST(Rule, BuiltInOnesHaveTheirOwnIdsAndSurviveToml) {
  std::set<std::string> ids;
  for (const std::string& name : rule_names()) {
    const Rule rule = load_rule(name);
    EXPECT_EQ(rule.name, name);
    EXPECT_EQ(to_toml(parse_rule(to_toml(rule), "test")), to_toml(rule));
    const std::string id = rule_id(rule);
    EXPECT_EQ(id.size(), 32U);
    EXPECT_TRUE(ids.insert(id).second) << name;
    EXPECT_EQ(rule_id(parse_rule(to_toml(rule), "test")), id) << to_toml(rule);
  }
  EXPECT_EQ(rule_names().front(), Rule{}.name);
}

// What is stored of a text knows nothing of the rule: a store stays what it is, whatever the rule becomes.
TEST(Rule, EveryFieldChangesItsIdAndNoProfiles) {
  const std::function<void(Rule&)> changes[] = {
      [](Rule& r) { r.version = 2; },           [](Rule& r) { r.thresholds.front().similarity = 0.55; },
      [](Rule& r) { r.sure_similarity = 0.7; }, [](Rule& r) { r.order_tokens = 2000; },
      [](Rule& r) { r.order_lcs = 0.5; },       [](Rule& r) { r.order_contained = 0.9; },
      [](Rule& r) { r.template_records = 30; }, [](Rule& r) { r.template_similarity = 0.2; },
      [](Rule& r) { r.template_sure = 0.9; },   [](Rule& r) { r.fact_tokens = 50; },
      [](Rule& r) { r.template_passage = 0; },  [](Rule& r) { r.template_share = 0.8; },
      [](Rule& r) { r.fact_sure = 0.8; },       [](Rule& r) { r.fact_share = 0.2; },
      [](Rule& r) { r.fact_weight = 0.1; },
  };
  const std::string profile = profile_id(Profile{});
  std::set<std::string> ids = {rule_id(Rule{})};
  for (const auto& change : changes) {
    Rule rule;
    change(rule);
    EXPECT_TRUE(ids.insert(rule_id(rule)).second) << to_toml(rule);
    EXPECT_EQ(rule_id(parse_rule(to_toml(rule), "test")), rule_id(rule));
    EXPECT_EQ(profile_id(load_profile(profile_names().front())), profile);
  }
  Rule named;
  named.name = "another";
  EXPECT_TRUE(ids.contains(rule_id(named)));
  // No key of a rule is one of a profile, but its name and version.
  const std::string toml = to_toml(Profile{});
  for (const char* key : {"thresholds", "sure", "order", "template", "fact"}) EXPECT_EQ(toml.find(key), std::string::npos) << key;
}

TEST(Rule, ContradictionsAndErrorsAreNamed) {
  const auto message = [](const char* toml) -> std::string {
    try {
      (void)parse_rule(toml, "r.toml");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("thresholds = [{up-to-tokens = 10, similarity = 0.5}]\n").find("thresholds"), std::string::npos);
  EXPECT_NE(message("order-lcs = 1.5\n").find("order-lcs: must be in [0, 1]"), std::string::npos);
  EXPECT_NE(message("template-records = 0\n").find("template-records: must be in 1..1000"), std::string::npos);
  EXPECT_NE(message(("name = \"" + std::string(101, 'x') + "\"\n").c_str()).find("name: at most 100 bytes"), std::string::npos);
  EXPECT_NE(message("version = 1\nbits = 1\n").find("r.toml:2: bits: no such setting"), std::string::npos);
  EXPECT_NE(message("order-lcs = \"x\"\n").find("r.toml:1: order-lcs"), std::string::npos);
  EXPECT_THROW((void)load_rule("nobody"), Error);
  EXPECT_THROW((void)load_rule("/no/such/file.toml"), Error);
  EXPECT_EQ(parse_rule("base = \"near-1\"\nname = \"mine\"\norder-lcs = 0.5\n", "r.toml").order_lcs, 0.5);
}

// The vectors of docs/fingerprint-spec.md, section 7: {"rule", "toml" of those that are not built in, "id"} a line. An independent
// implementation computes them again (tests/spec/check_vectors.py). A built-in rule does not change: what judges otherwise has a new name.
TEST(Rule, IdsAreThoseOfTheSpecification) {
  constexpr std::string_view others[] = {
      R"(name = \"by-length\"\nversion = 2\nthresholds = [{up-to-tokens = 1000, similarity = 0.6}, {similarity = 0.66}]\n)",
      R"(base = \"near-1\"\nname = \"strict\"\nthresholds = [{similarity = 1}]\nsure-similarity = 1\norder-lcs = 0.00001\norder-tokens = 0\n)",
      R"(name = \"templates\"\ntemplate-records = 30\ntemplate-similarity = 0.25\ntemplate-sure = 0.97\norder-contained = 0.9\n)",
  };
  std::vector<std::string> wanted, stored;
  for (const std::string& name : rule_names())
    wanted.push_back(fmt::format(R"({{"rule": "{}", "id": "{}"}})", name, rule_id(load_rule(name))));
  for (const std::string_view escaped : others) {
    std::string toml;
    for (std::size_t i = 0; i < escaped.size(); ++i) toml += escaped[i] != '\\' ? escaped[i] : escaped[++i] == 'n' ? '\n' : escaped[i];
    const Rule rule = parse_rule(toml, "other");
    wanted.push_back(fmt::format(R"({{"rule": "{}", "toml": "{}", "id": "{}"}})", rule.name, escaped, rule_id(rule)));
  }
  std::ifstream file(LEITONG_SOURCE_DIR "/tests/spec/rules.jsonl");
  for (std::string line; std::getline(file, line);) stored.push_back(line);
  EXPECT_EQ(stored, wanted);
}

// Up to which similarity a template is looked for is a choice of its own.
TEST(Rule, TemplatesMatterUpToTheirOwnSimilarity) {
  Rule rule = load_rule("near-1");
  EXPECT_TRUE(similarity::templates_matter(rule, 0.79));
  EXPECT_FALSE(similarity::templates_matter(rule, 0.80));
  rule = load_rule("near-2");
  EXPECT_TRUE(similarity::templates_matter(rule, 0.96));
  EXPECT_FALSE(similarity::order_matters(rule, 0.96, 100, 100));
  rule.template_sure = 1;
  EXPECT_FALSE(similarity::templates_matter(rule, 1));
  EXPECT_TRUE(similarity::passages_matter(rule, 0.96, 51, 51));
  EXPECT_FALSE(similarity::passages_matter(rule, 0.96, 51, 50));
  rule.template_passage = 0;
  EXPECT_FALSE(similarity::passages_matter(rule, 0.5, 51, 51));
}

// near-1 asks for no facts; near-2 of short texts that are not almost equal.
TEST(Rule, FactsMatterOfShortTexts) {
  const Rule rule = load_rule("near-2");
  EXPECT_TRUE(similarity::facts_matter(rule, 0.89, 20, 100));
  EXPECT_TRUE(similarity::facts_matter(rule, 0.50, 100, 200));
  EXPECT_FALSE(similarity::facts_matter(rule, 0.90, 20, 20));
  EXPECT_FALSE(similarity::facts_matter(rule, 0.80, 101, 101));
  EXPECT_FALSE(similarity::facts_matter(load_rule("near-1"), 0.6, 20, 20));
}

}  // namespace
}  // namespace leitong
