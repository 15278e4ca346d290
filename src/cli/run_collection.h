// The actions of index that read records. Each returns the exit code.
#pragma once

#include "cli/run.h"
#include "leitong/access.h"
#include "leitong/collection.h"

namespace leitong::cli {

int run_collection_add(const Invocation& invocation, Output& output);
int run_collection_import(const Invocation& invocation, Output& output);
int run_collection_query(const Invocation& invocation, Output& output);
int run_collection_clusters(const Invocation& invocation, Output& output);  // reads none

// The collection of the first operand, as the flags say. Throws Error(usage) if its profile is not that of --profile.
[[nodiscard]] Collection open_collection(const Invocation& invocation, Access access);
// The operands behind it, or standard input.
[[nodiscard]] std::vector<std::string> inputs_of(const Invocation& invocation);

}  // namespace leitong::cli
