// From a manifest's files to what stands in memory, for writers and readers.
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

// A run that a manifest names; of its table alone, where the rest is to be made again.
[[nodiscard]] std::shared_ptr<const Run> open_run(storage::Vfs& vfs, const std::string& directory, const ManifestRun& named,
                                                  const Shape& shape, bool only_table = false);
// The manifest's runs, those of `known` that are still the same among them.
[[nodiscard]] std::vector<std::shared_ptr<const Run>> open_runs(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest,
                                                                const std::vector<std::shared_ptr<const Run>>& known);

struct Replayed {
  std::shared_ptr<Memtable> table;
  std::uint64_t open_length = 0;  // of the open log: where its good records end. 0: there is none
  std::uint64_t open_records = 0;
};
// The rows of the manifest's logs. A sealed log must be whole, the open one is read as far as it is.
[[nodiscard]] Replayed replay(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest, const KeysOf& keys_of,
                              unsigned threads);
// Adds a log record's rows to a table. Error(format) if they do not follow what it has.
void add_batch(const Shape& shape, std::span<const std::byte> payload, const std::string& where, Memtable& table);

}  // namespace leitong::store
