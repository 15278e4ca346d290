#include "stored/stored_value.h"

#include <algorithm>
#include <bit>
#include <string>

namespace leitong::stored {
namespace {

using fingerprint::as_signed;
using fingerprint::fits;
using fingerprint::negated;
using fingerprint::read_number;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool same_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return lower(a) == b; });
}

// `narrow`: the value as it stands has at most half of the width: it may be a number of a narrower fingerprint, whose distance would say
// nothing, so it can only be equal.
std::uint8_t distance_of(const std::optional<Number>& a, const Number& b, bool narrow) {
  if (!a || (narrow && *a != b)) return not_comparable;
  int bits = 0;
  for (unsigned i = 0; i < 4; ++i) bits += std::popcount((*a)[i] ^ b[i]);
  return static_cast<std::uint8_t>(std::min(bits, 254));
}

// Numbers of 64 bits that went through a double, which keeps about 16 of their 20 digits.
bool is_rounded(const Number& stored, const Number& own) {
  return stored != own && static_cast<double>(stored[0]) == static_cast<double>(own[0]);
}

}  // namespace

StoredValue read_stored_value(std::string_view text) {
  text = trimmed(text);
  StoredValue value;
  value.none = text.empty() || same_word(text, "null") || same_word(text, "none") || same_word(text, "nil");
  if (value.none || text.size() > 1000) return value;
  const bool prefixed = text.starts_with("0x") || text.starts_with("0X");
  value.hex = read_number(prefixed ? text.substr(2) : text, 16);
  if (value.hex) value.hex_digits = text.size() - (prefixed ? 2 : 0);
  if (prefixed) return value;
  value.binary = read_number(text, 2);
  value.binary_digits = text.size();
  value.negative = text.starts_with('-');
  value.decimal = read_number(text.substr(value.negative || text.starts_with('+') ? 1 : 0), 10);
  return value;
}

FormDistances form_distances(const StoredValue& stored, const std::optional<Fingerprint>& fingerprint) {
  FormDistances result;
  if (stored.none || !fingerprint) {
    result.bits.fill(stored.none && !fingerprint ? 0 : not_comparable);
    return result;
  }
  const unsigned bits = fingerprint->bits;
  const Number own = fingerprint->words, other_way = reversed(*fingerprint).words;
  const auto narrow = [&](const std::optional<Number>& written) { return written && fits(*written, bits / 2); };
  const bool narrow_binary = narrow(stored.binary) && stored.binary_digits != bits, narrow_hex = narrow(stored.hex),
             narrow_decimal = narrow(stored.decimal);
  const auto set = [&](WrittenForm form, const std::optional<Number>& value, const Number& wanted, bool is_narrow) {
    result.bits[static_cast<std::size_t>(form)] = distance_of(value, wanted, is_narrow);
  };
  const auto of_width = [&](const std::optional<Number>& value) { return value && fits(*value, bits) ? value : std::nullopt; };
  const std::optional<Number> none;
  const std::optional<Number> hex = of_width(stored.hex), decimal = stored.negative ? none : of_width(stored.decimal);
  const std::optional<Number> with_sign = stored.decimal ? as_signed(*stored.decimal, stored.negative, bits) : none;
  set(WrittenForm::bits_most_first, of_width(stored.binary), own, narrow_binary);
  set(WrittenForm::bits_least_first, stored.binary_digits == bits ? of_width(stored.binary) : none, other_way, narrow_binary);
  set(WrittenForm::hex, hex, own, narrow_hex);
  set(WrittenForm::decimal, decimal, own, narrow_decimal);
  set(WrittenForm::signed_decimal, with_sign, own, narrow_decimal);
  set(WrittenForm::reversed_hex, hex, other_way, narrow_hex);
  set(WrittenForm::reversed_decimal, decimal, other_way, narrow_decimal);
  set(WrittenForm::reversed_signed_decimal, with_sign, other_way, narrow_decimal);
  if (bits == 64 && stored.decimal && fits(*stored.decimal, 64))
    result.rounded = is_rounded(*stored.decimal, stored.negative ? negated(own, bits) : own);
  return result;
}

}  // namespace leitong::stored
