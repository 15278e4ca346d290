// A comparison for people and for programs.
#pragma once

#include <string>
#include <string_view>

#include "cli/terminal.h"
#include "leitong/similarity.h"

namespace leitong::cli {

// The verdict, and what decided it. One line without its end.
[[nodiscard]] std::string verdict(const Comparison& comparison, const Profile& profile, const Rule& rule);
// Fingerprints and all measures, a line each.
void show_measures(const Comparison& comparison, const Profile& profile, Output& output);
// An empty line and the difference, marked or coloured.
void show_difference(std::string_view a, std::string_view b, const Comparison& comparison, const FaceSettings& face, Output& output);

// What a comparison was made by.
struct ComparedBy {
  const Profile& profile;
  std::string profile_id;
  const Rule& rule;
  std::string rule_id;
};
// Members of a JSON object, without braces: the verdict, all measures, the fingerprints.
[[nodiscard]] std::string comparison_json(const Comparison& comparison, const ComparedBy& by);
// The member "diff".
[[nodiscard]] std::string difference_json(std::string_view a, std::string_view b, const Comparison& comparison);

}  // namespace leitong::cli
