// Words made from the tables of commands and flags: help, man page, completions.
#pragma once

#include <string>
#include <string_view>

#include "cli/commands.h"

namespace leitong::cli {

[[nodiscard]] std::string general_help(unsigned width);
[[nodiscard]] std::string command_help(const CommandInfo& info, unsigned width);

// Roff for man(1).
[[nodiscard]] std::string man_page(std::string_view version);

// Throws Error(usage) unless `shell` is bash, zsh or fish.
[[nodiscard]] std::string completions(std::string_view shell);

// Words wrapped to `width`, every line after `indent` spaces; an empty line between paragraphs.
[[nodiscard]] std::string wrapped(std::string_view text, unsigned indent, unsigned width);

// "-k, --name ARG"
[[nodiscard]] std::string flag_spelling(const Flag& flag);
// The help sentence with choices and default.
[[nodiscard]] std::string flag_text(const Flag& flag);

inline constexpr Group all_groups[] = {Group::fingerprints, Group::collection, Group::input,       Group::profile, Group::matching,
                                       Group::keeping,      Group::output,     Group::calibration, Group::job,     Group::general};

}  // namespace leitong::cli
