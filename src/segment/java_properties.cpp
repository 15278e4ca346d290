#include "segment/java_properties.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "text/utf16.h"

namespace leitong::segment {
namespace {

constexpr std::string_view blanks = " \t\f";

std::string_view without_blanks(std::string_view line) { return line.substr(std::min(line.find_first_not_of(blanks), line.size())); }

std::string_view take_natural_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  const std::size_t ended = text.substr(end, 2) == "\r\n" ? 2 : end < text.size() ? 1 : 0;
  text.remove_prefix(end + ended);
  return line;
}

bool goes_on(std::string_view line) {
  const std::size_t last = line.find_last_not_of('\\');
  return (line.size() - (last == std::string_view::npos ? 0 : last + 1)) % 2 != 0;
}

// A line without its continuations' breaks; a comment does not go on.
std::string take_logical_line(std::string_view& text) {
  std::string line(without_blanks(take_natural_line(text)));
  if (line.starts_with('#') || line.starts_with('!')) return {};
  while (goes_on(line)) {
    line.pop_back();
    if (text.empty()) break;
    line += without_blanks(take_natural_line(text));
  }
  return line;
}

std::size_t end_of_key(std::string_view line) {
  std::size_t i = 0;
  for (; i < line.size() && std::string_view("=: \t\f").find(line[i]) == std::string_view::npos; ++i) {
    if (line[i] == '\\') ++i;
  }
  return std::min(i, line.size());
}

// An escape of four hexadecimal digits is a UTF-16 unit: two may make one character.
std::string unescape(std::string_view text) {
  std::string out;
  std::u16string units;
  const auto flush = [&] {
    out += text::to_utf8(units);
    units.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      flush();
      out.push_back(text[i]);
      continue;
    }
    const char c = text[++i];
    unsigned unit = 0;
    if (c == 'u' && text.size() - i > 4 && std::from_chars(text.data() + i + 1, text.data() + i + 5, unit, 16).ptr == text.data() + i + 5) {
      units.push_back(static_cast<char16_t>(unit));
      i += 4;
      continue;
    }
    flush();
    out.push_back(c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 'f' ? '\f' : c);
  }
  flush();
  return out;
}

}  // namespace

std::map<std::string, std::string> read_java_properties(std::string_view utf8) {
  std::map<std::string, std::string> properties;
  while (!utf8.empty()) {
    const std::string line = take_logical_line(utf8);
    if (line.empty()) continue;
    const std::size_t end = end_of_key(line);
    std::string_view value = without_blanks(std::string_view(line).substr(end));
    if (!value.empty() && (value[0] == '=' || value[0] == ':')) value = without_blanks(value.substr(1));
    properties[unescape(std::string_view(line).substr(0, end))] = unescape(value);
  }
  return properties;
}

}  // namespace leitong::segment
