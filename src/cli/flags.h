// The one table of flags. Parsing, --help, the man page, the completions and the configuration file are all made from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/settings.h"

namespace leitong::cli {

// Commands are bits, so that a flag can say in one number which of them take it.
enum Command : unsigned {
  cmd_dedup = 1U << 0,
  cmd_sketch = 1U << 1,
  cmd_join = 1U << 2,
  cmd_verify = 1U << 3,
  cmd_cluster = 1U << 4,
  cmd_apply = 1U << 5,
  cmd_restore = 1U << 6,
  cmd_fingerprint = 1U << 7,
  cmd_compare = 1U << 8,
  cmd_profiles = 1U << 9,
  cmd_help = 1U << 10,
  cmd_version = 1U << 11,
  cmd_completions = 1U << 12,
  cmd_segment = 1U << 13,
  cmd_normalize = 1U << 14,
  cmd_idf = 1U << 15,
  cmd_parity = 1U << 16,
  cmd_data = 1U << 17,
  cmd_explain = 1U << 18,
  cmd_calibrate = 1U << 19,
  cmd_overlap = 1U << 20,
  cmd_search = 1U << 21,
  cmd_all = (1U << 22) - 1,
};

enum class Kind { boolean, text, list, number, size, real, choice };
enum class Group { fingerprints, input, profile, matching, keeping, output, calibration, job, general };

// A flag's argument after its kind's check.
struct Value {
  std::string text;
  std::uint64_t number = 0;
  double real = 0;
  bool on = true;
};

struct Flag {
  const char* name = "";      // without the dashes
  char letter = 0;            // one-letter spelling, 0: none
  const char* argument = "";  // what help calls it; empty for a boolean
  Kind kind = Kind::boolean;
  const char* fallback = "";  // what holds without the flag, for help; empty: nothing to say
  const char* help = "";      // one or two sentences, without the last full stop
  Group group = Group::general;
  unsigned commands = 0;                            // that take it
  unsigned required = 0;                            // commands that cannot do without it
  const char* aliases = "";                         // other long names, separated by spaces
  const char* choices = "";                         // Kind::choice: separated by spaces
  std::uint64_t low = 0, high = ~std::uint64_t{0};  // Kind::number; Kind::size has the lower end only, in whole MiB
  void (*set)(Settings&, const Value&) = nullptr;
};

struct CommandInfo {
  Command command = cmd_help;
  const char* name = "";
  const char* purpose = "";      // one sentence
  const char* usage = "";        // operands and required flags
  const char* description = "";  // paragraphs separated by an empty line
  const char* examples = "";     // one a line
  const char* exit_codes = "";   // one a line: "0 done"
  unsigned least = 0, most = 0;  // operands
  const char* operands = "";     // "files", "names": for completions
};

[[nodiscard]] std::span<const Flag> flags();
[[nodiscard]] std::span<const CommandInfo> commands();
[[nodiscard]] const CommandInfo* find_command(std::string_view name);
[[nodiscard]] const CommandInfo& command_info(Command command);
[[nodiscard]] std::string_view group_title(Group group);
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view words);

// Dashes for underscores: both spellings of a name are the same flag.
[[nodiscard]] std::string canonical_name(std::string_view name);
// By name or alias, preferring one that `command` takes; null: none has that name.
[[nodiscard]] const Flag* find_flag(std::string_view name, Command command);
[[nodiscard]] const Flag* find_letter(char letter, Command command);
// Names that peers have and Leitong has not, with the reason; empty: not one of them.
[[nodiscard]] std::string_view refusal(std::string_view name);

// Checks `text` by the flag's kind. Throws Error(usage) that begins with `origin` ("--bits", "leitong.toml:3: bits").
[[nodiscard]] Value check_value(const Flag& flag, std::string_view text, std::string_view origin);

}  // namespace leitong::cli
