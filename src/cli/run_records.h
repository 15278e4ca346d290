// What the commands have in common that print something of each record.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/parse.h"
#include "cli/terminal.h"
#include "leitong/records.h"

namespace leitong::cli {

// Prints what a worker says of each record of the operands, in their order; first the notes, on standard error. Returns the exit code.
int run_on_records(const Invocation& invocation, const std::vector<std::string>& notes, const std::function<RecordWorker()>& make_worker,
                   Output& output);

// The closing note of a command that reads records, and its exit code: 1 if there was not one good record.
int end_of_records(const Counts& counts, const FaceSettings& face);

}  // namespace leitong::cli
