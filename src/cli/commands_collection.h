// The part of the table of commands that is index and its actions.
#pragma once

#include <span>

#include "cli/flags.h"

namespace leitong::cli {

[[nodiscard]] std::span<const CommandInfo> collection_commands();

}  // namespace leitong::cli
