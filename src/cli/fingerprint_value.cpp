#include "cli/fingerprint_value.h"

#include <fmt/format.h>

#include <array>

#include "leitong/error.h"
#include "leitong/fingerprint.h"

namespace leitong::cli {
namespace {

using Words = std::array<std::uint64_t, 4>;

bool bit(const Words& words, unsigned i) { return (words[i / 64] >> (i % 64) & 1) != 0; }

// False: more than 256 bits.
bool times_ten_plus(Words& words, unsigned digit) {
  std::uint64_t carry = digit;
  for (std::uint64_t& word : words) {
    __extension__ using Wide = unsigned __int128;
    const Wide value = static_cast<Wide>(word) * 10 + carry;
    word = static_cast<std::uint64_t>(value);
    carry = static_cast<std::uint64_t>(value >> 64);
  }
  return carry == 0;
}

std::optional<Words> number_of(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  Words words{};
  for (const char c : digits)
    if (c < '0' || c > '9' || !times_ten_plus(words, static_cast<unsigned>(c - '0'))) return std::nullopt;
  return words;
}

bool fits(const Words& words, unsigned bits) {
  for (unsigned i = bits; i < 256; ++i)
    if (bit(words, i)) return false;
  return true;
}

// Two's complement of `bits` bits.
Words negated(Words words, unsigned bits) {
  bool carry = true;
  for (unsigned i = 0; i < 4; ++i) {
    words[i] = ~words[i] + (carry ? 1 : 0);
    carry = carry && words[i] == 0;
  }
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned below = 64 * i;
    if (bits <= below) words[i] = 0;
    if (bits > below && bits < below + 64) words[i] &= (std::uint64_t{1} << (bits - below)) - 1;
  }
  return words;
}

std::optional<Words> unsigned_number(std::string_view text, unsigned bits) {
  const auto words = number_of(text);
  return words && fits(*words, bits) ? words : std::nullopt;
}

std::optional<Words> signed_number(std::string_view text, unsigned bits) {
  const bool negative = text.starts_with('-');
  const auto words = number_of(text.substr(negative ? 1 : 0));
  if (!words || !fits(*words, bits)) return std::nullopt;
  const Words result = negative ? negated(*words, bits) : *words;
  const bool zero = *words == Words{};
  if (!zero && bit(result, bits - 1) != negative) return std::nullopt;  // beyond what a signed number of that width holds
  return result;
}

std::optional<Words> binary(std::string_view text, unsigned bits, bool least_first) {
  if (text.size() != bits) return std::nullopt;
  Words words{};
  for (unsigned i = 0; i < bits; ++i) {
    if (text[i] != '0' && text[i] != '1') return std::nullopt;
    const unsigned at = least_first ? i : bits - 1 - i;
    if (text[i] == '1') words[at / 64] |= std::uint64_t{1} << (at % 64);
  }
  return words;
}

std::optional<Words> hexadecimal(std::string_view text, unsigned bits) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  if (text.size() != bits / 4) return std::nullopt;
  try {
    return fingerprint_from_hex(text).words;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Fingerprint> read_fingerprint_value(std::string_view text, FingerprintFormat format, bool reverse_bits,
                                                  const Profile& profile) {
  const unsigned bits = profile.bits;
  std::optional<Words> words;
  switch (format) {
    case FingerprintFormat::hex:
      words = hexadecimal(text, bits);
      break;
    case FingerprintFormat::decimal:
      words = unsigned_number(text, bits);
      break;
    case FingerprintFormat::signed_decimal:
      words = signed_number(text, bits);
      break;
    case FingerprintFormat::bits:
      words = binary(text, bits, writes_least_bit_first(profile.program) != reverse_bits);
      break;
  }
  if (!words) return std::nullopt;
  const Fingerprint fingerprint{*words, bits};
  return reverse_bits && format != FingerprintFormat::bits ? reversed(fingerprint) : fingerprint;
}

std::string expected_value(FingerprintFormat format, unsigned bits) {
  switch (format) {
    case FingerprintFormat::decimal:
      return fmt::format("an unsigned number of {} bits", bits);
    case FingerprintFormat::signed_decimal:
      return fmt::format("a signed number of {} bits", bits);
    case FingerprintFormat::bits:
      return fmt::format("{} characters 0 and 1", bits);
    case FingerprintFormat::hex:
      break;
  }
  return fmt::format("{} hexadecimal digits", bits / 4);
}

}  // namespace leitong::cli
