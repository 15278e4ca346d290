// What Python's strings do and jieba relies on: stripping, splitting into lines, white space, strict UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::segment {

// Up to the next '\n', which is dropped; `content` becomes what follows.
inline std::string_view take_line(std::string_view& content) {
  const std::size_t end = content.find('\n');
  const std::string_view line = content.substr(0, end);
  content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
  return line;
}

// bytes.strip()
inline std::string_view strip_ascii(std::string_view line) {
  constexpr std::string_view white = " \t\n\r\v\f";
  const std::size_t begin = line.find_first_not_of(white);
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin, line.find_last_not_of(white) + 1 - begin);
}

// str.isspace() of one character, which is also \s in an expression
constexpr bool is_python_space(char32_t c) {
  if (c < 0x80) return (c >= 9 && c <= 13) || (c >= 28 && c <= 32);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

// Replaces `out`; false if `bytes` is not UTF-8.
bool decode_strict(std::string_view bytes, std::u32string& out);

// str.splitlines()
std::vector<std::string_view> split_lines(std::string_view content);

// A character of an ASCII word of at least two characters that runs of letters and digits seldom hold; 0 for other words.
char32_t ascii_mark(std::u32string_view word);

}  // namespace leitong::segment
