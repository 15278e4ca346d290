// leitong explain: two texts, or two records of a run, to what made their fingerprints differ.
#include <array>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/diff.h"
#include "cli/explanation.h"
#include "cli/operands.h"
#include "cli/parse.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

// Measures, features and difference of two texts; or, instead of the features, why they cannot be told.
struct Told {
  std::string_view a, b;
  const Comparison& comparison;
  const std::optional<Explanation>& explanation;
  std::string_view no_features;
};

void show(const Told& told, const Profile& profile, const Settings& s, Output& output) {
  show_measures(told.comparison, profile, output);
  if (told.explanation) {
    show_explanation(*told.explanation, s.explain, use_color(s.face.color), output);
  } else {
    output.write("\n" + harmless(std::string("the features behind the bits cannot be told: ").append(told.no_features)) + "\n");
  }
  show_difference(told.a, told.b, told.comparison, s.face, output);
}

std::string json_of(const Told& told, const ComparedBy& by, const Settings& s) {
  return comparison_json(told.comparison, by) + "," +
         (told.explanation ? explanation_json(*told.explanation, s.explain) : "\"no_features\":" + json_string(told.no_features)) + "," +
         difference_json(told.a, told.b, told.comparison);
}

int explain_texts(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const Profile profile = effective_profile(s.profile);
  const Rule rule = effective_rule_with_threshold(s.rule);
  const auto [a, b] = read_operands(invocation);
  const Comparison comparison = compare(a, b, profile, rule);
  std::optional<Explanation> explanation;
  std::string no_features;
  try {
    explanation = explain(a, b, profile, s.explain.top);
  } catch (const Error& error) {  // of too long texts, and of profiles whose bits are no votes
    no_features = error.what();
  }
  const Told told{a, b, comparison, explanation, no_features};
  if (s.face.json) {
    output.write("{" + json_of(told, {profile, profile_id(profile), rule, rule_id(rule)}, s) + "}\n");
  } else {
    output.write(verdict(comparison, profile, rule) + "\n\n");
    show(told, profile, s, output);
  }
  return 0;
}

// The run has a profile and a rule of its own; only the key is nowhere but with its owner.
void refuse_other_profiles(const Settings& s) {
  const ProfileSettings& p = s.profile;
  const bool replaced = !p.name.empty() || p.bits || p.sketch || p.features || p.ngram_sizes || p.weights || p.fold_traditional ||
                        p.words.segmenter || p.words.top || !p.words.parts_of_speech.empty() || !p.idf_file.empty() ||
                        !p.words.data.empty() || !p.words.stop_words.empty() || !p.words.weights.empty() || !s.rule.name.empty() ||
                        s.rule.threshold || s.face.as_text;
  if (replaced)
    throw Error(
        ErrorCode::usage,
        "--run: the texts, the profile, the rule and the threshold are the run's own; of these flags only --key and --key-file go with it");
}

int explain_records(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  refuse_other_profiles(s);
  RunQuestion question;
  question.directory = s.explain.run, question.a = invocation.operands[0], question.b = invocation.operands[1];
  question.key = key_of(s.profile), question.most = s.explain.top, question.stop = stop_flag();
  const RunExplanation run = explain_run(question);
  const bool has_texts = run.comparison.has_value();
  std::optional<Told> told;
  if (has_texts) told.emplace(Told{run.a.text, run.b.text, *run.comparison, run.explanation, run.no_features});
  if (s.face.json) {
    output.write("{" + run_json(run) + (told ? "," + json_of(*told, {run.profile, run.profile_id, run.rule, run.rule_id}, s) : "") + "}\n");
    return has_texts ? 0 : 1;
  }
  show_run(run, output);
  output.write("\n");
  if (told) {
    show(*told, run.profile, s, output);
  } else {
    output.write(harmless("the texts cannot be shown: " + run.no_texts) + "\n");
  }
  return has_texts ? 0 : 1;
}

int run_explain(const Invocation& invocation, Output& output) {
  if (!invocation.settings.explain.run.empty()) return explain_records(invocation, output);
  return explain_texts(invocation, output);
}

constexpr std::array own_flags{
    Flag{.name = "run",
         .argument = "DIR",
         .kind = Kind::text,
         .help =
             "A and B are records of the finished run in DIR: their ids, or SOURCE:RECORD or :RECORD with the number that removed.jsonl "
             "and clusters.jsonl give",
         .group = Group::input,
         .set = [](Settings& s, const Value& v) { s.explain.run = v.text; },
         .example = "some/dir",
         .took = [](const Settings& s) { return s.explain.run == "some/dir"; }},
    Flag{.name = "top",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "4",
         .help = "Features to name with each differing bit; four times as many over all bits",
         .group = Group::output,
         .high = 100'000,
         .set = [](Settings& s, const Value& v) { s.explain.top = static_cast<std::uint32_t>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.explain.top == 7U; }},
};

}  // namespace

constexpr CommandInfo explain_command{
    .command = cmd_explain,
    .name = "explain",
    .purpose = "Say why two fingerprints differ, and what a run did with two records",
    .usage = "A B [--run DIR] [FLAG...]",
    .description =
        "Prints what compare does, and what stands behind the fingerprints: the features that weigh more in one text than in the "
        "other, and of each bit that differs its counter in A and in B and the features that pulled it over. A feature that only A has "
        "is marked -, one that only B has +. Bit 0 is the least significant.\n\n"
        "With --run, A and B are records of a finished run. Says in which group each is and which record that group keeps, "
        "whether the pair was nominated and how, whether it was accepted and with which similarity, and for members of one group the "
        "shortest chain of accepted pairs between them; then explains the texts, read again from the inputs, by the run's own profile.",
    .examples =
        "leitong explain old.txt new.txt\n"
        "leitong explain --text '谢谢童学们的支持' '谢谢同学们的支持' --profile jieba\n"
        "leitong explain --run out en-001 en-002\n"
        "leitong explain --run out news.jsonl:17 :2041 --json",
    .exit_codes = "0 done\n1 with --run: the texts could not be read again\n2 error",
    .least = 2,
    .most = 2,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_explain};

}  // namespace leitong::cli
