// The one table of flags. Parsing, --help, the man page, the completions, the configuration file and a test of each are made from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/settings.h"

namespace leitong::cli {

// Commands are bits, so that a flag can say in one number which of them take it. An action of a command (collection add) is one, too.
using Commands = std::uint64_t;
enum Command : Commands {
  cmd_dedup = 1ULL << 0,
  cmd_sketch = 1ULL << 1,
  cmd_join = 1ULL << 2,
  cmd_verify = 1ULL << 3,
  cmd_cluster = 1ULL << 4,
  cmd_apply = 1ULL << 5,
  cmd_restore = 1ULL << 6,
  cmd_fingerprint = 1ULL << 7,
  cmd_compare = 1ULL << 8,
  cmd_profiles = 1ULL << 9,
  cmd_help = 1ULL << 10,
  cmd_version = 1ULL << 11,
  cmd_completions = 1ULL << 12,
  cmd_segment = 1ULL << 13,
  cmd_normalize = 1ULL << 14,
  cmd_idf = 1ULL << 15,
  cmd_parity = 1ULL << 16,
  cmd_data = 1ULL << 17,
  cmd_explain = 1ULL << 18,
  cmd_calibrate = 1ULL << 19,
  cmd_overlap = 1ULL << 20,
  cmd_search = 1ULL << 21,
  cmd_collection = 1ULL << 22,
  cmd_collection_create = 1ULL << 23,
  cmd_collection_add = 1ULL << 24,
  cmd_collection_query = 1ULL << 25,
  cmd_collection_delete = 1ULL << 26,
  cmd_collection_get = 1ULL << 27,
  cmd_collection_stats = 1ULL << 28,
  cmd_collection_check = 1ULL << 29,
  cmd_collection_compact = 1ULL << 30,
  cmd_collection_backup = 1ULL << 31,
  cmd_collection_export = 1ULL << 32,
  cmd_collection_import = 1ULL << 33,
  cmd_collection_clusters = 1ULL << 34,
  cmd_collection_adopt = 1ULL << 35,
  cmd_collection_inspect = 1ULL << 36,
  cmd_copy = 1ULL << 37,
  cmd_keywords = 1ULL << 38,
  cmd_rules = 1ULL << 39,
  cmd_serve = 1ULL << 40,
  cmd_extract = 1ULL << 41,
  cmd_all = (1ULL << 42) - 1,
};

enum class Kind { boolean, text, list, number, size, real, choice };
enum class Group { fingerprints, collection, input, profile, matching, keeping, output, calibration, job, general };

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
  const char* before = "";                          // of a command's own: the flag that help shows next; empty: it is the last of its group
  Commands commands = 0;                            // that take it; of a command's own flags() fills it in
  Commands required = 0;                            // commands that cannot do without it
  const char* aliases = "";                         // other long names, separated by spaces
  const char* choices = "";                         // Kind::choice: separated by spaces
  std::uint64_t low = 0, high = ~std::uint64_t{0};  // Kind::number; Kind::size has the lower end only, in whole MiB
  void (*set)(Settings&, const Value&) = nullptr;
  const char* example = "";                 // an argument that is not the default; empty: of a boolean
  bool (*took)(const Settings&) = nullptr;  // whether these settings are what `--name example` gives
};

[[nodiscard]] std::span<const Flag> flags();

// For Flag::took of a list.
[[nodiscard]] inline bool is_only(std::span<const std::string> list, std::string_view value) {
  return list.size() == 1 && list[0] == value;
}

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
