// One value of any type as JSON.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "parquet/row_json.h"
#include "text/utf8.h"

namespace leitong::parquet {
namespace {

constexpr std::size_t longest_decimal = 1024;  // bytes: its digits take quadratic time

template <typename T>
T value_at(const Column& column, std::size_t entry) {
  T value{};
  std::memcpy(&value, column.values.data() + entry * sizeof(T), sizeof(T));
  return value;
}

template <typename Float>
void append_float(std::string& out, Float value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  const double size = std::fabs(static_cast<double>(value));
  const bool fixed = size == 0 || (size >= 1e-5 && size <= 1e15);
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, fixed ? std::chars_format::fixed : std::chars_format::scientific);
  out.append(buffer, end.ptr);
}

float from_half(std::uint16_t half) {
  const int exponent = half >> 10U & 31U;
  const auto fraction = static_cast<float>(half & 1023U);
  float size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  if (exponent == 31) size = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  return (half & 0x8000U) != 0 ? -size : size;
}

// Proleptic Gregorian date of a day counted from 1970-01-01 (days of eras of 400 years from March on).
void append_date(std::string& out, std::int64_t day) {
  const std::int64_t from_march = day + 719'468;
  const std::int64_t era = (from_march >= 0 ? from_march : from_march - 146'096) / 146'097;
  const std::int64_t of_era = from_march - era * 146'097;
  const std::int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;
  const std::int64_t day_of_month = of_year - (153 * month + 2) / 5 + 1;
  const std::int64_t calendar_month = month < 10 ? month + 3 : month - 9;
  const std::int64_t year = year_of_era + era * 400 + (calendar_month <= 2 ? 1 : 0);
  if (year >= 0 && year <= 9999) {
    fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}", year, calendar_month, day_of_month);
  } else {
    fmt::format_to(std::back_inserter(out), "{:+07}-{:02}-{:02}", year, calendar_month, day_of_month);
  }
}

struct UnitOf {
  std::int64_t per_second;
  int digits;
};
UnitOf unit_of(Unit unit) {
  static constexpr UnitOf units[] = {{1'000, 3}, {1'000'000, 6}, {1'000'000'000, 9}};
  return units[static_cast<std::size_t>(unit)];
}

// `ticks` since midnight, less than a day for a time that there is.
void append_time(std::string& out, std::int64_t ticks, Unit unit) {
  const auto [per_second, digits] = unit_of(unit);
  const std::int64_t seconds = ticks / per_second;
  fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}.{:0{}}", seconds / 3600, seconds / 60 % 60, seconds % 60, ticks % per_second,
                 digits);
}

void append_timestamp(std::string& out, std::int64_t ticks, Unit unit, bool utc) {
  const std::int64_t per_day = unit_of(unit).per_second * 86'400;
  std::int64_t day = ticks / per_day;
  std::int64_t rest = ticks % per_day;
  if (rest < 0) {
    rest += per_day;
    --day;
  }
  out += '"';
  append_date(out, day);
  out += 'T';
  append_time(out, rest, unit);
  out += utc ? "Z\"" : "\"";
}

// Nanoseconds of the day, then the Julian day.
void append_int96(std::string& out, const std::byte* bytes) {
  std::int64_t nanos = 0;
  std::int32_t julian = 0;
  std::memcpy(&nanos, bytes, 8);
  std::memcpy(&julian, bytes + 8, 4);
  constexpr std::int64_t per_day = 86'400'000'000'000;
  std::int64_t day = std::int64_t{julian} - 2'440'588 + nanos / per_day;
  nanos %= per_day;
  if (nanos < 0) {
    nanos += per_day;
    --day;
  }
  out += '"';
  append_date(out, day);
  out += 'T';
  append_time(out, nanos, Unit::nanos);
  out += '"';
}

void append_base64(std::string& out, std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t i) { return i < bytes.size() ? static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[i])) : 0U; };
  out += '"';
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t three = byte(i) << 16U | byte(i + 1) << 8U | byte(i + 2);
    out += digits[three >> 18U];
    out += digits[three >> 12U & 63U];
    out += i + 1 < bytes.size() ? digits[three >> 6U & 63U] : '=';
    out += i + 2 < bytes.size() ? digits[three & 63U] : '=';
  }
  out += '"';
}

// The digits of a number without its sign, and the point put in.
void append_scaled(std::string& out, bool negative, std::string digits, std::int32_t scale) {
  const auto places = static_cast<std::size_t>(scale);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (negative) out += '-';
  out.append(digits, 0, digits.size() - places);
  if (places > 0) {
    out += '.';
    out.append(digits, digits.size() - places);
  }
}

void append_decimal(std::string& out, std::int64_t value, std::int32_t scale) {
  const std::uint64_t size = value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
  append_scaled(out, value < 0, fmt::format("{}", size), scale);
}

