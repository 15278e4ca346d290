#include "segment/python_text.h"

#include <algorithm>

#include "segment/jieba_format.h"
#include "text/utf8.h"

namespace leitong::segment {

bool decode_strict(std::string_view bytes, std::u32string& out) {
  out.clear();
  for (std::size_t at = 0; at < bytes.size();) {
    const text::Decoded c = text::decode_utf8(bytes, at);
    if (!c.valid) return false;
    out.push_back(c.value);
    at += c.size;
  }
  return true;
}

std::vector<std::string_view> split_lines(std::string_view content) {
  const auto ends_line = [](char32_t c) { return (c >= 10 && c <= 13) || (c >= 28 && c <= 30) || c == 0x85 || c == 0x2028 || c == 0x2029; };
  std::vector<std::string_view> lines;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < content.size();) {
    const text::Decoded c = text::decode_utf8(content, at);
    const std::size_t end = at;
    at += c.size;
    if (!ends_line(c.value)) continue;
    if (c.value == '\r' && at < content.size() && content[at] == '\n') ++at;
    lines.push_back(content.substr(begin, end - begin));
    begin = at;
  }
  if (begin < content.size()) lines.push_back(content.substr(begin));
  return lines;
}

char32_t ascii_mark(std::u32string_view word) {
  if (word.size() < 2 || std::any_of(word.begin(), word.end(), [](char32_t c) { return c >= 0x80; })) return 0;
  const auto rare = std::find_if_not(word.begin(), word.end(), is_ascii_alnum);
  return rare == word.end() ? word[0] : *rare;
}

}  // namespace leitong::segment
