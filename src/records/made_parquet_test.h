// For tests: small Parquet files.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "parquet/writer.h"

namespace leitong::records {

struct MadeRow {
  std::optional<std::int64_t> id;
  std::optional<std::string> text;
};

// Columns "id" (int64) and `text_name` (a string).
inline std::string parquet_bytes(const std::vector<MadeRow>& rows, std::uint64_t group_rows = 1000, const std::string& text_name = "text") {
  const std::vector<parquet::FlatField> fields = {{"id", parquet::FlatType::int64, false}, {text_name, parquet::FlatType::string, false}};
  const parquet::Schema schema = parquet::flat_schema(fields);
  std::string bytes;
  parquet::WriterOptions options;
  options.row_group_rows = group_rows;
  options.metadata = {{"made", "by a test"}};
  parquet::Writer writer([&](std::string_view part) { bytes += part; }, schema, options);
  parquet::FlatColumn id(schema, 0), text(schema, 1);
  for (const MadeRow& row : rows) {
    row.id ? id.add(*row.id) : id.add_null();
    row.text ? text.add(std::string_view(*row.text)) : text.add_null();
  }
  parquet::Batch batch;
  batch.rows = static_cast<std::uint32_t>(rows.size());
  batch.columns.push_back(id.take());
  batch.columns.push_back(text.take());
  if (batch.rows > 0) writer.append(batch, 0, batch.rows);
  writer.finish();
  return bytes;
}

inline std::string write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace leitong::records
