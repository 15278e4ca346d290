// leitong compare.
#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/operands.h"
#include "cli/parse.h"
#include "cli/terminal.h"

namespace leitong::cli {
namespace {

int run_compare(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const Profile profile = effective_profile(s.profile);
  const Rule rule = effective_rule_with_threshold(s.rule);
  const auto [a, b] = read_operands(invocation);
  const Comparison comparison = compare(a, b, profile, rule);
  if (s.face.json) {
    output.write("{" + comparison_json(comparison, {profile, profile_id(profile), rule, rule_id(rule)}) + "," +
                 difference_json(a, b, comparison) + "}\n");
  } else {
    output.write(verdict(comparison, profile, rule) + "\n\n");
    show_measures(comparison, profile, output);
    show_difference(a, b, comparison, s.face, output);
  }
  return comparison.near_duplicate ? 0 : 1;
}

}  // namespace

constexpr CommandInfo compare_command{
    .command = cmd_compare,
    .name = "compare",
    .purpose = "Compare two texts: distance, similarities, and what differs",
    .usage = "A B [FLAG...]",
    .description =
        "A and B are files where files of these names exist (one may be - for standard input), else the texts "
        "themselves; what looks like the name of a file that is not there is an error. The difference is by words, "
        "or characters in Chinese: coloured on a terminal, otherwise "
        "[-only in A-] and {+only in B+}.",
    .examples = "leitong compare old.txt new.txt\nleitong compare --text '谢谢童学们的支持' '谢谢同学们的支持'",
    .exit_codes = "0 near-duplicates: the similarity reaches the threshold\n1 not near-duplicates\n2 error",
    .least = 2,
    .most = 2,
    .operands = "files",
    .run = run_compare};

}  // namespace leitong::cli
