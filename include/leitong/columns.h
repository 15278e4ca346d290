// Records that stand in memory, as a table: they are read in place, by every job that takes InputOptions.
//
//     InputOptions input;
//     input.in_memory["<records>"] = leitong::table_of(stream);   // from pyarrow, polars, DuckDB, ...
//     input.paths = {"<records>"};
//
// A record is a row, its number in the table what an offset is in a file. Columns are named as fields of JSON Lines are: by dotted paths
// into structs and lists (InputOptions::text_field). A null text is a bad record, and so is one that is not UTF-8.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct ArrowSchema;
struct ArrowArray;
struct ArrowArrayStream;

namespace leitong {

// A table; immutable, and read by any number of threads.
class ColumnSource;

// All that the stream gives. It is taken over: its release is null afterwards, also if this throws. Columns may be of any type, but those
// that are asked for must be strings, or binary (utf8, large_utf8, utf8_view and their binary twins), dictionaries of these, numbers or
// booleans, or lists or structs of these. A stream of strings rather than of tables is one column, called `name`.
// Throws Error(format) with what the stream says if it fails.
[[nodiscard]] std::shared_ptr<const ColumnSource> table_of(ArrowArrayStream& stream, const std::string& name = "text");
// The same of arrays of one schema, which all are taken over.
[[nodiscard]] std::shared_ptr<const ColumnSource> table_of(ArrowSchema& schema, std::vector<ArrowArray> chunks,
                                                           const std::string& name = "text");

// A column of values that somebody else holds.
struct TextColumn {
  std::string name;
  std::vector<std::string_view> values;  // UTF-8; null: data() is null (an empty string's is not)
  bool json = false;                     // each is a JSON value (a number, true, ...) rather than a text
};
// Columns of equal lengths, else Error(usage). `owner` is held as long as the table is.
[[nodiscard]] std::shared_ptr<const ColumnSource> table_of(std::vector<TextColumn> columns, std::shared_ptr<const void> owner = nullptr);

[[nodiscard]] std::uint64_t rows_of(const ColumnSource& table);

}  // namespace leitong
