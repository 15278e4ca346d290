// Loads the files that a manifest names, for writers and readers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "storage/vfs.h"
#include "store/manifest.h"
#include "store/memtable.h"
#include "store/run.h"

namespace leitong::store {

// Opens a run that a manifest names; only its table if the other files will be made again.
[[nodiscard]] std::shared_ptr<const Run> open_run(storage::Vfs& vfs, const std::string& directory, const ManifestRun& named,
                                                  const Shape& shape, bool only_table = false);
// The runs of the manifest; runs in `known` that are unchanged are reused.
[[nodiscard]] std::vector<std::shared_ptr<const Run>> open_runs(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest,
                                                                const std::vector<std::shared_ptr<const Run>>& known);

struct Replayed {
  std::shared_ptr<Memtable> table;
  std::uint64_t open_length = 0;  // end of the last good record in the open log; 0: there is no open log
  std::uint64_t open_records = 0;
};
// Reads the rows of the manifest's logs. A sealed log must be complete; the open one is read up to its last good record.
[[nodiscard]] Replayed replay(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest, const KeysOf& keys_of,
                              unsigned threads);
// Adds the rows of a log record to a table. Throws Error(format) if their sequence numbers do not follow those in the table.
void add_batch(const Shape& shape, std::span<const std::byte> payload, const std::string& where, Memtable& table);

}  // namespace leitong::store
