#include "hamming/index_file.h"

#include <array>

namespace leitong::hamming {
namespace {

constexpr storage::ColumnKind file_kind{"\x89LHX\r\n\x1a\n", 1, "build the index again from its fingerprints"};
constexpr std::uint64_t most_parts = 1U << 20;

// Columns 0 and 1: these; 2: erased ids, part after part. Part p: columns from (p + 1) × run_columns on.
struct Record {
  std::uint64_t words, k, parts;
};
struct PartRecord {
  std::uint64_t rows, erased;
};
static_assert(sizeof(Record) == 24 && sizeof(PartRecord) == 16, "these are bytes of the file");
enum Columns : std::uint64_t { record_column, parts_column, erased_column };

}  // namespace

void write_index(storage::Vfs& vfs, const std::string& path, const HammingIndexOptions& options, const std::vector<IndexPart>& parts) {
  storage::ColumnFileWriter file(vfs, path, file_kind);
  const Record record{options.words, options.k, parts.size()};
  std::vector<PartRecord> records;
  std::vector<std::uint64_t> erased;
  for (const IndexPart& part : parts) {
    const std::size_t before = erased.size();
    if (part.erased) part.erased->append_to(erased);
    records.push_back({part.rows(), erased.size() - before});
  }
  file.add(record_column, &record, 1);
  file.add(parts_column, records.data(), records.size());
  file.add(erased_column, erased.data(), erased.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].run) parts[p].run->write(file, (p + 1) * run_columns);
  }
  file.finish();
}

MappedIndex map_index(storage::Vfs& vfs, const std::string& path) {
  const auto file = std::make_shared<const storage::ColumnFile>(vfs, path, file_kind);
  const auto small = [&]<typename T>(std::uint64_t id, std::size_t count, const T*) {
    const auto column = file->column<T>(id, count);
    file->verify(id);
    return column;
  };
  const Record record = small(record_column, 1, static_cast<const Record*>(nullptr))[0];
  MappedIndex out;
  out.file = file;
  if ((record.words != 1 && record.words != 2 && record.words != 4) || record.k > 64 * record.words || record.parts > most_parts)
    file->damaged("is of an impossible shape");
  out.options.words = static_cast<unsigned>(record.words);
  out.options.k = static_cast<unsigned>(record.k);
  const auto records = small(parts_column, record.parts, static_cast<const PartRecord*>(nullptr));
  std::uint64_t all_erased = 0;
  for (const PartRecord& part : records) {
    if (part.rows > Run::most_rows || part.erased > file->size()) file->damaged("has a part of an impossible size");
    all_erased += part.erased;
  }
  auto erased = small(erased_column, all_erased, static_cast<const std::uint64_t*>(nullptr));
  const RunShape shape{out.options.words, out.options.k, 1};
  for (std::size_t p = 0; p < records.size(); ++p) {
    IndexPart part;
    if (records[p].rows > 0) {
      part.run = map_run(file, (p + 1) * run_columns, shape);
      if (part.run->rows() != records[p].rows) file->damaged("has a part of another length than it says");
    }
    if (records[p].erased > 0) part.erased = std::make_shared<IdSet>(erased.first(records[p].erased));
    erased = erased.subspan(records[p].erased);
    out.parts.push_back(std::move(part));
  }
  return out;
}

void check_index(storage::Vfs& vfs, const std::string& path) {
  storage::ColumnFile(vfs, path, file_kind).verify_all();
  (void)map_index(vfs, path);  // whole, but does it make sense?
}

}  // namespace leitong::hamming
