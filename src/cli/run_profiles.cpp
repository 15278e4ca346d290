#include <fmt/format.h>

#include "cli/run.h"

namespace leitong::cli {

int run_profiles(const Invocation& invocation, Output& output) {
  if (!invocation.operands.empty()) {
    Settings settings = invocation.settings;
    settings.profile = invocation.operands[0];
    output.write(to_toml(effective_profile_with_threshold(settings)));
    return 0;
  }
  std::size_t widest = 4;
  for (const std::string& name : profile_names()) widest = std::max(widest, name.size());
  output.write(fmt::format("{:<{}}  bits  id\n", "name", widest));
  for (const std::string& name : profile_names()) {
    Settings settings = invocation.settings;
    settings.profile = name;
    const Profile profile = effective_profile_with_threshold(settings);
    output.write(fmt::format("{:<{}}  {:>4}  {}\n", name, widest, profile.bits, profile_id(profile)));
  }
  return 0;
}

}  // namespace leitong::cli
