#include "records/csv.h"

#include <algorithm>
#include <cstring>

namespace leitong::records {
namespace {

constexpr std::size_t none = std::string_view::npos;

struct LineEnd {
  std::size_t begin = 0, next = 0;  // of the line end itself, and behind it; both the size of the bytes: there is none
};

// Stretch by stretch, for the two kinds of end lie far apart: of a file with one kind only, the other is not looked for to its end.
LineEnd find_line_end(std::string_view bytes, std::size_t from, char delimiter) {
  for (std::size_t size = 512; from < bytes.size(); from += size, size *= 2) {
    const std::string_view stretch = bytes.substr(from, size);
    const std::size_t newline = stretch.find('\n');
    if (const std::size_t back = ends_at_return(delimiter) ? stretch.substr(0, newline).find('\r') : none; back != none) {
      const std::size_t at = from + back;
      return {at, at + (bytes.substr(at + 1).starts_with('\n') ? 2U : 1U)};
    }
    if (newline == none) continue;
    const std::size_t at = from + newline;
    return {at > 0 && bytes[at - 1] == '\r' ? at - 1 : at, at + 1};
  }
  return {bytes.size(), bytes.size()};
}

// A line feed may still follow.
bool may_go_on(std::string_view bytes, const LineEnd& end) { return end.next == bytes.size() && (bytes.empty() || bytes.back() != '\n'); }

// Line ends in a quoted field.
std::size_t count_lines(std::string_view bytes, char delimiter) {
  auto lines = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  if (!ends_at_return(delimiter)) return lines;
  for (std::size_t at = bytes.find('\r'); at != none; at = bytes.find('\r', at + 1))
    lines += bytes.substr(at + 1).starts_with('\n') ? 0 : 1;
  return lines;
}

// Walks the fields of one row in which a quote occurs.
class RowScan {
 public:
  RowScan(std::string_view window, bool complete, char delimiter) : bytes_(window), complete_(complete), delimiter_(delimiter) {}

  // good, incomplete (the window ends first) or bad_quotes; too_long is for the caller to see.
  CsvRow run() {
    while (true) {
      const bool quoted = position_ < bytes_.size() && bytes_[position_] == '"';
      const CsvRow::State state = quoted ? quoted_field() : plain_field();
      if (state != CsvRow::State::good) return {state, 0, 0, 0};
      if (position_ >= bytes_.size()) return {CsvRow::State::good, bytes_.size(), bytes_.size(), lines_ + 1};
      if (bytes_[position_] == delimiter_) {
        ++position_;
        continue;
      }
      const bool pair = bytes_.substr(position_).starts_with("\r\n");
      return {CsvRow::State::good, position_, position_ + (pair ? 2 : 1), lines_ + 1};
    }
  }

 private:
  // Both leave position_ at a delimiter, at the line end or at the end of everything.
  CsvRow::State plain_field() {
    if (!line_end_known_ || line_end_.begin < position_) line_end_ = find_line_end(bytes_, position_, delimiter_);
    line_end_known_ = true;
    const std::size_t delimiter = bytes_.substr(0, line_end_.begin).find(delimiter_, position_);
    if (delimiter != none) {
      position_ = delimiter;
      return CsvRow::State::good;
    }
    if (!complete_ && may_go_on(bytes_, line_end_)) return CsvRow::State::incomplete;
    position_ = line_end_.begin;
    return CsvRow::State::good;
  }

  CsvRow::State quoted_field() {
    std::size_t from = position_ + 1;
    std::size_t close = 0;
    while (true) {
      close = bytes_.find('"', from);
      if (close == none) return complete_ ? CsvRow::State::bad_quotes : CsvRow::State::incomplete;
      if (close + 1 == bytes_.size()) {
        if (!complete_) return CsvRow::State::incomplete;
        break;
      }
      if (bytes_[close + 1] != '"') break;
      from = close + 2;
    }
    lines_ += count_lines(bytes_.substr(position_, close - position_), delimiter_);
    position_ = close + 1;
    return after_quote();
  }

  CsvRow::State after_quote() const {
    const std::string_view rest = bytes_.substr(position_);
    if (rest.empty() || rest[0] == delimiter_ || rest[0] == '\n') return CsvRow::State::good;
    if (rest[0] != '\r') return CsvRow::State::bad_quotes;
    if (rest.size() == 1 && !complete_) return CsvRow::State::incomplete;
    return ends_at_return(delimiter_) || rest.starts_with("\r\n") ? CsvRow::State::good : CsvRow::State::bad_quotes;
  }

  std::string_view bytes_;
  bool complete_;
  char delimiter_;
  std::size_t position_ = 0;
  std::size_t lines_ = 0;
  LineEnd line_end_;  // the next one from a field's beginning on
  bool line_end_known_ = false;
};

// The first line as a row. `state` is what to call it if it is not too long.
CsvRow first_line(std::string_view bytes, const LineEnd& end, bool complete, std::size_t limit, CsvRow::State state) {
  if (!complete && may_go_on(bytes, end)) return {};
  return {end.begin > limit ? CsvRow::State::too_long : state, end.begin, end.next, 1};
}

}  // namespace

bool ends_at_return(char delimiter) { return delimiter == ','; }

CsvRow scan_csv_row(std::string_view bytes, bool complete, char delimiter, std::size_t limit) {
  const LineEnd end = find_line_end(bytes, 0, delimiter);
  if (bytes.substr(0, end.begin).find('"') == none) return first_line(bytes, end, complete, limit, CsvRow::State::good);
  // Quotes are followed so far only: one that is never closed must not swallow the rest of the file. Two bytes more than the limit show
  // whether a row of just that length ends there.
  const bool clipped = bytes.size() >= limit + 2;
  const CsvRow row = RowScan(clipped ? bytes.substr(0, limit + 2) : bytes, complete || clipped, delimiter).run();
  if (row.state == CsvRow::State::incomplete) return row;
  if (row.state == CsvRow::State::good && row.length <= limit) return row;
  return first_line(bytes, end, complete, limit, CsvRow::State::bad_quotes);
}

void split_csv_row(std::string_view row, char delimiter, bool quotes, std::vector<CsvField>& out) {
  out.clear();
  std::size_t position = 0;
  while (true) {
    if (quotes && position < row.size() && row[position] == '"') {
      std::size_t close = row.find('"', position + 1);
      bool escaped = false;
      while (close != none && close + 1 < row.size() && row[close + 1] == '"') {
        escaped = true;
        close = row.find('"', close + 2);
      }
      close = std::min(close, row.size());  // only for rows that scan_csv_row has not seen
      out.push_back({row.substr(position + 1, close - position - 1), escaped});
      position = std::min(close + 1, row.size());
    } else {
      const std::size_t end = std::min(row.find(delimiter, position), row.size());
      out.push_back({row.substr(position, end - position), false});
      position = end;
    }
    if (position >= row.size()) return;
    ++position;  // the delimiter
  }
}

std::size_t unescape_csv(std::string_view raw, char* out) {
  char* to = out;
  while (!raw.empty()) {
    const std::size_t quote = std::min(raw.find('"'), raw.size() - 1);
    std::memcpy(to, raw.data(), quote + 1);
    to += quote + 1;
    raw.remove_prefix(std::min(raw.size(), raw[quote] == '"' ? quote + 2 : quote + 1));
  }
  return static_cast<std::size_t>(to - out);
}

}  // namespace leitong::records
