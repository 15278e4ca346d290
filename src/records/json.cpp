#include "records/json.h"

#include <charconv>
#include <cmath>

#include "records/utf8.h"

namespace leitong::records {
namespace {

constexpr char hex_digits[] = "0123456789abcdef";

void append_escaped(std::string& out, std::string_view text) {
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, plain, i - plain);
    plain = i + 1;
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += "\\u00";
        out += hex_digits[c >> 4];
        out += hex_digits[c & 15];
    }
  }
  out.append(text, plain, text.size() - plain);
}

bool is_surrogate(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  return text.size() >= 3 && byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) < 0xC0 && byte(2) >= 0x80 && byte(2) < 0xC0;
}

void append_unit_escape(std::string& out, std::string_view three_bytes) {
  const unsigned unit =
      0xD000U | (static_cast<unsigned char>(three_bytes[1]) & 0x3FU) << 6 | (static_cast<unsigned char>(three_bytes[2]) & 0x3FU);
  out += "\\u";
  for (unsigned shift = 16; shift > 0; shift -= 4) out += hex_digits[unit >> (shift - 4) & 15];
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t good = valid_utf8_prefix(text);
    append_escaped(out, text.substr(0, good));
    text.remove_prefix(good);
    if (text.empty()) break;
    if (is_surrogate(text)) {
      append_unit_escape(out, text);
      text.remove_prefix(3);
    } else {
      out += "\xEF\xBF\xBD";
      text.remove_prefix(invalid_utf8_length(text));
    }
  }
  out += '"';
}

void append_json_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char buffer[64];
  const double size = std::fabs(value);
  const bool fixed = size == 0 || (size >= 1e-5 && size <= 1e15);
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, value, fixed ? std::chars_format::fixed : std::chars_format::scientific);
  out.append(buffer, result.ptr);
}

}  // namespace leitong::records
