// Writes Parquet files: columns of any type and nesting, as readers give them.
//
// Pages of version 1, about a mebibyte each; a dictionary where that is smaller, else plain values. Booleans are plain. No page index, no
// minima and maxima; counts of nulls. Memory: the packed pages of one row group, and a page a column.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "parquet/column.h"
#include "parquet/schema.h"

namespace leitong::parquet {

enum class Codec : std::uint8_t { none, snappy, gzip, lzo, brotli, lz4, zstd, lz4_raw };  // Thrift's numbers

struct WriterOptions {
  Codec codec = Codec::zstd;  // none, snappy, gzip, zstd, lz4_raw; Error(usage) for the others
  int level = 3;              // of zstd and gzip
  std::uint64_t row_group_rows = 1'000'000;
  std::uint64_t row_group_bytes = std::uint64_t{512} << 20;  // packed: a row group ends with it at the latest
  std::uint32_t page_bytes = 1U << 20U;
  std::uint32_t dictionary_bytes = 1U << 20U;  // a larger one is not begun
  KeyValues metadata = {};                     // as Table::metadata() gave it
  std::string created_by = {};                 // empty: "leitong version X.Y.Z"
};

class Writer {
 public:
  using Sink = std::function<void(std::string_view)>;  // takes all, in order; may throw
  // The schema must outlive the writer.
  Writer(Sink sink, const Schema& schema, WriterOptions options);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Rows first up to end of a batch that has a column for each leaf of the schema, in order (annotating: those of the input, then the added
  // ones). Error(usage) if it has not.
  void append(const Batch& batch, std::uint32_t first, std::uint32_t end);
  void end_row_group();  // of the rows so far; nothing if there are none
  // Writes what is left and the footer. Required: a file without it is none.
  void finish();
  [[nodiscard]] std::uint64_t rows() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The largest row group of a table: row_group_rows for a file that shall be like it.
[[nodiscard]] std::uint64_t largest_group(std::span<const std::uint64_t> group_starts);

}  // namespace leitong::parquet
