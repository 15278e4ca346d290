// The manifest: the one file that says which other files of a store count. Replaced as a whole, so that a store goes from one state to
// the next in one step. docs/file-format.md ("Store") specifies it.
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
  std::string identity;               // of its table
  std::uint64_t index = 0, keys = 0;  // identities of its other files; 0: there is none
  friend bool operator==(const ManifestRun&, const ManifestRun&) = default;
};
struct ManifestLog {
  std::uint64_t number = 0;
  std::uint64_t length = 0;  // sealed: all of it is durable; 0: the one that is written to
};

struct Manifest {
  std::uint64_t store[2] = {0, 0};  // random, of the store
  std::uint64_t epoch = 0;          // counts manifests
  Shape shape;
  std::string about;                // a JSON object: what the store is of. Its owner's own.
  std::uint64_t next_sequence = 1;  // that of the open log's first row: those in runs and sealed logs are smaller
  std::uint64_t next_file = 1;      // no file has it or a greater one
  std::uint64_t clean_file = 1;     // runs of smaller numbers were there when a writer last ended well, or were verified since
  std::vector<ManifestRun> runs;    // oldest first
  std::vector<ManifestLog> logs;    // oldest first, all newer than the runs; only the last may be open
};

[[nodiscard]] std::string manifest_path(const std::string& directory);
[[nodiscard]] std::string log_name(std::uint64_t number);
[[nodiscard]] std::string log_path(const std::string& directory, std::uint64_t number);
[[nodiscard]] storage::LogName name_of_log(const Manifest& manifest, std::uint64_t number);  // within the file

// The manifest stands durable under its name when this returns; before, the old one did.
void write_manifest(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest);
// Error(usage) if there is none, Error(format) for one that is damaged, Error(unsupported) for a newer one.
[[nodiscard]] Manifest read_manifest(storage::Vfs& vfs, const std::string& directory);

}  // namespace leitong::store
