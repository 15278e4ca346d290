// Makes runs from other runs or from memory. Each is written, read back and verified before it is used.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/vfs.h"
#include "store/manifest.h"
#include "store/run.h"
#include "store/snapshot.h"

namespace leitong::store {

struct RunPlace {
  storage::Vfs& vfs;
  const std::string& directory;
  const Shape& shape;
  const KeysOf& keys_of;
  unsigned threads = 1;
  const std::atomic<bool>* stop = nullptr;  // if it becomes true: Error(interrupted), and no file is left
};

// Writes a run with the rows of a frozen table. Null if there are no rows (all are erasing ones, with `drop_erased`).
[[nodiscard]] std::shared_ptr<const Run> write_run(const RunPlace& place, std::uint64_t number, const View::Frozen& frozen,
                                                   bool drop_erased);
// Merges several runs, oldest first. Each is verified first, because a damaged byte must not get a valid checksum.
[[nodiscard]] std::shared_ptr<const Run> write_run(const RunPlace& place, std::uint64_t number,
                                                   std::span<const std::shared_ptr<const Run>> runs, bool drop_erased);
// If a file cannot be removed, the next writer removes it, as it removes all files that the manifest does not name.
void remove_file(storage::Vfs& vfs, const std::string& path);
void remove_run(storage::Vfs& vfs, const std::string& directory, std::uint64_t number);
void remove_log(storage::Vfs& vfs, const std::string& directory, std::uint64_t number);
// The number in the name of a run's or log's file, or of a temporary file for one; 0 for other names.
[[nodiscard]] std::uint64_t number_in(std::string_view name);
// The names of all runs, logs and temporary files that the manifest does not name.
[[nodiscard]] std::vector<std::string> strays_in(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest);

}  // namespace leitong::store
