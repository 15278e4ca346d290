#include "outputs/output_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <system_error>

#include "leitong/error.h"
#include "outputs/output_file.h"

namespace leitong::outputs {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void is_foreign(const std::string& path) {
  throw Error(ErrorCode::usage,
              fmt::format("{}: Leitong has not made it, so it is not replaced: move it, or give another --output-dir", path));
}

}  // namespace

std::string layout_list_name(const std::string& name) { return ".leitong-" + name; }

std::string layout_list(const std::string& output_dir, const std::string& name) { return output_dir + "/" + layout_list_name(name); }

std::vector<std::string> read_layout(const std::string& output_dir, const std::string& name) {
  std::ifstream file(layout_list(output_dir, name), std::ios::binary);
  std::vector<std::string> names;
  for (std::string one; std::getline(file, one, '\0');) names.push_back(one);
  return names;
}

void write_layout(const std::string& output_dir, const std::string& name, const std::vector<std::string>& names) {
  std::string content;
  for (const std::string& one : names) content.append(one).push_back('\0');
  write_file(layout_list(output_dir, name), content);
}

void require_own(const std::string& directory, std::vector<std::string> names) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(directory, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) is_foreign(directory);
  std::ranges::sort(names);
  for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().string();
    if (fs::is_directory(entry->symlink_status())) continue;
    if (!std::ranges::binary_search(names, path.substr(directory.size() + 1))) is_foreign(path);
  }
  if (error) throw Error(ErrorCode::io, fmt::format("{}: cannot be listed: {}", directory, error.message()));
}

void remove_listed(const std::string& directory, const std::vector<std::string>& names) {
  std::set<std::string, std::greater<>> directories = {directory};  // sorted so that subdirectories come before their parents
  std::error_code ignored;
  if (names.empty() || !fs::is_directory(fs::symlink_status(directory, ignored))) return;
  for (const std::string& name : names) {
    fs::remove(directory + "/" + name, ignored);
    for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
      directories.insert(directory + "/" + name.substr(0, slash));
  }
  for (const std::string& empty : directories) fs::remove(empty, ignored);
}

}  // namespace leitong::outputs
