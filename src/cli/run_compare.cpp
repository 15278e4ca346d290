// leitong compare.
#include "cli/comparison.h"
#include "cli/operands.h"
#include "cli/run.h"

namespace leitong::cli {

int run_compare(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const Profile profile = effective_profile(s);
  const Rule rule = effective_rule_with_threshold(s);
  const auto [a, b] = read_operands(invocation);
  const Comparison comparison = compare(a, b, profile, rule);
  if (s.json) {
    output.write("{" + comparison_json(comparison, {profile, profile_id(profile), rule, rule_id(rule)}) + "," +
                 difference_json(a, b, comparison) + "}\n");
  } else {
    output.write(verdict(comparison, profile, rule) + "\n\n");
    show_measures(comparison, profile, output);
    show_difference(a, b, comparison, s, output);
  }
  return comparison.near_duplicate ? 0 : 1;
}

}  // namespace leitong::cli
