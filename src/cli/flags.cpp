#include "cli/flags.h"

#include <algorithm>

#include "cli/commands.h"
#include "cli/flag_tables.h"

namespace leitong::cli {
namespace {

using Table = std::vector<Flag>;

Table shared_flags() {
  Table all;
  for (const std::span<const Flag> part :
       {input_flags(), profile_flags(), matching_flags(), output_flags(), near_flags(), collection_flags(), general_flags()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Where help has it: before the one that it names, else behind all of its group.
Table::iterator place_of(const Flag& own, Table& all) {
  const auto is_next = [&](const Flag& flag) { return (flag.commands & own.commands) != 0 && std::string_view(flag.name) == own.before; };
  if (*own.before != '\0') return std::find_if(all.begin(), all.end(), is_next);
  const auto is_of_group = [&](const Flag& flag) { return flag.group == own.group; };
  const auto last = std::find_if(all.rbegin(), all.rend(), is_of_group);
  return last == all.rend() ? all.end() : last.base();
}

Table join_tables() {
  Table all = shared_flags();
  for (const CommandInfo& info : commands())
    for (Flag own : info.own_flags) {
      own.commands = info.command;
      all.insert(place_of(own, all), own);
    }
  return all;
}

}  // namespace

std::span<const Flag> flags() {
  static const Table all = join_tables();
  return all;
}

}  // namespace leitong::cli
