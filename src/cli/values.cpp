// The arguments of flags by kind.
#include <charconv>
#include <cmath>

#include "cli/flags.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

[[noreturn]] void refuse(std::string_view origin, std::string_view text, std::string_view wanted) {
  throw Error(ErrorCode::usage, std::string(origin) + ": \"" + std::string(text) + "\" is not " + std::string(wanted));
}

std::uint64_t check_number(const Flag& flag, std::string_view text, std::string_view origin) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) refuse(origin, text, "a whole number");
  if (value < flag.low || value > flag.high) {
    const bool bounded = flag.high != ~std::uint64_t{0};
    const std::string low = std::to_string(flag.low);
    refuse(origin, text,
           bounded ? "a whole number from " + low + " to " + std::to_string(flag.high) : "a whole number from " + low + " on");
  }
  return value;
}

double check_real(std::string_view text, std::string_view origin) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0 && value <= 1))
    refuse(origin, text, "a number above 0 and at most 1");
  return value;
}

std::uint64_t check_size(const Flag& flag, std::string_view text, std::string_view origin) {
  constexpr std::string_view wanted = "a size such as 512M or 4G";
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !(value >= 0)) refuse(origin, text, wanted);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  int power = 0;
  if (!unit.empty()) {
    const std::size_t at = std::string_view("KMGTP").find(static_cast<char>(unit[0] & ~0x20));
    if (at != std::string_view::npos) {
      power = static_cast<int>(at) + 1;
      unit.remove_prefix(1);
    }
    if (!(unit.empty() || unit == "B" || unit == "b" || (power > 0 && (unit == "iB" || unit == "ib")))) refuse(origin, text, wanted);
  }
  const double bytes = std::ldexp(value, 10 * power);
  if (bytes < 1 || bytes >= std::ldexp(1.0, 63)) refuse(origin, text, wanted);
  const auto whole = static_cast<std::uint64_t>(bytes);
  if (whole < flag.low) refuse(origin, text, "enough: at least " + std::to_string(flag.low >> 20) + "M");
  return whole;
}

bool check_boolean(std::string_view text, std::string_view origin) {
  if (text == "true" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "no" || text == "0") return false;
  refuse(origin, text, "true or false");
}

std::string check_choice(const Flag& flag, std::string_view text, std::string_view origin) {
  const std::string wanted = canonical_name(text);
  std::string list;
  for (const std::string_view choice : split_words(flag.choices)) {
    if (choice == wanted) return wanted;
    list += (list.empty() ? "one of " : ", ") + std::string(choice);
  }
  refuse(origin, text, list);
}

}  // namespace

Value check_value(const Flag& flag, std::string_view text, std::string_view origin) {
  Value value{.text = std::string(text)};
  switch (flag.kind) {
    case Kind::boolean:
      value.on = check_boolean(text, origin);
      break;
    case Kind::number:
      value.number = check_number(flag, text, origin);
      break;
    case Kind::size:
      value.number = check_size(flag, text, origin);
      break;
    case Kind::real:
      value.real = check_real(text, origin);
      break;
    case Kind::choice:
      value.text = check_choice(flag, text, origin);
      break;
    case Kind::text:
    case Kind::list:
      if (text.empty()) throw Error(ErrorCode::usage, std::string(origin) + ": the value is empty");
      break;
  }
  return value;
}

}  // namespace leitong::cli
