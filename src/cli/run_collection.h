// What the actions of collection have in common.
#pragma once

#include <string>
#include <vector>

#include "cli/parse.h"
#include "cli/terminal.h"
#include "leitong/access.h"
#include "leitong/collection.h"

namespace leitong::cli {

// The collection of the first operand, as the flags say. Throws Error(usage) if its profile is not that of --profile.
[[nodiscard]] Collection open_collection(const Invocation& invocation, Access access);
// The operands behind it, or standard input.
[[nodiscard]] std::vector<std::string> inputs_of(const Invocation& invocation);
// Why texts of web pages, as the flags have them made, do not belong beside those of the collection; empty: they do, or --other-pages.
[[nodiscard]] std::string other_pages(const Settings& settings, const CollectionOptions& collection);

}  // namespace leitong::cli
