// leitong profiles and leitong rules.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/terminal.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

// The id hashes the dictionary and the tables, so a profile has none before these are there.
std::string id_of(const Profile& profile) {
  if (profile.program == Program::java_001b && profile.idf_file.empty()) return "(needs --idf FILE)";
  try {
    return profile_id(profile);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::usage) throw;
    return "(needs its dictionary: leitong data add)";
  }
}

int run_profiles(const Invocation& invocation, Output& output) {
  if (!invocation.operands.empty()) {
    ProfileSettings settings = invocation.settings.profile;
    settings.name = invocation.operands[0];
    output.write(to_toml(effective_profile(settings)));
    return 0;
  }
  std::size_t widest = 4;
  for (const std::string& name : profile_names()) widest = std::max(widest, name.size());
  output.write(fmt::format("{:<{}}  bits  id\n", "name", widest));
  for (const std::string& name : profile_names()) {
    ProfileSettings settings = invocation.settings.profile;
    settings.name = name;
    const Profile profile = effective_profile(settings);
    output.write(fmt::format("{:<{}}  {:>4}  {}\n", name, widest, profile.bits, id_of(profile)));
  }
  return 0;
}

int run_rules(const Invocation& invocation, Output& output) {
  if (!invocation.operands.empty()) {
    RuleSettings settings = invocation.settings.rule;
    settings.name = invocation.operands[0];
    output.write(to_toml(effective_rule_with_threshold(settings)));
    return 0;
  }
  std::size_t widest = 4;
  for (const std::string& name : rule_names()) widest = std::max(widest, name.size());
  output.write(fmt::format("{:<{}}  id\n", "name", widest));
  for (const std::string& name : rule_names()) {
    RuleSettings settings = invocation.settings.rule;
    settings.name = name;
    output.write(fmt::format("{:<{}}  {}\n", name, widest, rule_id(effective_rule_with_threshold(settings))));
  }
  return 0;
}

}  // namespace

constexpr CommandInfo profiles_command{
    .command = cmd_profiles,
    .name = "profiles",
    .purpose = "List the built-in profiles, or print one as TOML",
    .usage = "[NAME|FILE] [FLAG...]",
    .description =
        "Without a name: name, bits and id of each built-in profile, the default first. With one: the profile as TOML, "
        "with the overrides of the flags put in, ready to be a file for --profile. The id hashes every setting and "
        "table; only fingerprints of one id may be compared.",
    .examples = "leitong profiles\nleitong profiles leitong-1 --bits 128 > mine.toml",
    .exit_codes = exits_done,
    .most = 1,
    .operands = "profiles",
    .run = run_profiles};

constexpr CommandInfo rules_command{
    .command = cmd_rules,
    .name = "rules",
    .purpose = "List the built-in rules, which say what near-duplicates are, or print one as TOML",
    .usage = "[NAME|FILE] [FLAG...]",
    .description =
        "Without a name: name and id of each built-in rule, the default first. With one: the rule as TOML, ready to be changed "
        "and to be a file for --rule. A profile decides what is stored of a text, a rule which texts are near-duplicates; so a "
        "collection may be asked under any rule. The id hashes every setting and stands in every output that the rule judged.",
    .examples = "leitong rules\nleitong rules near-1 --threshold 0.6 > mine.toml\nleitong dedup news.jsonl --rule mine.toml -o out",
    .exit_codes = exits_done,
    .most = 1,
    .operands = "rules",
    .run = run_rules};

}  // namespace leitong::cli
