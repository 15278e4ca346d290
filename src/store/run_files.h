// Making runs: what stands in other runs or in memory, written, read back and verified before anybody relies on it.
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
  const std::atomic<bool>* stop = nullptr;  // set: Error(interrupted), and nothing is left
};

// A run of a frozen table's rows; null if none is left (all erased, with `drop_erased`).
[[nodiscard]] std::shared_ptr<const Run> write_run(const RunPlace& place, std::uint64_t number, const View::Frozen& frozen,
                                                   bool drop_erased);
// A run of the rows of several, oldest first. Each is verified first: a rotten byte must not get a good checksum.
[[nodiscard]] std::shared_ptr<const Run> write_run(const RunPlace& place, std::uint64_t number,
                                                   std::span<const std::shared_ptr<const Run>> runs, bool drop_erased);
// What cannot be removed is left to the next writer, who removes what nobody names.
void remove_file(storage::Vfs& vfs, const std::string& path);
void remove_run(storage::Vfs& vfs, const std::string& directory, std::uint64_t number);
void remove_log(storage::Vfs& vfs, const std::string& directory, std::uint64_t number);
// The number of a run's or log's file, or of one on its way to be one; 0: the name is of something else.
[[nodiscard]] std::uint64_t number_in(std::string_view name);
// Names of files of runs and logs that a manifest does not name, and of temporary ones.
[[nodiscard]] std::vector<std::string> strays_in(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest);

}  // namespace leitong::store
