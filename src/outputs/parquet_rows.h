// Rows of Parquet and Arrow files, as they are, to a Parquet file with the schema and the metadata of the first.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parquet/writer.h"
#include "records/column_file.h"

namespace leitong::outputs {

// What is added to a row: columns KEY_keep, KEY_cluster, KEY_dup_of, KEY_dup_of_record and KEY_distance, null where there is nothing to
// say.
struct RowAnnotation {
  bool keep = true;
  std::optional<std::uint32_t> cluster;
  std::optional<std::string> dup_of;  // the kept record's id, as text
  std::optional<std::uint64_t> dup_of_record;
  std::optional<std::uint32_t> distance;
};

[[nodiscard]] std::vector<parquet::FlatField> annotation_fields(const std::string& key);

// Makes these columns, row by row.
class AnnotationColumns {
 public:
  // `first`: the leaf of the first of them; `wanted` false: there are none.
  AnnotationColumns(const parquet::Schema& schema, std::uint32_t first, bool wanted);
  void add(const RowAnnotation& annotation);
  void take(parquet::Batch& batch);  // behind the batch's columns

 private:
  std::vector<parquet::FlatColumn> columns_;
};

// Holds a batch of rows in memory, and what parquet::Writer does.
class ParquetRows {
 public:
  using Source = std::shared_ptr<const records::ColumnFile>;
  // `name`: of the file, for messages. `annotate_key`: empty: nothing is added; else a name before which the source has no such columns, or
  // Error(usage).
  ParquetRows(parquet::Writer::Sink sink, Source first, std::string name, const std::string& annotate_key);
  ~ParquetRows();
  ParquetRows(const ParquetRows&) = delete;
  ParquetRows& operator=(const ParquetRows&) = delete;
  // The rows that follow are of this source. Throws Error(usage) that names both if it has other columns than the first.
  void begin(Source source, const std::string& name);
  // Rows of a source ascend.
  void add(std::uint64_t row, const RowAnnotation& annotation);
  void finish();

 private:
  void load(std::uint64_t row);
  void write_batch();
  void add_columns();

  Source first_, source_;
  std::string first_name_, name_;
  bool annotates_;
  std::unique_ptr<parquet::Schema> schema_;  // of what is written
  std::unique_ptr<parquet::Writer> writer_;
  std::unique_ptr<parquet::RowReader> rows_;
  parquet::Batch batch_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stretches_;  // of the batch's rows that are written: first, and behind the last
  std::vector<std::pair<std::uint32_t, RowAnnotation>> annotations_;
};

}  // namespace leitong::outputs
