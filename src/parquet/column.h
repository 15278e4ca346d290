// Rows of columns in memory: what readers give and the writer takes.
//
// A column of a batch is a run of entries. A flat column has one entry a row. A column below a list has as many as the row has elements, at
// least one. An entry holds a value only where its definition level is the leaf's own: else it, or something above it, is null or empty.
// Values stand at their entry's place, nulls included (an empty view, zero bytes), so that no ranks need to be counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parquet/schema.h"

namespace leitong::parquet {

struct Column {
  std::uint32_t leaf = 0;  // in the schema
  std::uint8_t max_definition = 0;
  std::size_t entries = 0;
  std::vector<std::uint8_t> definition;   // an entry each; empty: the column cannot be null, and all is there
  std::vector<std::uint8_t> repetition;   // an entry each; empty: no list above the column
  std::vector<std::uint32_t> row_starts;  // columns below a list: entry of each row's beginning, and the number of entries; else empty
  std::vector<std::string_view> strings;  // Physical::bytes: an entry each
  std::vector<std::byte> values;          // all other types: Node::width bytes an entry, little endian (booleans: one byte, 0 or 1)
  std::vector<std::shared_ptr<const void>> owners;  // of what the views point to: a copy of the column may outlive its batch and file

  [[nodiscard]] bool is_null(std::size_t entry) const { return !definition.empty() && definition[entry] != max_definition; }
  [[nodiscard]] std::size_t row_begin(std::size_t row) const { return row_starts.empty() ? row : row_starts[row]; }
  [[nodiscard]] std::size_t row_end(std::size_t row) const { return row_starts.empty() ? row + 1 : row_starts[row + 1]; }

  // A text column's row; nullopt: null.
  [[nodiscard]] std::optional<std::string_view> text(std::size_t row) const {
    return is_null(row) ? std::nullopt : std::optional(strings[row]);
  }
  // All strings of a row, lists flattened in order; nulls are to be skipped with is_null(row_begin(row) + i).
  [[nodiscard]] std::span<const std::string_view> texts(std::size_t row) const {
    return std::span(strings).subspan(row_begin(row), row_end(row) - row_begin(row));
  }
};

struct Batch {
  std::uint64_t first_row = 0;  // in the file
  std::uint32_t rows = 0;
  std::uint32_t group = 0;      // row group, or record batch, that the rows are of: one
  std::vector<Column> columns;  // as they were asked for
};

// Makes a flat column value by value. Views of strings are copied.
class FlatColumn {
 public:
  FlatColumn(const Schema& schema, std::uint32_t leaf);
  void add_null();  // Error(usage) if the field is required
  void add(bool value);
  void add(std::int64_t value);  // int32, int64, uint32, uint64: the low bits
  void add(double value);
  void add(std::string_view value);
  void add(const char* value) { add(std::string_view(value)); }  // or it would be a boolean
  [[nodiscard]] std::size_t rows() const { return column_.entries; }
  [[nodiscard]] Column take();  // and begins again

 private:
  void put(const void* value);
  void present(bool there);

  Column column_;
  std::string name_;
  Physical physical_;
  std::uint32_t width_;
  bool optional_;
  std::string bytes_;              // of strings, which become views in take()
  std::vector<std::size_t> ends_;  // of each in bytes_
};

}  // namespace leitong::parquet
