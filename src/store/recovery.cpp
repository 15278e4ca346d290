#include "store/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "leitong/error.h"
#include "store/batch.h"

namespace leitong::store {

std::shared_ptr<const Run> open_run(storage::Vfs& vfs, const std::string& directory, const ManifestRun& named, const Shape& shape,
                                    bool only_table) {
  auto run = std::make_shared<const Run>(vfs, directory, named.number, shape, only_table);
  ManifestRun wanted = named;
  if (only_table) wanted.index = wanted.keys = 0;
  if (run->named() != wanted)
    throw Error(ErrorCode::format, fmt::format("{}/{}: is another run than the manifest names; restore the collection from a backup",
                                               directory, table_name(named.number)));
  return run;
}

std::vector<std::shared_ptr<const Run>> open_runs(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest,
                                                  const std::vector<std::shared_ptr<const Run>>& known) {
  std::vector<std::shared_ptr<const Run>> runs;
  for (const ManifestRun& named : manifest.runs) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& run) { return run->named() == named; });
    runs.push_back(found != known.end() ? *found : open_run(vfs, directory, named, manifest.shape));
  }
  return runs;
}

void add_batch(const Shape& shape, std::span<const std::byte> payload, const std::string& where, Memtable& table) {
  // Rows are held back for a while, until the slots of their ids are in the cache.
  struct Held {
    Row row;
    std::array<std::uint64_t, 4> words;
  };
  std::array<Held, 16> held;
  std::size_t taken = 0, added = 0;
  const auto add_oldest = [&] {
    Held& oldest = held[added++ % held.size()];
    oldest.row.words = oldest.words.data();
    if (oldest.row.sequence != table.first_sequence() + table.added())
      throw Error(ErrorCode::format, fmt::format("{}: a row has sequence number {}, where {} should follow", where, oldest.row.sequence,
                                                 table.first_sequence() + table.added()));
    if (table.added() == Memtable::most_rows)
      throw Error(ErrorCode::limit, where + ": the logs hold more rows than a table in memory takes");
    table.add(oldest.row);
  };
  read_batch(shape, payload, where, [&](const Row& row) {
    if (taken - added == held.size()) add_oldest();
    Held& newest = held[taken++ % held.size()];
    newest.row = row;
    std::copy_n(row.words, shape.words, newest.words.begin());
    table.prefetch_id(row.key);
  });
  while (added < taken) add_oldest();
}

Replayed replay(storage::Vfs& vfs, const std::string& directory, const Manifest& manifest, const KeysOf& keys_of, unsigned threads) {
  Replayed out;
  std::uint64_t sealed_rows = 0;
  for (const ManifestLog& log : manifest.logs) {
    const std::string path = log_path(directory, log.number);
    const auto visit = [&](std::span<const std::byte> payload) {
      if (!out.table) {
        out.table = std::make_shared<Memtable>(manifest.shape, keys_of, first_sequence_of(payload, path));
        out.table->begin_bulk();
      }
      add_batch(manifest.shape, payload, path, *out.table);
      out.open_records += log.length == 0 ? 1 : 0;
    };
    const storage::LogEnd end = storage::read_log(vfs, path, name_of_log(manifest, log.number), {log.length, log.length != 0}, visit);
    if (log.length == 0)
      out.open_length = end.size;
    else
      sealed_rows = out.table ? out.table->added() : 0;
  }
  if (!out.table) out.table = std::make_shared<Memtable>(manifest.shape, keys_of, manifest.next_sequence);
  const std::uint64_t first = out.table->first_sequence();
  if (first + sealed_rows != manifest.next_sequence)
    throw Error(ErrorCode::format, fmt::format("{}: the sealed logs hold rows {} to {}, where the manifest goes on from {}; restore the "
                                               "collection from a backup",
                                               directory, first, first + sealed_rows, manifest.next_sequence));
  out.table->end_bulk(threads);
  out.table->publish();
  return out;
}

}  // namespace leitong::store
