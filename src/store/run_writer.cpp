#include "store/run_writer.h"

#include <numeric>

#include "hamming/index_file.h"
#include "leitong/error.h"
#include "records/json_object.h"
#include "store/run.h"

namespace leitong::store {
namespace {

// Rows in a block. A block is compared with its checksums when one of its rows is first read, which takes some microseconds.
constexpr std::uint32_t block_rows = 4096;
constexpr std::uint32_t block_bytes = 256U << 10U;  // for variable columns

storage::Schema schema_of(const Shape& shape, bool wide, bool flags) {
  storage::Schema schema;
  schema.kind = run_kind;
  schema.version = run_version;
  schema.rows_per_block = block_rows;
  schema.text_per_block = block_bytes;
  if (!shape.numeric_ids) schema.columns.push_back({column::key, 8});
  schema.columns.push_back({column::id, shape.numeric_ids ? 8U : 0U});
  schema.columns.push_back({column::sequence, wide ? 8U : 4U});
  if (flags) schema.columns.push_back({column::flags, 1});
  schema.columns.push_back({column::simhash, 8 * shape.words});
  if (shape.sketches) schema.columns.push_back({column::sketch, 0});
  if (shape.metadata) schema.columns.push_back({column::metadata, 0});
  if (shape.texts) schema.columns.push_back({column::text, 0});
  return schema;
}

}  // namespace

RunWriter::RunWriter(storage::Vfs& vfs, const std::string& directory, std::uint64_t number, const Shape& shape, const KeysOf& keys_of,
                     const RunRange& range)
    : vfs_(vfs),
      directory_(directory),
      number_(number),
      shape_(shape),
      keys_of_(keys_of),
      range_(range),
      wide_(range.last_sequence - range.first_sequence > 0xffffffffU),
      schema_(schema_of(shape, wide_, range.flags)),
      table_(vfs, directory + "/" + table_name(number), schema_),
      block_(schema_) {}

void RunWriter::append(const Row& row) {
  std::size_t c = 0;
  if (!shape_.numeric_ids) block_.put(c++, row.key);
  if (shape_.numeric_ids)
    block_.put(c++, number_of(row.id));
  else
    block_.put_text(c++, row.id);
  const std::uint64_t sequence = row.sequence - range_.first_sequence;
  if (wide_)
    block_.put(c++, sequence);
  else
    block_.put(c++, static_cast<std::uint32_t>(sequence));
  if (range_.flags) block_.put(c++, row.flags);
  block_.put_bytes(c++, std::as_bytes(std::span(row.words, shape_.words)));
  if (shape_.sketches) block_.put_text(c++, row.sketch);
  if (shape_.metadata) block_.put_text(c++, row.metadata);
  if (shape_.texts) block_.put_text(c++, row.text);

  if (row.has_fingerprint()) {
    const std::uint64_t indexed = values_.size() / shape_.words;
    if (numbers_.empty() && indexed != rows_) {  // the first row with a fingerprint after rows without one
      numbers_.resize(indexed);
      std::iota(numbers_.begin(), numbers_.end(), std::uint64_t{0});
    }
    if (indexed != rows_) numbers_.push_back(rows_);
    values_.insert(values_.end(), row.words, row.words + shape_.words);
  }
  if (shape_.keys && !row.erased()) {
    row_keys_.clear();
    keys_of_(row, row_keys_);
    for (const std::uint32_t key : row_keys_) postings_.push_back(std::uint64_t{key} << 32U | rows_);
  }
  erased_ += row.erased() ? 1 : 0;
  ++rows_;
  block_bytes_ += row.id.size() + row.sketch.size() + row.metadata.size() + row.text.size();
  if (block_.rows() == schema_.rows_per_block || block_bytes_ >= block_bytes) flush();
}

void RunWriter::flush() {
  table_.append(block_);
  block_.clear();
  block_bytes_ = 0;
}

void RunWriter::finish(unsigned threads) {
  flush();
  const std::uint64_t indexed = values_.size() / shape_.words;
  if (indexed > 0) {
    const HammingIndexOptions options{.words = shape_.words, .k = shape_.k, .threads = threads};
    const std::vector<hamming::IndexPart> parts{{hamming::make_run({values_, numbers_, 0}, {shape_.words, shape_.k, threads}), nullptr}};
    hamming::write_index(vfs_, directory_ + "/" + index_name(number_), options, parts);
  }
  if (shape_.keys) write_postings(vfs_, directory_ + "/" + keys_name(number_), postings_);
  std::vector<std::uint64_t>().swap(postings_);
  std::vector<std::uint64_t>().swap(values_);
  std::vector<std::uint64_t>().swap(numbers_);
  records::JsonObject metadata;
  metadata.number("first_sequence", range_.first_sequence).number("last_sequence", range_.last_sequence);
  metadata.number("erased", erased_).number("indexed", indexed);
  (void)table_.finish(metadata.str());
}

}  // namespace leitong::store
