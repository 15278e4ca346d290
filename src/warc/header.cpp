#include "warc/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace leitong::warc {
namespace {

constexpr std::string_view blanks = " \t\r\n";

char lower_char(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the first line off, its line end too.
std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::optional<std::size_t> header_size(std::string_view bytes) {
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (bytes.substr(at + 1).starts_with('\n')) return at + 2;
    if (bytes.substr(at + 1).starts_with("\r\n")) return at + 3;
  }
  return std::nullopt;
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower_char(x) == lower_char(y); });
}

std::string field(std::string_view block, std::string_view name) {
  std::string value;
  bool inside = false, found = false;
  while (!block.empty()) {
    const std::string_view line = next_line(block);
    if (inside && (line.starts_with(' ') || line.starts_with('\t'))) {
      value.append(value.empty() ? "" : " ").append(trimmed(line));
      continue;
    }
    const std::size_t colon = line.find(':');
    inside = colon != std::string_view::npos && same_word(trimmed(line.substr(0, colon)), name);
    if (!inside) continue;
    if (found) value += ", ";
    value += trimmed(line.substr(colon + 1));
    found = true;
  }
  return value;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower_char);
  return out;
}

std::optional<ArcLine> parse_arc_line(std::string_view line) {
  constexpr std::size_t longest = 16384;
  if (line.size() > longest) return std::nullopt;
  const std::size_t scheme = line.find(':');
  if (scheme == std::string_view::npos || scheme == 0 || scheme > 16) return std::nullopt;
  std::array<std::string_view, 4> parts;  // from the end: length, type, date, address of the host
  for (std::string_view& part : parts) {
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos || blank + 1 == line.size()) return std::nullopt;
    part = line.substr(blank + 1);
    line.remove_suffix(line.size() - blank);
  }
  const std::string_view date = parts[2];
  if (date.size() < 12 || date.size() > 20 || !std::ranges::all_of(date, is_digit) || line.empty()) return std::nullopt;
  return ArcLine{line, parts[3], date, parts[1], number(parts[0])};
}

std::string arc_date(std::string_view d) {
  if (d.size() < 14 || !std::ranges::all_of(d, is_digit)) return {};
  return fmt::format("{}-{}-{}T{}:{}:{}Z", d.substr(0, 4), d.substr(4, 2), d.substr(6, 2), d.substr(8, 2), d.substr(10, 2),
                     d.substr(12, 2));
}

}  // namespace leitong::warc
