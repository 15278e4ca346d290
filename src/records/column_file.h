// Parquet and Arrow files, and Arrow streams, as sources of columns (columns.h).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parquet/table.h"
#include "records/byte_stream.h"
#include "records/columns.h"
#include "records/input.h"

namespace leitong::records {

inline constexpr std::size_t column_file_head = 8;  // bytes that tell
// What begins with these bytes, if it is one of the two.
[[nodiscard]] std::optional<Format> column_format(std::string_view head);
// Whether it is in the form that has no end to look at first, so that it can be read as it comes. `head` is of Format::arrow.
[[nodiscard]] bool is_arrow_stream(std::string_view head);

// A source that can be opened again and again, with what else its file says.
class ColumnFile : public ColumnSource {
 public:
  // For writing rows as they are: their schema and what else the file says; where row groups begin, and the number of rows (of a stream,
  // which has no such places, nothing); all columns.
  [[nodiscard]] virtual const parquet::Schema& schema() const = 0;
  [[nodiscard]] virtual const parquet::KeyValues& metadata() const = 0;
  [[nodiscard]] virtual std::span<const std::uint64_t> group_starts() const = 0;
  [[nodiscard]] virtual std::unique_ptr<parquet::RowReader> read_rows() const = 0;
};

// The two below throw Error(format), Error(limit) or Error(unsupported) for a file that is damaged or not read; messages begin with `name`.
[[nodiscard]] std::shared_ptr<const ColumnFile> open_column_file(const std::string& path, const std::string& name);
// Of the spool of what could be read only once, or any whole file in Zstandard's seekable format.
[[nodiscard]] std::shared_ptr<const ColumnFile> open_spooled_columns(const std::string& spool, const std::string& name);
// A source that was read before, as Reread reads it: throws Error(format) too if it has changed since. `spool`: of what could be read only
// once.
[[nodiscard]] std::shared_ptr<const ColumnFile> open_columns_again(const Source& source, const std::string& spool);
// An Arrow stream as it comes: its one reader reads on. `stream` must outlive it.
[[nodiscard]] std::shared_ptr<const ColumnSource> open_arriving_columns(ByteStream& stream, const std::string& name);

}  // namespace leitong::records
