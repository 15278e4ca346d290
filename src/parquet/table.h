// Files of columns, opened: Parquet, Arrow IPC files (Feather 2) and Arrow IPC streams behind one interface.
//
// Memory: the footer, and of each column that is read one page (Parquet) or of the file one record batch (Arrow) beside the batch that is
// made. Every number in a file is checked against the file's size, against what it must agree with, and against Limits before memory is
// taken for it. Error(format) for damage, Error(limit) for what is beyond Limits, Error(unsupported) for what is well-formed but not read
// here; messages name the file, row group, column and offset, and what to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parquet/column.h"
#include "parquet/schema.h"
#include "storage/vfs.h"

namespace leitong::parquet {

struct Limits {
  std::uint64_t metadata_bytes = std::uint64_t{256} << 20;  // a footer, a schema message
  std::uint64_t page_bytes = std::uint64_t{1} << 30;        // one page unpacked; one buffer of an Arrow record batch
  std::uint64_t dictionary_bytes = std::uint64_t{1} << 30;  // a column's dictionary unpacked
  std::uint64_t value_bytes = std::uint64_t{1} << 30;       // one string
  double expansion = 10'000;                                // a page unpacked against packed, beyond 64 MiB
  std::uint64_t batch_entries = std::uint64_t{64} << 20;    // of one column in one batch: a row with more elements is refused
};

struct BatchSize {
  std::uint32_t rows = 8192;                     // at most
  std::uint64_t bytes = std::uint64_t{1} << 20;  // a batch ends with the row with which a column reaches this many bytes of strings
};

// Reads rows of some columns in ascending order. Not thread-safe; readers of one table may run in different threads.
class RowReader {
 public:
  virtual ~RowReader() = default;
  // The next rows, none at the end (false). Batches do not cross row groups and are the same on every run. A batch owns what it shows.
  virtual bool next(Batch& batch, const BatchSize& size) = 0;
  bool next(Batch& batch) { return next(batch, BatchSize{}); }
  // The next batch begins with this row. Forward is one pass over the file that leaves out what it can (row groups, pages); back is
  // allowed. Error(usage) beyond the end.
  virtual void seek(std::uint64_t row) = 0;
};

// Thread-safe.
class Table {
 public:
  virtual ~Table() = default;
  [[nodiscard]] virtual const Schema& schema() const = 0;
  [[nodiscard]] virtual const KeyValues& metadata() const = 0;
  // First row of each row group or record batch, and the number of rows of the file at the end.
  [[nodiscard]] virtual std::span<const std::uint64_t> group_starts() const = 0;
  [[nodiscard]] std::uint64_t rows() const { return group_starts().back(); }
  // Where a group's bytes end in the file, for progress.
  [[nodiscard]] virtual std::uint64_t group_end_offset(std::size_t group) const = 0;
  // Leaves of the schema in any order, each once. The table must outlive the reader.
  [[nodiscard]] virtual std::unique_ptr<RowReader> read(std::span<const std::uint32_t> leaves) const = 0;
  [[nodiscard]] std::unique_ptr<RowReader> read_all() const;
};

enum class TableFormat : std::uint8_t { parquet, arrow_file };

// The format by its first bytes ("PAR1", "PARE", "ARROW1"), nullopt: none of these. Eight bytes are enough.
[[nodiscard]] std::optional<TableFormat> table_format(std::string_view head);
// Whether these can be the first eight bytes of an Arrow stream (which has no magic number).
[[nodiscard]] bool may_be_arrow_stream(std::string_view head);

// `name` is for messages.
[[nodiscard]] std::unique_ptr<Table> open_table(std::shared_ptr<const storage::ReadableFile> file, std::string name,
                                                const Limits& limits = {});

// An Arrow IPC stream, forward only: standard input. `read` fills its span, and gives fewer bytes only at the end.
using ReadBytes = std::function<std::size_t(std::span<std::byte>)>;
class StreamReader : public RowReader {
 public:
  [[nodiscard]] virtual const Schema& schema() const = 0;
  [[nodiscard]] virtual const KeyValues& metadata() const = 0;
  // Leaves of the schema that next() gives; before the first call of next (default: all).
  virtual void choose(std::span<const std::uint32_t> leaves) = 0;
  [[nodiscard]] virtual std::uint64_t offset() const = 0;  // bytes taken so far
  // seek(): forward only, Error(usage) otherwise.
};
[[nodiscard]] std::unique_ptr<StreamReader> open_arrow_stream(ReadBytes read, std::string name, const Limits& limits = {});

}  // namespace leitong::parquet