// Two's complement, the most significant byte first.
void append_decimal(std::string& out, std::string_view bytes, std::int32_t scale) {
  if (bytes.empty() || bytes.size() > longest_decimal) return append_base64(out, bytes);
  const bool negative = (static_cast<std::uint8_t>(bytes.front()) & 0x80U) != 0;
  std::string size(bytes);
  if (negative) {
    unsigned carry = 1;
    for (std::size_t i = size.size(); i-- > 0;) {
      carry += static_cast<std::uint8_t>(~static_cast<unsigned>(static_cast<std::uint8_t>(size[i])));
      size[i] = static_cast<char>(carry);
      carry >>= 8U;
    }
  }
  std::string digits;
  for (std::size_t first = 0; first < size.size();) {
    unsigned rest = 0;
    for (std::size_t i = first; i < size.size(); ++i) {
      rest = rest << 8U | static_cast<std::uint8_t>(size[i]);
      size[i] = static_cast<char>(rest / 10);
      rest %= 10;
    }
    digits += static_cast<char>('0' + rest);
    while (first < size.size() && size[first] == 0) ++first;
  }
  std::reverse(digits.begin(), digits.end());
  append_scaled(out, negative, std::move(digits), scale);
}

void append_uuid(std::string& out, std::string_view bytes) {
  out += '"';
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    fmt::format_to(std::back_inserter(out), "{:02x}", static_cast<std::uint8_t>(bytes[i]));
  }
  out += '"';
}

void append_interval(std::string& out, std::string_view bytes) {
  std::uint32_t parts[3];
  std::memcpy(parts, bytes.data(), sizeof parts);
  fmt::format_to(std::back_inserter(out), R"({{"months":{},"days":{},"milliseconds":{}}})", parts[0], parts[1], parts[2]);
}

void append_integer(std::string& out, std::int64_t value, const Node& leaf) {
  const LogicalType& type = leaf.logical;
  const bool narrow = leaf.physical == Physical::int32;
  switch (type.kind) {
    case Logical::decimal:
      return append_decimal(out, value, type.scale);
    case Logical::date:
      out += '"';
      append_date(out, value);
      out += '"';
      return;
    case Logical::time:
      out += '"';
      append_time(out, value, type.unit);
      out += '"';
      return;
    case Logical::timestamp:
      return append_timestamp(out, value, type.unit, type.utc);
    case Logical::integer:
      if (!type.is_signed) {
        out += fmt::format("{}", narrow ? static_cast<std::uint32_t>(value) : static_cast<std::uint64_t>(value));
        return;
      }
      [[fallthrough]];
    default:
      out += fmt::format("{}", value);
  }
}

void append_bytes(std::string& out, std::string_view bytes, const LogicalType& type) {
  switch (type.kind) {
    case Logical::string:
    case Logical::enumeration:
    case Logical::json:
      return append_json_text(out, bytes);
    case Logical::decimal:
      return append_decimal(out, bytes, type.scale);
    case Logical::uuid:
      return append_uuid(out, bytes);
    case Logical::interval:
      return append_interval(out, bytes);
    case Logical::float16: {
      std::uint16_t half = 0;
      std::memcpy(&half, bytes.data(), 2);
      return append_float(out, from_half(half));
    }
    default:
      append_base64(out, bytes);
  }
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0;  // what is not yet copied begins here
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
      ++i;
      continue;
    }
    const text::Decoded decoded = text::decode_utf8(text, i);
    if (c >= 0x80 && decoded.valid) {
      i += decoded.size;
      continue;
    }
    out.append(text, plain, i - plain);
    i += decoded.size;
    plain = i;
    if (c >= 0x80) {
      out += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
    }
  }
  out.append(text, plain, text.size() - plain);
  out += '"';
}

void append_value_json(std::string& out, const Node& leaf, const Column& column, std::size_t entry) {
  if (column.is_null(entry) || leaf.logical.kind == Logical::null) {
    out += "null";
    return;
  }
  switch (leaf.physical) {
    case Physical::boolean:
      out += column.values[entry] != std::byte{0} ? "true" : "false";
      return;
    case Physical::int32:
      return append_integer(out, value_at<std::int32_t>(column, entry), leaf);
    case Physical::int64:
      return append_integer(out, value_at<std::int64_t>(column, entry), leaf);
    case Physical::int96:
      return append_int96(out, column.values.data() + entry * leaf.width);
    case Physical::float32:
      return append_float(out, value_at<float>(column, entry));
    case Physical::float64:
      return append_float(out, value_at<double>(column, entry));
    case Physical::bytes:
      return append_bytes(out, column.strings[entry], leaf.logical);
    case Physical::fixed:
      return append_bytes(out, {reinterpret_cast<const char*>(column.values.data() + entry * leaf.width), leaf.width}, leaf.logical);
  }
}

}  // namespace leitong::parquet
