// leitong explain: two texts, or two records of a run, to what made their fingerprints differ.
#include <optional>
#include <string>

#include "cli/comparison.h"
#include "cli/diff.h"
#include "cli/explanation.h"
#include "cli/operands.h"
#include "cli/run.h"
#include "cli/signals.h"
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
    show_explanation(*told.explanation, s, use_color(s.color), output);
  } else {
    output.write("\n" + harmless(std::string("the features behind the bits cannot be told: ").append(told.no_features)) + "\n");
  }
  show_difference(told.a, told.b, told.comparison, s, output);
}

std::string json_of(const Told& told, const ComparedBy& by, const Settings& s) {
  return comparison_json(told.comparison, by) + "," +
         (told.explanation ? explanation_json(*told.explanation, s) : "\"no_features\":" + json_string(told.no_features)) + "," +
         difference_json(told.a, told.b, told.comparison);
}

int explain_texts(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const Profile profile = effective_profile(s);
  const Rule rule = effective_rule_with_threshold(s);
  const auto [a, b] = read_operands(invocation);
  const Comparison comparison = compare(a, b, profile, rule);
  std::optional<Explanation> explanation;
  std::string no_features;
  try {
    explanation = explain(a, b, profile, s.top);
  } catch (const Error& error) {  // of too long texts, and of profiles whose bits are no votes
    no_features = error.what();
  }
  const Told told{a, b, comparison, explanation, no_features};
  if (s.json) {
    output.write("{" + json_of(told, {profile, profile_id(profile), rule, rule_id(rule)}, s) + "}\n");
  } else {
    output.write(verdict(comparison, profile, rule) + "\n\n");
    show(told, profile, s, output);
  }
  return 0;
}

// The run has a profile and a rule of its own; only the key is nowhere but with its owner.
void refuse_other_profiles(const Settings& s) {
  const bool replaced = !s.profile.empty() || s.bits || s.sketch || s.features || s.ngram_sizes || s.weights || s.fold_traditional ||
                        s.words || s.top_words || !s.parts_of_speech.empty() || !s.idf_file.empty() || !s.data.empty() ||
                        !s.stop_words.empty() || !s.word_weights.empty() || !s.rule.empty() || s.threshold || s.as_text;
  if (replaced)
    throw Error(
        ErrorCode::usage,
        "--run: the texts, the profile, the rule and the threshold are the run's own; of these flags only --key and --key-file go with it");
}

int explain_records(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  refuse_other_profiles(s);
  RunQuestion question;
  question.directory = s.run, question.a = invocation.operands[0], question.b = invocation.operands[1];
  question.key = key_of(s), question.most = s.top, question.stop = stop_flag();
  const RunExplanation run = explain_run(question);
  const bool has_texts = run.comparison.has_value();
  std::optional<Told> told;
  if (has_texts) told.emplace(Told{run.a.text, run.b.text, *run.comparison, run.explanation, run.no_features});
  if (s.json) {
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

}  // namespace

int run_explain(const Invocation& invocation, Output& output) {
  if (!invocation.settings.run.empty()) return explain_records(invocation, output);
  return explain_texts(invocation, output);
}

}  // namespace leitong::cli
