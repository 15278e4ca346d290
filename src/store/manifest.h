// The manifest: the file that says which other files belong to the store. It is replaced as a whole, so that the store changes from one
// state to the next atomically. docs/file-format.md ("Store") specifies it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/log.h"
#include "storage/vfs.h"
#include "store/row.h"

namespace leitong::store {

inline constexpr std::uint32_t manifest_version = 1;

struct ManifestRun {
  std::uint64_t number = 0, rows = 0;
  std::string identity;               // of the table file
  std::uint64_t index = 0, keys = 0;  // identities of the other files; 0: there is none
  friend bool operator==(const ManifestRun&, const ManifestRun&) = default;
};
struct ManifestLog {
  std::uint64_t number = 0;
  std::uint64_t length = 0;  // of a sealed log, all of which is durable; 0: the log that is being written
};

struct Manifest {
  std::uint64_t store[2] = {0, 0};  // random id of the store
  std::uint64_t epoch = 0;          // number of this manifest
  Shape shape;
  std::string about;                // a JSON object of the owner's that describes the content
  std::uint64_t next_sequence = 1;  // of the open log's first row; rows in runs and sealed logs have smaller ones
  std::uint64_t next_file = 1;      // greater than the numbers of all files
  std::uint64_t clean_file = 1;     // runs with smaller numbers existed when a writer last closed the store, or were verified since
  std::vector<ManifestRun> runs;    // oldest first
  std::vector<ManifestLog> logs;    // oldest first, all newer than the runs; only the last may be open
};

[[nodiscard]] std::string manifest_path(const std::string& directory);
[[nodiscard]] std::string log_name(std::uint64_t number);
[[nodiscard]] std::string log_path(const std::string& directory, std::uint64_t number);
[[nodiscard]] storage::LogName name_of_log(const Manifest& manifest, std::uint64_t number);  // within the file

// When this returns, the manifest is durable under its name; until then the old one is valid.
void write_manifest(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest);
// Throws Error(usage) if there is none, Error(format) if it is damaged, and Error(unsupported) if its version is newer.
[[nodiscard]] Manifest read_manifest(storage::Vfs& vfs, const std::string& directory);

}  // namespace leitong::store
