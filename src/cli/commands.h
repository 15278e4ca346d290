// The one table of commands. Each entry stands with what it runs, in a run_*.cpp; commands.cpp joins them in the order of help.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cli/flags.h"

namespace leitong::cli {

struct Invocation;
class Output;

struct CommandInfo {
  Command command = cmd_help;
  const char* name = "";                 // of an action after its command's: "collection add"
  const char* purpose = "";              // one sentence
  const char* usage = "";                // operands and required flags
  const char* description = "";          // paragraphs separated by an empty line
  const char* examples = "";             // one a line
  const char* exit_codes = "";           // one a line: "0 done"
  unsigned least = 0, most = 0;          // operands
  const char* operands = "";             // "files", "names": for completions
  std::span<const Flag> own_flags = {};  // that no other command takes
  // Returns the exit code. None has a command whose first word says what to do (collection).
  int (*run)(const Invocation&, Output&) = nullptr;
};

// Exit codes of many.
inline constexpr const char* exits_done = "0 done\n2 error";
inline constexpr const char* exits_done_or_stopped = "0 done\n2 error\n130 stopped by a signal";
inline constexpr const char* exits_of_records = "0 done\n1 there was not one good record\n2 error\n130 stopped by a signal";

extern const CommandInfo dedup_command, sketch_command, join_command, verify_command, cluster_command, apply_command, restore_command,
    fingerprint_command, segment_command, normalize_command, extract_command, keywords_command, idf_command, parity_command, data_command,
    compare_command, explain_command, overlap_command, calibrate_command, copy_command, search_command, collection_command,
    collection_create_command, collection_inspect_command, collection_adopt_command, collection_add_command, collection_query_command,
    collection_clusters_command, collection_delete_command, collection_get_command, collection_stats_command, collection_check_command,
    collection_compact_command, collection_backup_command, collection_export_command, collection_import_command, serve_command,
    profiles_command, rules_command, help_command, version_command, completions_command;

int show_help(const CommandInfo& info, Output& output);  // what --help prints; returns the exit code

[[nodiscard]] std::span<const CommandInfo> commands();
[[nodiscard]] const CommandInfo* find_command(std::string_view name);  // null: none. "index" is "collection" too
// Of a command whose first word says what to do; empty: it has none.
[[nodiscard]] std::vector<const CommandInfo*> actions(const CommandInfo& command);
// The action's own word; empty: a command.
[[nodiscard]] std::string_view action_name(const CommandInfo& info);
[[nodiscard]] const CommandInfo& command_info(Command command);

}  // namespace leitong::cli
