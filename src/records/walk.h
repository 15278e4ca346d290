// Paths to the list of files behind them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/input.h"

namespace leitong::records {

struct Entry {
  std::string path;
  std::uint64_t size = 0;     // 0 for what is not a regular file
  std::int64_t modified = 0;  // nanoseconds; never 0 for a regular file
  bool spooled = false;       // standard input, a pipe or a device: can be read only once
  bool in_directory = false;  // found in a directory, not named by the caller
  std::string error;          // not empty: cannot be read, and why
  std::uint64_t device = 0, inode = 0;
  std::shared_ptr<const ColumnSource> table = nullptr;  // not null: it stands in memory
};

// What a list of paths holds besides the files to read.
struct Findings {
  std::vector<std::string> with_results;                         // directories with results of runs, which were left out
  std::vector<std::pair<std::string, std::string>> named_twice;  // the second name of a file, and the first
};

// In the order of options.paths; a directory's files sorted by the bytes of their paths. Symbolic links inside directories are not
// followed, special files inside them and results of runs (made_files.h) are left out. A file that is met again, under whatever name (by
// device and inode), is left out too: it would only be its own duplicate. Throws Error(io) for a path that does not exist or may not be
// read.
[[nodiscard]] std::vector<Entry> expand_paths(const InputOptions& options, Findings* findings = nullptr);
// Throws as expand_paths does, without listing directories.
void check_paths(const InputOptions& options);

// `*` any characters, '/' too; a part `**/` any directories, or none; `?` one character; `[a-z]`, `[!a-z]` one of a set.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);

// As it stands on disk now. False if it does not exist.
bool stat_file(const std::string& path, std::uint64_t& size, std::int64_t& modified);

}  // namespace leitong::records
