// Strings as java.lang sees them: hash code, white space, double syntax. All on UTF-16 units.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace leitong::java {

// String.hashCode(). Its low 31 bits are the "traditional hash" that one of the articles prints.
[[nodiscard]] constexpr std::uint32_t java_hash_code(std::u16string_view s) {
  std::uint32_t h = 0;
  for (const char16_t c : s) h = 31 * h + c;
  return h;
}

// Character.isWhitespace: U+3000 is, U+00A0, U+2007 and U+202F are not.
[[nodiscard]] bool java_is_whitespace(char16_t c);
// StringUtils.isBlank: empty or nothing but white space.
[[nodiscard]] bool java_is_blank(std::u16string_view s);

// Double.valueOf(String), correctly rounded: surrounding units up to U+0020 are ignored; sign, NaN, Infinity, decimal and hexadecimal
// forms, suffixes d and f. Nothing where Java throws NumberFormatException.
[[nodiscard]] std::optional<double> java_parse_double(std::u16string_view s);

}  // namespace leitong::java
