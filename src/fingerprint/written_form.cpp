#include "fingerprint/written_form.h"

#include <string>

#include "leitong/fingerprint.h"

namespace leitong {
namespace fingerprint {
namespace {

__extension__ using Uint128 = unsigned __int128;

unsigned digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10) : 99;
}

bool bit(const Number& value, unsigned at) { return (value[at / 64] >> (at % 64) & 1) != 0; }

}  // namespace

std::optional<Number> read_number(std::string_view digits, unsigned base) {
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

std::optional<Number> as_signed(const Number& magnitude, bool negative, unsigned bits) {
  if (!fits(magnitude, bits)) return std::nullopt;
  const Number value = negative ? negated(magnitude, bits) : magnitude;
  const bool below_zero = negative && magnitude != Number{};
  return bit(value, bits - 1) == below_zero ? std::optional(value) : std::nullopt;
}

}  // namespace fingerprint

namespace {

using fingerprint::Number;

std::optional<Number> number_of(std::string_view text, WrittenForm form, unsigned bits) {
  switch (form) {
    case WrittenForm::bits_most_first:
    case WrittenForm::bits_least_first:
      return text.size() == bits ? fingerprint::read_number(text, 2) : std::nullopt;
    case WrittenForm::hex:
    case WrittenForm::reversed_hex:
      if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
      return text.size() == bits / 4 ? fingerprint::read_number(text, 16) : std::nullopt;
    case WrittenForm::decimal:
    case WrittenForm::reversed_decimal: {
      const std::optional<Number> value = fingerprint::read_number(text, 10);
      return value && fingerprint::fits(*value, bits) ? value : std::nullopt;
    }
    case WrittenForm::signed_decimal:
    case WrittenForm::reversed_signed_decimal: {
      const bool negative = text.starts_with('-');
      const std::optional<Number> magnitude = fingerprint::read_number(text.substr(negative ? 1 : 0), 10);
      return magnitude ? fingerprint::as_signed(*magnitude, negative, bits) : std::nullopt;
    }
  }
  return std::nullopt;
}

// Are the digits those of the reversed bits?
bool other_way(WrittenForm form) { return form == WrittenForm::bits_least_first || form >= WrittenForm::reversed_hex; }

}  // namespace

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

std::optional<Fingerprint> read_written(std::string_view text, WrittenForm form, unsigned bits) {
  const std::optional<Number> number = number_of(text, form, bits);
  if (!number) return std::nullopt;
  const Fingerprint fingerprint{*number, bits};
  return other_way(form) ? reversed(fingerprint) : fingerprint;
}

std::string write_as(const Fingerprint& fingerprint, WrittenForm form) {
  const Fingerprint written = other_way(form) ? reversed(fingerprint) : fingerprint;
  switch (form) {
    case WrittenForm::bits_most_first:
    case WrittenForm::bits_least_first:
      return to_bits(written);
    case WrittenForm::decimal:
    case WrittenForm::reversed_decimal:
      return to_decimal(written);
    case WrittenForm::signed_decimal:
    case WrittenForm::reversed_signed_decimal:
      return to_signed_decimal(written);
    case WrittenForm::hex:
    case WrittenForm::reversed_hex:
      break;
  }
  return to_hex(written);
}

}  // namespace leitong
