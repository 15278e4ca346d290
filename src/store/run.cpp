#include "store/run.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "hamming/index_file.h"
#include "leitong/error.h"
#include "records/json_object.h"
#include "store/id_search.h"

namespace leitong::store {

std::string table_name(std::uint64_t number) { return fmt::format("run-{:06}.table", number); }
std::string keys_name(std::uint64_t number) { return fmt::format("run-{:06}.keys", number); }
std::string index_name(std::uint64_t number) { return fmt::format("run-{:06}.index", number); }

std::array<std::string, 3> run_names(std::uint64_t number) { return {table_name(number), index_name(number), keys_name(number)}; }

Run::Run(storage::Vfs& vfs, const std::string& directory, std::uint64_t number, const Shape& shape, bool only_table)
    : number_(number),
      shape_(shape),
      table_(vfs, directory + "/" + table_name(number), run_kind, run_version),
      key_(table_.find_column(column::key)),
      id_(static_cast<std::ptrdiff_t>(table_.column(column::id))),
      sequence_(static_cast<std::ptrdiff_t>(table_.column(column::sequence))),
      flags_(table_.find_column(column::flags)),
      simhash_(static_cast<std::ptrdiff_t>(table_.column(column::simhash))),
      sketch_(table_.find_column(column::sketch)),
      metadata_(table_.find_column(column::metadata)),
      text_(table_.find_column(column::text)),
      index_path_(directory + "/" + index_name(number)) {
  const auto width = [&](std::ptrdiff_t c) { return table_.schema().columns[static_cast<std::size_t>(c)].width; };
  const auto variable = [&](std::ptrdiff_t c, bool wanted) { return (c >= 0) == wanted && (c < 0 || width(c) == 0); };
  const bool ids = shape.numeric_ids ? key_ < 0 && width(id_) == 8 : key_ >= 0 && width(key_) == 8 && width(id_) == 0;
  const bool fits = ids && (width(sequence_) == 4 || width(sequence_) == 8) && (flags_ < 0 || width(flags_) == 1) &&
                    width(simhash_) == 8 * shape.words && variable(sketch_, shape.sketches) && variable(metadata_, shape.metadata) &&
                    variable(text_, shape.texts);
  if (!fits)
    throw Error(ErrorCode::format,
                fmt::format("{}: its columns are not those of this collection; was it copied from another one?", table_.path()));
  const records::JsonReader json(table_.metadata(), table_.path());
  first_sequence_ = json.number(json.root(), "first_sequence");
  last_sequence_ = json.number(json.root(), "last_sequence");
  erased_ = json.number(json.root(), "erased");
  indexed_ = json.number(json.root(), "indexed");
  if (indexed_ > rows() || erased_ > rows()) throw Error(ErrorCode::format, table_.path() + ": its counts do not fit its rows");
  if (only_table) return;
  with_remedy([&] {
    if (shape.keys) postings_ = std::make_unique<const Postings>(vfs, directory + "/" + keys_name(number), rows());
    if (indexed_ > 0) open_index(vfs);
  });
}

void Run::open_index(storage::Vfs& vfs) {
  const hamming::MappedIndex index = hamming::map_index(vfs, index_path_);
  std::uint64_t found = 0;
  for (const hamming::IndexPart& part : index.parts) {
    found += part.rows();
    if (part.run) index_.push_back(part.run);
  }
  if (index.options.words != shape_.words || found != indexed_)
    throw Error(ErrorCode::format, fmt::format("{}: holds {} rows of {} words, where the table beside it says {} of {}", index_path_, found,
                                               index.options.words, indexed_, shape_.words));
  index_file_ = index.file;
}

std::uint64_t Run::bytes() const {
  return table_.bytes() + (index_file_ ? index_file_->size() : 0) + (postings_ ? postings_->file().size() : 0);
}

ManifestRun Run::named() const {
  return {number_, rows(), identity(), index_file_ ? index_file_->identity() : 0, postings_ ? postings_->file().identity() : 0};
}

std::string_view Run::id_at(storage::TableMap::Place at) const {
  const auto c = static_cast<std::size_t>(id_);
  return shape_.numeric_ids ? std::string_view(reinterpret_cast<const char*>(table_.fixed(c, at)), sizeof(std::uint64_t))
                            : table_.text(c, at);
}

std::uint64_t Run::key_at(std::uint64_t row) const {
  const auto at = table_.place(row);
  return shape_.numeric_ids ? key_of(shape_, id_at(at)) : table_.value<std::uint64_t>(static_cast<std::size_t>(key_), at);
}

Row Run::head(std::uint64_t number) const {
  const auto at = table_.place(number);
  Row row;
  row.id = id_at(at);
  row.key = shape_.numeric_ids ? key_of(shape_, row.id) : table_.value<std::uint64_t>(static_cast<std::size_t>(key_), at);
  const auto sequence = static_cast<std::size_t>(sequence_);
  row.sequence = first_sequence_ + (table_.schema().columns[sequence].width == 4 ? table_.value<std::uint32_t>(sequence, at)
                                                                                 : table_.value<std::uint64_t>(sequence, at));
  row.flags = flags_ < 0 ? flags::fingerprint : table_.value<std::uint8_t>(static_cast<std::size_t>(flags_), at);
  row.words = reinterpret_cast<const std::uint64_t*>(table_.fixed(static_cast<std::size_t>(simhash_), at));
  return row;
}

Row Run::row(std::uint64_t number) const {
  Row row = head(number);
  const auto at = table_.place(number);
  const auto text = [&](std::ptrdiff_t c) { return c < 0 ? std::string_view() : table_.text(static_cast<std::size_t>(c), at); };
  row.sketch = text(sketch_);
  row.metadata = text(metadata_);
  row.text = text(text_);
  return row;
}

Row Run::outline(std::uint64_t number) const {
  const auto at = table_.place(number);
  Row row;
  row.flags = flags_ < 0 ? flags::fingerprint : table_.value<std::uint8_t>(static_cast<std::size_t>(flags_), at);
  if (sketch_ >= 0) row.sketch = table_.text(static_cast<std::size_t>(sketch_), at);
  return row;
}

std::uint64_t Run::find_id(std::uint64_t key, std::string_view id) const {
  IdSearch search(*this, key, id);
  while (search.step()) {
  }
  return search.row();
}

void Run::prefetch_key(std::uint64_t row) const {
  if (row < rows()) table_.prefetch(static_cast<std::size_t>(shape_.numeric_ids ? id_ : key_), table_.place(row));
}

void Run::prefetch_head(std::uint64_t row) const {
  const auto at = table_.place(row);
  prefetch_key(row);
  table_.prefetch(static_cast<std::size_t>(sequence_), at);
  table_.prefetch(static_cast<std::size_t>(simhash_), at);
  if (flags_ >= 0) table_.prefetch(static_cast<std::size_t>(flags_), at);
}

void Run::prefetch_outline(std::uint64_t row) const {
  if (sketch_ >= 0) __builtin_prefetch(table_.text(static_cast<std::size_t>(sketch_), table_.place(row)).data());
}

void Run::bad_index_row() const { damaged(index_path_ + ": names a row that the table beside it does not have; run a check"); }

void Run::damaged(const std::string& what) const {
  require_readable();
  throw Error(ErrorCode::format, what);
}

void Run::require_readable() const {
  table_.require_readable();
  if (index_file_) index_file_->require_readable();
  if (postings_) postings_->file().require_readable();
}

void Run::verify_bytes() const {
  verify_table();
  with_remedy([&] {
    if (index_file_) index_file_->verify_all();
    if (postings_) postings_->verify();
  });
  require_readable();
}

void Run::verify_table() const {
  table_.verify();
  require_readable();
}

void Run::copy_to(storage::Vfs& vfs, const std::string& directory) const {
  const auto copy = [&](const std::string& name, std::span<const std::byte> bytes) {
    const auto file = vfs.create(directory + "/" + name);
    file->append(bytes);
    file->sync();
    file->close();
  };
  copy(table_name(number_), table_.file());
  if (index_file_) copy(index_name(number_), index_file_->file());
  if (postings_) copy(keys_name(number_), postings_->file().file());
  vfs.sync_directory(directory);
  require_readable();
}

void Run::verify() const {
  verify_bytes();
  const auto bad = [&](std::uint64_t row, const char* what) { damaged(fmt::format("{}: row {} {}", table_.path(), row, what)); };
  std::uint64_t indexed = 0, erased = 0;
  Row last;
  for (std::uint64_t r = 0; r < rows(); ++r) {
    const Row row = head(r);
    if (!shape_.numeric_ids && row.key != key_of(shape_, row.id)) bad(r, "has a key that is not its id's");
    if (r > 0 && !before(last.key, last.id, row.key, row.id)) bad(r, "is out of order");
    if (row.sequence < first_sequence_ || row.sequence > last_sequence_) bad(r, "has a sequence number out of the run's range");
    if (!sensible(row.flags)) bad(r, "has impossible flags");
    indexed += row.has_fingerprint() ? 1 : 0;
    erased += row.erased() ? 1 : 0;
    last = row;
  }
  if (indexed != indexed_ || erased != erased_) damaged(table_.path() + ": its counts do not fit its rows");
  verify_index();
  require_readable();
}

void Run::verify_index() const {
  std::uint64_t all = 0;
  for (const auto& index : index_) all += index->rows();
  std::vector<std::uint64_t> values(all * shape_.words), ids(all);
  std::uint64_t at = 0;
  for (const auto& index : index_) {
    index->copy_rows(values.data() + at * shape_.words, ids.data() + at);
    at += index->rows();
  }
  std::vector<bool> seen(rows());
  for (std::uint64_t i = 0; i < all; ++i) {
    const bool there = ids[i] < rows() && !seen[ids[i]];
    const Row row = there ? head(ids[i]) : Row{};
    if (!there || !row.has_fingerprint() ||
        std::memcmp(row.words, values.data() + i * shape_.words, shape_.words * sizeof(std::uint64_t)) != 0)
      with_remedy([&] { damaged(fmt::format("{}: its row {} is not that of the table beside it", index_path_, ids[i])); });
    seen[ids[i]] = true;
  }
}

}  // namespace leitong::store
