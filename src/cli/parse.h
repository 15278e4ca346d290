// argv to a command, its operands and settings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.h"

namespace leitong::cli {

// One flag as somebody wrote it.
struct Assignment {
  const Flag* flag = nullptr;
  std::string text;    // "true" for a boolean without an argument
  std::string origin;  // for messages: "--bits", "leitong.toml:3: bits"
};

struct Invocation {
  Command command = cmd_help;
  std::vector<std::string> operands;
  Settings settings;
  std::vector<std::string> command_line;  // as it was typed, the program's name first
};

// `arguments` without the program's name. Reads the file of --config. Throws Error(usage), with a suggestion where a name looks misspelt.
// With --help or --version nothing else is required.
[[nodiscard]] Invocation parse(const std::vector<std::string>& arguments);

// The flags of a TOML file, whose keys are long flag names (with dashes or underscores) of any command. Those that `command` does not
// take are passed over. `name` is for messages.
[[nodiscard]] std::vector<Assignment> read_config(std::string_view toml, std::string_view name, Command command);

// Whichever of `candidates` is near enough to `word` to be what was meant; empty: none.
[[nodiscard]] std::string suggest(std::string_view word, const std::vector<std::string>& candidates);

// " (did you mean X?)" or nothing.
[[nodiscard]] std::string suggestion_note(std::string_view word, const std::vector<std::string>& candidates, std::string_view prefix);

}  // namespace leitong::cli
