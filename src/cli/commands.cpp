// The commands in the order of help. An entry stands with what it runs.
#include "cli/commands.h"

namespace leitong::cli {

std::span<const CommandInfo> commands() {
  static const std::vector<CommandInfo> all = {dedup_command,
                                               sketch_command,
                                               join_command,
                                               verify_command,
                                               cluster_command,
                                               apply_command,
                                               restore_command,
                                               fingerprint_command,
                                               segment_command,
                                               normalize_command,
                                               extract_command,
                                               keywords_command,
                                               idf_command,
                                               parity_command,
                                               data_command,
                                               compare_command,
                                               explain_command,
                                               overlap_command,
                                               calibrate_command,
                                               copy_command,
                                               search_command,
                                               collection_command,
                                               collection_create_command,
                                               collection_inspect_command,
                                               collection_adopt_command,
                                               collection_add_command,
                                               collection_query_command,
                                               collection_clusters_command,
                                               collection_delete_command,
                                               collection_get_command,
                                               collection_stats_command,
                                               collection_check_command,
                                               collection_compact_command,
                                               collection_backup_command,
                                               collection_export_command,
                                               collection_import_command,
                                               serve_command,
                                               profiles_command,
                                               rules_command,
                                               help_command,
                                               version_command,
                                               completions_command};
  return all;
}

const CommandInfo* find_command(std::string_view name) {
  constexpr std::string_view collection = "collection", older = "index";  // its other name, "index add" too
  const bool by_alias = name.starts_with(older) && (name.size() == older.size() || name[older.size()] == ' ');
  const std::string full = by_alias ? std::string(collection).append(name.substr(older.size())) : std::string(name);
  for (const CommandInfo& info : commands())
    if (full == info.name) return &info;
  return nullptr;
}

std::vector<const CommandInfo*> actions(const CommandInfo& command) {
  const std::string begin = std::string(command.name) + " ";
  std::vector<const CommandInfo*> out;
  for (const CommandInfo& info : commands())
    if (std::string_view(info.name).starts_with(begin)) out.push_back(&info);
  return out;
}

std::string_view action_name(const CommandInfo& info) {
  const std::string_view name = info.name;
  const std::size_t space = name.find(' ');
  return space == std::string_view::npos ? std::string_view() : name.substr(space + 1);
}

const CommandInfo& command_info(Command command) {
  for (const CommandInfo& info : commands())
    if (info.command == command) return info;
  return commands().front();
}

}  // namespace leitong::cli
