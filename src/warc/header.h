// Blocks of header lines: of WARC records, of HTTP, of ARC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace leitong::warc {

// Bytes of the block with the blank line that ends it, whatever its line ends are; none: there is no blank line.
[[nodiscard]] std::optional<std::size_t> header_size(std::string_view bytes);

// The value of a field, by its name in any case; folded lines joined by a blank, of a field that stands there several times all, separated
// by
// ", ". Empty: there is none. `block`: lines behind the first one, or with it.
[[nodiscard]] std::string field(std::string_view block, std::string_view name);

// A decimal number and nothing else.
[[nodiscard]] std::optional<std::uint64_t> number(std::string_view text);
[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);  // ASCII letters in any case

// The line of an ARC record (version 1): address, IP address, date, media type, length. An address may hold blanks.
struct ArcLine {
  std::string_view url, ip, date, type;
  std::optional<std::uint64_t> length;  // none: it is not a number
};
// None: it is no such line. `line` is without its line end.
[[nodiscard]] std::optional<ArcLine> parse_arc_line(std::string_view line);

// "20140216050221" as "2014-02-16T05:02:21Z"; empty if it is not so many digits.
[[nodiscard]] std::string arc_date(std::string_view digits);

}  // namespace leitong::warc
