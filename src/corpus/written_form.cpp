#include "corpus/written_form.h"

#include <algorithm>
#include <bit>
#include <string>

namespace leitong {

std::string_view written_form_name(WrittenForm form) {
  constexpr std::array<std::string_view, written_form_count> names = {"bits, most significant first",
                                                                      "bits, least significant first",
                                                                      "hexadecimal",
                                                                      "decimal",
                                                                      "signed decimal",
                                                                      "hexadecimal of the reversed bits",
                                                                      "decimal of the reversed bits",
                                                                      "signed decimal of the reversed bits"};
  return names[static_cast<std::size_t>(form)];
}

namespace corpus {
namespace {

__extension__ using Uint128 = unsigned __int128;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool same_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return lower(a) == b; });
}

unsigned digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  c = lower(c);
  return c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10) : 99;
}

// None for what has other characters, or needs more than 256 bits.
std::optional<Number> number(std::string_view digits, unsigned base) {
  if (digits.empty()) return std::nullopt;
  Number value{};
  for (const char c : digits) {
    Uint128 carry = digit(c);
    if (carry >= base) return std::nullopt;
    for (std::uint64_t& word : value) {
      carry += static_cast<Uint128>(word) * base;
      word = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    if (carry != 0) return std::nullopt;
  }
  return value;
}

bool fits(const Number& value, unsigned bits) {
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned low = i * 64;
    if (low + 64 <= bits) continue;
    if ((low >= bits ? value[i] : value[i] >> (bits - low)) != 0) return false;
  }
  return true;
}

bool bit(const Number& value, unsigned at) { return (value[at / 64] >> (at % 64) & 1) != 0; }

Number reversed(const Number& value, unsigned bits) {
  Number out{};
  for (unsigned i = 0; i < bits; ++i)
    if (bit(value, i)) out[(bits - 1 - i) / 64] |= std::uint64_t{1} << ((bits - 1 - i) % 64);
  return out;
}

// -value in two's complement of `bits` bits.
Number negated(const Number& value, unsigned bits) {
  Number out{};
  bool carry = true;
  for (unsigned i = 0; i < 4; ++i) {
    out[i] = ~value[i] + (carry ? 1 : 0);
    carry = carry && out[i] == 0;
  }
  for (unsigned i = bits; i < 256; ++i) out[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  return out;
}

// The bits of a signed number of `bits` bits; none if it does not fit.
std::optional<Number> as_signed(const Number& magnitude, bool negative, unsigned bits) {
  if (!fits(magnitude, bits)) return std::nullopt;
  const Number value = negative ? negated(magnitude, bits) : magnitude;
  const bool below_zero = negative && magnitude != Number{};
  return bit(value, bits - 1) == below_zero ? std::optional(value) : std::nullopt;
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
  value.hex = number(prefixed ? text.substr(2) : text, 16);
  if (value.hex) value.hex_digits = text.size() - (prefixed ? 2 : 0);
  if (prefixed) return value;
  value.binary = number(text, 2);
  value.binary_digits = text.size();
  value.negative = text.starts_with('-');
  value.decimal = number(text.substr(value.negative || text.starts_with('+') ? 1 : 0), 10);
  return value;
}

FormDistances form_distances(const StoredValue& stored, const std::optional<Fingerprint>& fingerprint) {
  FormDistances result;
  if (stored.none || !fingerprint) {
    result.bits.fill(stored.none && !fingerprint ? 0 : not_comparable);
    return result;
  }
  const unsigned bits = fingerprint->bits;
  const Number own = fingerprint->words, other_way = reversed(own, bits);
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

}  // namespace corpus

namespace {

std::optional<corpus::Number> number_of(std::string_view text, WrittenForm form, unsigned bits) {
  using corpus::Number;
  switch (form) {
    case WrittenForm::bits_most_first:
    case WrittenForm::bits_least_first:
      return text.size() == bits ? corpus::number(text, 2) : std::nullopt;
    case WrittenForm::hex:
    case WrittenForm::reversed_hex:
      if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
      return text.size() == bits / 4 ? corpus::number(text, 16) : std::nullopt;
    case WrittenForm::decimal:
    case WrittenForm::reversed_decimal: {
      const std::optional<Number> value = corpus::number(text, 10);
      return value && corpus::fits(*value, bits) ? value : std::nullopt;
    }
    case WrittenForm::signed_decimal:
    case WrittenForm::reversed_signed_decimal: {
      const bool negative = text.starts_with('-');
      const std::optional<Number> magnitude = corpus::number(text.substr(negative ? 1 : 0), 10);
      return magnitude ? corpus::as_signed(*magnitude, negative, bits) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Fingerprint> read_written(std::string_view text, WrittenForm form, unsigned bits) {
  const std::optional<corpus::Number> number = number_of(text, form, bits);
  if (!number) return std::nullopt;
  const Fingerprint fingerprint{*number, bits};
  const bool other_way = form == WrittenForm::bits_least_first || form >= WrittenForm::reversed_hex;
  return other_way ? reversed(fingerprint) : fingerprint;
}

}  // namespace leitong
