// Rows of CSV (RFC 4180) and TSV. One function finds where a row ends, for the cutting into chunks and for the parsing alike, so that both
// agree on broken quotes too.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::records {

struct CsvRow {
  enum class State {
    incomplete,  // more bytes are needed to tell
    good,
    bad_quotes,  // a quoted field is not closed within the limit, or not followed by a delimiter: the row is its first line
    too_long,    // its one line is longer than the limit
  };
  State state = State::incomplete;
  std::size_t length = 0;  // without the line end
  std::size_t next = 0;    // where the next row begins
  std::size_t lines = 0;   // line ends in it, its own included
};

// In CSV a line ends at \n, at \r\n or, as old Macs wrote, at \r alone, in one file too. In TSV, which has no quotes to protect one, a
// lone \r is a character like any other.
[[nodiscard]] bool ends_at_return(char delimiter);

// The row at the start of `bytes`. `complete`: nothing follows bytes. `limit`: the longest good row.
[[nodiscard]] CsvRow scan_csv_row(std::string_view bytes, bool complete, char delimiter, std::size_t limit);

struct CsvField {
  std::string_view raw;  // without the outer quotes
  bool escaped = false;  // raw holds "" for a quote
};
// Splits a row that scan_csv_row found, without its line end. `quotes` false: a quote is a character like any other.
void split_csv_row(std::string_view row, char delimiter, bool quotes, std::vector<CsvField>& out);
// Writes the value of a field to `out` (room for raw.size() bytes); returns its length.
std::size_t unescape_csv(std::string_view raw, char* out);

}  // namespace leitong::records
