// What the stages of dedup have in common when they run alone.
#pragma once

#include <string>

#include "cli/parse.h"
#include "cli/terminal.h"

namespace leitong::cli {

// Runs it with a progress line and prints the sentence that it returns.
int run_stage(std::string (*stage)(const Invocation&, const JobOptions&), const Invocation& invocation, Output& output);

}  // namespace leitong::cli
