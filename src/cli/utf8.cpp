#include "cli/utf8.h"

#include <fmt/format.h>

#include "leitong/error.h"

namespace leitong::cli {

std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned c = byte(0);
  const std::size_t length = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (c == 0xE0 && byte(1) < 0xA0) || (c == 0xF0 && byte(1) < 0x90);
  const bool outside = (c == 0xED && byte(1) >= 0xA0) || (c == 0xF4 && byte(1) >= 0x90);
  return overlong || outside ? 0 : length;
}

std::size_t invalid_length(std::string_view text) {
  const auto between = [&](std::size_t at, int low, int high) {
    return at < text.size() && static_cast<unsigned char>(text[at]) >= low && static_cast<unsigned char>(text[at]) <= high;
  };
  return between(0, 0xED, 0xED) && between(1, 0xA0, 0xBF) && between(2, 0x80, 0xBF) ? 3 : 1;
}

std::string printable_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    out += length == 0 ? "\xEF\xBF\xBD" : text.substr(0, length);
    text.remove_prefix(length == 0 ? invalid_length(text) : length);
  }
  return out;
}

void require_utf8(std::string_view text, std::string_view name) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    if (length == 0)
      throw Error(ErrorCode::format,
                  fmt::format("{}: invalid UTF-8 at byte {}; convert it first, e.g. with iconv -f GB18030 -t UTF-8", name, at));
    at += length;
  }
}

}  // namespace leitong::cli
