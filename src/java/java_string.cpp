#include "java/java_string.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace leitong::java {
namespace {

struct Number {
  bool hexadecimal = false;
  std::string digits;    // integer digits, '.', fraction digits
  std::string exponent;  // sign and digits, perhaps empty
  [[nodiscard]] bool is_zero() const { return digits.find_first_not_of("0.") == std::string::npos; }
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hexadecimal(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::string_view take_while(std::string_view& s, bool (*wanted)(char)) {
  std::size_t n = 0;
  while (n < s.size() && wanted(s[n])) ++n;
  const std::string_view taken = s.substr(0, n);
  s.remove_prefix(n);
  return taken;
}

bool take_one_of(std::string_view& s, std::string_view set) {
  if (s.empty() || set.find(s.front()) == std::string_view::npos) return false;
  s.remove_prefix(1);
  return true;
}

// Splits what stands behind the sign; nothing if the syntax is wrong.
std::optional<Number> scan(std::string_view s) {
  Number number;
  if (s.size() > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    number.hexadecimal = true;
    s.remove_prefix(2);
  }
  const auto wanted = number.hexadecimal ? is_hexadecimal : is_digit;
  number.digits = take_while(s, wanted);
  if (take_one_of(s, ".")) number.digits.append(".").append(take_while(s, wanted));
  if (number.digits.empty() || number.digits == ".") return std::nullopt;
  if (take_one_of(s, number.hexadecimal ? "pP" : "eE")) {
    const bool negative = !s.empty() && s.front() == '-';
    take_one_of(s, "+-");
    const std::string_view digits = take_while(s, is_digit);
    if (digits.empty()) return std::nullopt;
    number.exponent.append(negative ? "-" : "").append(digits);
  } else if (number.hexadecimal) {
    return std::nullopt;
  }
  take_one_of(s, "fFdD");
  if (!s.empty()) return std::nullopt;
  return number;
}

// The power of the base at the first significant digit, roughly: only its sign is used, far from zero.
bool is_huge(const Number& number) {
  const std::size_t point = std::min(number.digits.find('.'), number.digits.size());
  const std::size_t first = number.digits.find_first_not_of("0.");
  long long exponent = 0;
  const auto [end, error] = std::from_chars(number.exponent.data(), number.exponent.data() + number.exponent.size(), exponent);
  if (error == std::errc::result_out_of_range) exponent = number.exponent.front() == '-' ? -(1LL << 60) : 1LL << 60;
  const long long places = static_cast<long long>(point) - static_cast<long long>(first);
  return exponent + places * (number.hexadecimal ? 4 : 1) > 0;
}

double to_double(const Number& number) {
  if (number.is_zero()) return 0;
  std::string text = number.digits;
  if (!number.exponent.empty()) text.append(number.hexadecimal ? "p" : "e").append(number.exponent);
  if (text.front() == '.') text.insert(0, "0");
  double value = 0;
  const auto format = number.hexadecimal ? std::chars_format::hex : std::chars_format::general;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, format);
  if (error == std::errc::result_out_of_range) return is_huge(number) ? std::numeric_limits<double>::infinity() : 0.0;
  return value;
}

}  // namespace

bool java_is_whitespace(char16_t c) {
  if (c <= 0x20) return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20);
  if (c < 0x1680) return false;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200A && c != 0x2007) || c == 0x2028 || c == 0x2029 || c == 0x205F || c == 0x3000;
}

bool java_is_blank(std::u16string_view s) { return std::all_of(s.begin(), s.end(), java_is_whitespace); }

std::optional<double> java_parse_double(std::u16string_view s) {
  while (!s.empty() && s.front() <= u' ') s.remove_prefix(1);
  while (!s.empty() && s.back() <= u' ') s.remove_suffix(1);
  if (std::any_of(s.begin(), s.end(), [](char16_t c) { return c > 0x7E; })) return std::nullopt;
  const std::string ascii(s.begin(), s.end());
  std::string_view rest = ascii;
  const bool negative = !rest.empty() && rest.front() == '-';
  take_one_of(rest, "+-");
  double value = 0;
  if (rest == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (rest == "Infinity") {
    value = std::numeric_limits<double>::infinity();
  } else {
    const std::optional<Number> number = scan(rest);
    if (!number) return std::nullopt;
    value = to_double(*number);
  }
  return negative ? -value : value;
}

}  // namespace leitong::java
