#include "text/entities.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/entities_table.h"
#include "text/utf8.h"

namespace leitong::text {
namespace {

constexpr std::size_t longest_name = 32;      // CounterClockwiseContourIntegral;
constexpr std::size_t longest_open_name = 6;  // of those known without ';'

// What browsers make of the C1 controls: the characters of windows-1252.
constexpr std::array<char16_t, 32> windows_1252{0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                                0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                                0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

const Entity* find_entity(std::string_view name) {
  const Entity* const end = entities + entity_count;
  const Entity* const found =
      std::lower_bound(entities, end, name, [](const Entity& e, std::string_view n) { return std::string_view(e.name) < n; });
  return found != end && name == found->name ? found : nullptr;
}

char32_t repair_code(std::uint32_t code) {
  if (code >= 0x80 && code <= 0x9F) return windows_1252[code - 0x80];
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return replacement;
  return code;
}

std::size_t append_numeric(std::string_view text, std::string& out) {
  const bool hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const std::size_t first = hex ? 3 : 2;
  std::size_t i = first;
  std::uint32_t code = 0;
  for (; i < text.size(); ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0 || (!hex && digit > 9)) break;
    code = std::min<std::uint32_t>(code * (hex ? 16 : 10) + static_cast<std::uint32_t>(digit), 0x110000);  // saturates
  }
  if (i == first) {
    out += '&';
    return 1;
  }
  append_utf8(repair_code(code), out);
  return i < text.size() && text[i] == ';' ? i + 1 : i;
}

}  // namespace

std::size_t append_reference(std::string_view text, std::string& out) {
  if (text.size() > 1 && text[1] == '#') return append_numeric(text, out);
  std::size_t end = 1;
  while (end < text.size() && end <= longest_name && (is_letter(text[end]) || is_digit(text[end]))) ++end;
  const Entity* entity = nullptr;
  if (end < text.size() && text[end] == ';') {
    entity = find_entity(text.substr(1, end));
    ++end;
  }
  if (entity == nullptr) {
    for (end = std::min(end, longest_open_name + 1); end > 2 && entity == nullptr; --end) {
      entity = find_entity(text.substr(1, end - 1));
      if (entity != nullptr) break;
    }
  }
  if (entity == nullptr) {
    out += '&';
    return 1;
  }
  append_utf8(entity->first, out);
  if (entity->second != 0) append_utf8(entity->second, out);
  return end;
}

}  // namespace leitong::text
