#include "outputs/parquet_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "leitong/error.h"

namespace leitong::outputs {
namespace {

using parquet::FlatColumn;
using parquet::FlatField;
using parquet::FlatType;

bool same_columns(const parquet::Schema& a, const parquet::Schema& b) {
  const auto same = [](const parquet::Node& x, const parquet::Node& y) { return x.parent == y.parent && x.thrift == y.thrift; };
  // The root's name means nothing.
  return a.nodes().size() == b.nodes().size() && a.root().children.size() == b.root().children.size() &&
         std::equal(a.nodes().begin() + 1, a.nodes().end(), b.nodes().begin() + 1, same);
}

// What a program noted of all columns is wrong with more of them.
parquet::KeyValues metadata_of(const records::ColumnFile& file, bool annotates) {
  parquet::KeyValues all = file.metadata();
  if (annotates) std::erase_if(all, [](const auto& entry) { return entry.first == "ARROW:schema" || entry.first == "pandas"; });
  return all;
}

void put(FlatColumn& column, const std::optional<std::uint32_t>& value) {
  value ? column.add(static_cast<std::int64_t>(*value)) : column.add_null();
}

}  // namespace

// In the order of RowAnnotation.
std::vector<FlatField> annotation_fields(const std::string& key) {
  return {{key + "_keep", FlatType::boolean, true},
          {key + "_cluster", FlatType::uint32, false},
          {key + "_dup_of", FlatType::string, false},
          {key + "_dup_of_record", FlatType::uint64, false},
          {key + "_distance", FlatType::uint32, false}};
}

AnnotationColumns::AnnotationColumns(const parquet::Schema& schema, std::uint32_t first, bool wanted) {
  if (!wanted) return;
  for (std::size_t i = 0; i < annotation_fields("").size(); ++i) columns_.emplace_back(schema, first + static_cast<std::uint32_t>(i));
}

void AnnotationColumns::add(const RowAnnotation& a) {
  if (columns_.empty()) return;
  columns_[0].add(a.keep);
  put(columns_[1], a.cluster);
  a.dup_of ? columns_[2].add(std::string_view(*a.dup_of)) : columns_[2].add_null();
  a.dup_of_record ? columns_[3].add(static_cast<std::int64_t>(*a.dup_of_record)) : columns_[3].add_null();
  put(columns_[4], a.distance);
}

void AnnotationColumns::take(parquet::Batch& batch) {
  for (FlatColumn& column : columns_) batch.columns.push_back(column.take());
}

ParquetRows::ParquetRows(parquet::Writer::Sink sink, Source first, std::string name, const std::string& annotate_key)
    : first_(std::move(first)), first_name_(std::move(name)), annotates_(!annotate_key.empty()) {
  try {
    schema_ = std::make_unique<parquet::Schema>(annotates_ ? parquet::extended(first_->schema(), annotation_fields(annotate_key))
                                                           : first_->schema());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::usage) throw;
    throw Error(ErrorCode::usage, fmt::format("{}: {}: name the added columns otherwise with --annotate-key", first_name_, error.what()));
  }
  parquet::WriterOptions options;
  if (!first_->group_starts().empty()) options.row_group_rows = parquet::largest_group(first_->group_starts());
  if (options.row_group_rows == 0) options.row_group_rows = parquet::WriterOptions().row_group_rows;
  options.metadata = metadata_of(*first_, annotates_);
  writer_ = std::make_unique<parquet::Writer>(std::move(sink), *schema_, std::move(options));
}

ParquetRows::~ParquetRows() = default;

void ParquetRows::begin(Source source, const std::string& name) {
  write_batch();
  rows_.reset();
  source_ = std::move(source);
  name_ = name;
  if (!same_columns(first_->schema(), source_->schema()))
    throw Error(
        ErrorCode::usage,
        fmt::format("{}: its columns are not those of {}, so that one Parquet file cannot hold both: --output-layout input writes a "
                    "file for each, --output-format jsonl rows as JSON (with dedup --resume only this last stage is run again)",
                    name_, first_name_));
}

void ParquetRows::add(std::uint64_t row, const RowAnnotation& annotation) {
  if (!rows_ || row >= batch_.first_row + batch_.rows) load(row);
  const auto at = static_cast<std::uint32_t>(row - batch_.first_row);
  if (!stretches_.empty() && stretches_.back().second == at)
    ++stretches_.back().second;
  else
    stretches_.emplace_back(at, at + 1);
  if (annotates_) annotations_.emplace_back(at, annotation);
}

void ParquetRows::load(std::uint64_t row) {
  write_batch();
  const std::uint64_t next = rows_ ? batch_.first_row + batch_.rows : 0;
  if (!rows_) rows_ = source_->read_rows();
  if (row != next) rows_->seek(row);
  if (!rows_->next(batch_))
    throw Error(ErrorCode::format, fmt::format("{}: it has no row {}; it has changed since it was read first: run again", name_, row));
}

void ParquetRows::write_batch() {
  if (stretches_.empty()) return;
  if (annotates_) add_columns();
  for (const auto& [first, end] : stretches_) writer_->append(batch_, first, end);
  stretches_.clear();
  annotations_.clear();
}

// One value for each row of the batch, whether it is written or not.
void ParquetRows::add_columns() {
  AnnotationColumns columns(*schema_, static_cast<std::uint32_t>(first_->schema().leaf_count()), true);
  auto next = annotations_.begin();
  const RowAnnotation nothing;
  for (std::uint32_t row = 0; row < batch_.rows; ++row)
    columns.add(next != annotations_.end() && next->first == row ? (next++)->second : nothing);
  columns.take(batch_);
}

void ParquetRows::finish() {
  write_batch();
  writer_->finish();
}

}  // namespace leitong::outputs
