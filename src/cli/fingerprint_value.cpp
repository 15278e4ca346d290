#include "cli/fingerprint_value.h"

#include <fmt/format.h>

#include "leitong/parity.h"

namespace leitong::cli {
namespace {

WrittenForm form_of(FingerprintFormat format, bool reverse_bits, const Profile& profile) {
  switch (format) {
    case FingerprintFormat::decimal:
      return reverse_bits ? WrittenForm::reversed_decimal : WrittenForm::decimal;
    case FingerprintFormat::signed_decimal:
      return reverse_bits ? WrittenForm::reversed_signed_decimal : WrittenForm::signed_decimal;
    case FingerprintFormat::bits:
      return writes_least_bit_first(profile.program) != reverse_bits ? WrittenForm::bits_least_first : WrittenForm::bits_most_first;
    case FingerprintFormat::hex:
      break;
  }
  return reverse_bits ? WrittenForm::reversed_hex : WrittenForm::hex;
}

}  // namespace

std::optional<Fingerprint> read_fingerprint_value(std::string_view text, FingerprintFormat format, bool reverse_bits,
                                                  const Profile& profile) {
  return read_written(text, form_of(format, reverse_bits, profile), profile.bits);
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
