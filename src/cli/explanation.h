// An explanation for people and for programs.
#pragma once

#include <string>

#include "cli/terminal.h"
#include "leitong/explain.h"

namespace leitong::cli {

// Features named over all bits: this many times those of each bit.
inline constexpr std::uint32_t features_over_all = 4;

// The features that moved most, and the differing bits with theirs. Coloured if `color`.
void show_explanation(const Explanation& explanation, const ExplainSettings& settings, bool color, Output& output);
// Members of a JSON object, without braces.
[[nodiscard]] std::string explanation_json(const Explanation& explanation, const ExplainSettings& settings);

// What a run did with two records.
void show_run(const RunExplanation& run, Output& output);
[[nodiscard]] std::string run_json(const RunExplanation& run);

}  // namespace leitong::cli
