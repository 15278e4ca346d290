#include "cli/unread.h"

#include <fmt/format.h>

#include <set>

#include "cli/terminal.h"

namespace leitong::cli {
namespace {

std::set<std::string>& unread() {
  static std::set<std::string> paths;
  return paths;
}

}  // namespace

void add_unread(const std::string& path) { unread().insert(path == "-" ? "standard input" : path); }

int end_with_unread(int code) {
  constexpr std::size_t most_named = 3;
  if (unread().empty()) return code;
  std::string names;
  std::size_t named = 0;
  for (const std::string& path : unread())
    if (named++ < most_named) names += (names.empty() ? "" : ", ") + path;
  const std::size_t count = unread().size();
  print_error(fmt::format("INCOMPLETE: {} could not be read to {} end, and what was not read is missing from the results: {}{}",
                          count == 1 ? "an input" : fmt::format("{} inputs", count), count == 1 ? "its" : "their", names,
                          count > most_named ? fmt::format(" and {} more", count - most_named) : ""));
  return code == 0 ? exit_unread : code;
}

}  // namespace leitong::cli
