// leitong profiles and leitong rules.
#include <fmt/format.h>

#include "cli/run.h"
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

}  // namespace

int run_profiles(const Invocation& invocation, Output& output) {
  if (!invocation.operands.empty()) {
    Settings settings = invocation.settings;
    settings.profile = invocation.operands[0];
    output.write(to_toml(effective_profile(settings)));
    return 0;
  }
  std::size_t widest = 4;
  for (const std::string& name : profile_names()) widest = std::max(widest, name.size());
  output.write(fmt::format("{:<{}}  bits  id\n", "name", widest));
  for (const std::string& name : profile_names()) {
    Settings settings = invocation.settings;
    settings.profile = name;
    const Profile profile = effective_profile(settings);
    output.write(fmt::format("{:<{}}  {:>4}  {}\n", name, widest, profile.bits, id_of(profile)));
  }
  return 0;
}

int run_rules(const Invocation& invocation, Output& output) {
  if (!invocation.operands.empty()) {
    Settings settings = invocation.settings;
    settings.rule = invocation.operands[0];
    output.write(to_toml(effective_rule_with_threshold(settings)));
    return 0;
  }
  std::size_t widest = 4;
  for (const std::string& name : rule_names()) widest = std::max(widest, name.size());
  output.write(fmt::format("{:<{}}  id\n", "name", widest));
  for (const std::string& name : rule_names()) {
    Settings settings = invocation.settings;
    settings.rule = name;
    output.write(fmt::format("{:<{}}  {}\n", name, widest, rule_id(effective_rule_with_threshold(settings))));
  }
  return 0;
}

}  // namespace leitong::cli
