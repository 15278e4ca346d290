// Sources of rows and columns, beside those of bytes: a table in memory, a Parquet or an Arrow file. Input and Reread serve them as they
// serve files of lines: a chunk is a range of rows, a record's offset is the number of its row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/arena.h"

namespace leitong::records {

enum class ColumnKind : std::uint8_t {
  missing,  // there is no such column
  text,
  scalar,  // numbers, booleans: values stand as JSON writes them
  nested,  // lists, structs: as JSON too
  other,   // what JSON has nothing for; only its nulls can be told
};

struct ColumnType {
  ColumnKind kind = ColumnKind::missing;
  std::string name;  // for messages, e.g. "int64"
  bool operator==(const ColumnType&) const = default;
};

// Values of the wanted columns for some rows, in the order in which they were wanted. A null's data() is null, that of an empty string is
// not. Views point into the source or into `storage`. To be reused.
struct ColumnValues {
  std::vector<std::vector<std::string_view>> columns;  // none for a column that is missing
  std::vector<std::unique_ptr<char[]>> storage;
  Arena arena;
};

// Consecutive rows. Immutable.
class ColumnBatch {
 public:
  virtual ~ColumnBatch() = default;
  [[nodiscard]] virtual std::uint64_t first_row() const = 0;
  [[nodiscard]] virtual std::uint32_t rows() const = 0;
  [[nodiscard]] virtual const std::vector<ColumnType>& types() const = 0;
  // Replaces `out`. Any thread; the views are good as long as this batch and `out`.
  virtual void read(ColumnValues& out) const = 0;
};

// The rows of a source in order, of some of its columns. One thread at a time.
class ColumnReader {
 public:
  virtual ~ColumnReader() = default;
  // Of the wanted columns.
  [[nodiscard]] virtual const std::vector<ColumnType>& types() const = 0;
  // The next rows, at least one and at most so many, whose texts take about so many bytes; null at the end. Throws Error(format) where the
  // source is damaged.
  virtual std::shared_ptr<const ColumnBatch> next(std::uint32_t most_rows, std::size_t bytes) = 0;
  // The next batch begins with that row, or is null if there is none.
  virtual void seek(std::uint64_t row) = 0;
  // Bytes of the source that were taken so far, for progress.
  [[nodiscard]] virtual std::uint64_t taken() const = 0;
};

// Rows as JSON objects of all their columns, best in ascending order.
class RowObjects {
 public:
  virtual ~RowObjects() = default;
  // Throws Error(format) if there is no such row, Error(unsupported) for a column that JSON has nothing for.
  virtual void append(std::uint64_t row, std::string& out) = 0;
};

}  // namespace leitong::records

namespace leitong {

class ColumnSource {
 public:
  virtual ~ColumnSource() = default;
  [[nodiscard]] virtual std::uint64_t rows() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;  // about as much as it holds, for progress
  [[nodiscard]] virtual const std::vector<std::string>& names() const = 0;
  // `columns`: dotted paths, as JsonPaths reads them. What of a path with * are strings is joined by line ends.
  [[nodiscard]] virtual std::unique_ptr<records::ColumnReader> read(const std::vector<std::string>& columns) const = 0;
  [[nodiscard]] virtual std::unique_ptr<records::RowObjects> objects() const = 0;
};

}  // namespace leitong

namespace leitong::records {

// Holds each source of an input to what is asked of it, and to what the first one had.
class ColumnCheck {
 public:
  // The first `texts` of the wanted columns make the text.
  ColumnCheck(std::vector<std::string> wanted, std::size_t texts, bool need_text)
      : wanted_(std::move(wanted)), texts_(texts), need_text_(need_text) {}
  // Throws Error(format), which names source and column, if a text column is none or all are missing, or if a wanted column is missing or
  // of another kind than in the first source. `types`: as the source's reader gives them.
  void check(const std::string& path, const ColumnSource& source, const std::vector<ColumnType>& types);

 private:
  std::vector<std::string> wanted_;
  std::size_t texts_;
  bool need_text_;
  std::vector<ColumnType> first_;
  std::string first_name_;
};

}  // namespace leitong::records
