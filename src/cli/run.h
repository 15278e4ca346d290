// The commands: settings and operands to calls of the library. Each returns the exit code.
#pragma once

#include "cli/parse.h"
#include "cli/terminal.h"

namespace leitong::cli {

int run_dedup(const Invocation& invocation, const std::vector<std::string>& command_line, Output& output);
int run_join(const Invocation& invocation, Output& output);  // of fingerprints, or as a stage
int run_search(const Invocation& invocation, Output& output);
int run_stage(const Invocation& invocation, Output& output);
int run_restore(const Invocation& invocation, Output& output);
int run_records(const Invocation& invocation, Output& output);
// The closing note of a command that reads records, and its exit code: 1 if there was not one good record.
int end_of_records(const Counts& counts, const Settings& settings);
int run_data(const Invocation& invocation, Output& output);
int run_compare(const Invocation& invocation, Output& output);
int run_calibrate(const Invocation& invocation, Output& output);
int run_explain(const Invocation& invocation, Output& output);
int run_overlap(const Invocation& invocation, Output& output);
int run_profiles(const Invocation& invocation, Output& output);
int run_keywords(const Invocation& invocation, Output& output);
int run_rules(const Invocation& invocation, Output& output);
int run_idf(const Invocation& invocation, Output& output);
int run_collection(const Invocation& invocation, Output& output);  // all actions
int run_copy(const Invocation& invocation, Output& output);
int run_parity(const Invocation& invocation, Output& output);

}  // namespace leitong::cli
