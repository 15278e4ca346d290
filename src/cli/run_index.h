// The actions of index that read records. Each returns the exit code.
#pragma once

#include "cli/run.h"
#include "leitong/corpus.h"

namespace leitong::cli {

int run_index_add(const Invocation& invocation, Output& output);
int run_index_import(const Invocation& invocation, Output& output);
int run_index_query(const Invocation& invocation, Output& output);
int run_index_clusters(const Invocation& invocation, Output& output);  // reads none

// The collection of the first operand, as the flags say. Throws Error(usage) if its profile is not that of --profile.
[[nodiscard]] Corpus open_collection(const Invocation& invocation, Access access);
// The operands behind it, or standard input.
[[nodiscard]] std::vector<std::string> inputs_of(const Invocation& invocation);

}  // namespace leitong::cli
