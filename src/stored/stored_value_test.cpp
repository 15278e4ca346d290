#include "stored/stored_value.h"

#include <gtest/gtest.h>

#include <set>

namespace leitong::stored {
namespace {

using enum WrittenForm;
using Forms = std::set<WrittenForm>;

Fingerprint of(std::uint64_t low, unsigned bits, std::uint64_t high = 0) { return {{low, high, 0, 0}, bits}; }

Forms matches(std::string_view stored, const std::optional<Fingerprint>& fingerprint) {
  const FormDistances distances = form_distances(read_stored_value(stored), fingerprint);
  Forms forms;
  for (std::size_t i = 0; i < written_form_count; ++i)
    if (distances.bits[i] == 0) forms.insert(static_cast<WrittenForm>(i));
  return forms;
}

std::uint8_t distance_in(WrittenForm form, std::string_view stored, const Fingerprint& fingerprint) {
  return form_distances(read_stored_value(stored), fingerprint).bits[static_cast<std::size_t>(form)];
}

// 0xF0000001: the highest bit is set; reversed: 0x8000000F.
TEST(StoredValue, EveryFormOf32Bits) {
  const Fingerprint f = of(0xF0000001, 32);
  EXPECT_EQ(matches("11110000000000000000000000000001", f), Forms{bits_most_first});
  EXPECT_EQ(matches("10000000000000000000000000001111", f), Forms{bits_least_first});
  for (const char* text : {"f0000001", "F0000001", "0xf0000001", "0XF0000001", "00000000f0000001", " f0000001\n"})
    EXPECT_EQ(matches(text, f), Forms{WrittenForm::hex}) << text;
  EXPECT_EQ(matches("4026531841", f), Forms{decimal});
  EXPECT_EQ(matches("004026531841", f), Forms{decimal});
  EXPECT_EQ(matches("-268435455", f), Forms{signed_decimal});
  EXPECT_EQ(matches("8000000F", f), Forms{reversed_hex});
  EXPECT_EQ(matches("2147483663", f), Forms{reversed_decimal});
  EXPECT_EQ(matches("-2147483633", f), Forms{reversed_signed_decimal});
  for (const char* other : {"f0000002", "4026531842", "268435455", "-268435456", "-4026531841", "", "null"})
    EXPECT_EQ(matches(other, f), Forms{}) << other;
}

TEST(StoredValue, EdgesOfSignedNumbers) {
  EXPECT_EQ(matches("-9223372036854775808", of(1ULL << 63, 64)), Forms{signed_decimal});
  EXPECT_EQ(matches("-9223372036854775809", of((1ULL << 63) - 1, 64)), Forms{});
  EXPECT_TRUE(matches("-1", of(~0ULL, 64)).contains(signed_decimal));
  EXPECT_EQ(matches("18446744073709551615", of(~0ULL, 64)), (Forms{decimal, reversed_decimal})) << "more than 2^53 keeps all digits";
  EXPECT_EQ(matches("9223372036854775807", of((1ULL << 63) - 1, 64)), (Forms{decimal, signed_decimal}));
  EXPECT_EQ(matches("-170141183460469231731687303715884105727", of(1, 128, 1ULL << 63)), (Forms{signed_decimal, reversed_signed_decimal}));
  EXPECT_TRUE(matches("-0", of(0, 64)).contains(signed_decimal));
}

TEST(StoredValue, WithoutLeadingZeros) {
  EXPECT_TRUE(matches("1011", of(11, 64)).contains(bits_most_first));
  EXPECT_FALSE(matches("1101", of(11, 64)).contains(bits_least_first)) << "its width must be there: it begins with the lowest bit";
  EXPECT_EQ(matches("a3ed877647d", of(0xa3ed877647d, 64)), Forms{WrittenForm::hex});
  const std::string wide(64, 'f');
  EXPECT_TRUE(matches(wide, Fingerprint{{~0ULL, ~0ULL, ~0ULL, ~0ULL}, 256}).contains(WrittenForm::hex));
  EXPECT_FALSE(read_stored_value(wide + "f").hex) << "more than 256 bits";
}

TEST(StoredValue, MissingFingerprints) {
  for (const char* none : {"", "  ", "null", "NULL", "None", "nil"}) {
    EXPECT_TRUE(read_stored_value(none).none) << none;
    EXPECT_EQ(matches(none, std::nullopt).size(), written_form_count);
    EXPECT_EQ(matches(none, of(0, 64)).size(), 0U) << "an empty value is not 0";
  }
  EXPECT_EQ(matches("0", std::nullopt).size(), 0U);
  for (const char* unreadable : {"n/a", "1.5e+19", "12 34", "true", "0x", "-", "--1", "0xg"})
    EXPECT_FALSE(read_stored_value(unreadable).readable()) << unreadable;
  EXPECT_FALSE(read_stored_value(std::string(5000, '1')).readable());
}

TEST(StoredValue, Distances) {
  EXPECT_EQ(distance_in(WrittenForm::hex, "ff00000000000003", of(0xff00000000000000, 64)), 2);
  EXPECT_EQ(distance_in(bits_most_first, std::string(60, '0') + "0111", of(0, 64)), 3);
  EXPECT_EQ(distance_in(decimal, "18446744073709551615", of(0, 64)), 64);
  EXPECT_EQ(distance_in(WrittenForm::hex, "ff00000000000000", of(0, 32)), not_comparable) << "too wide";
  EXPECT_EQ(distance_in(WrittenForm::hex, "ff000000", of(0, 64)), not_comparable) << "a number of 32 bits says nothing of one of 64";
  EXPECT_EQ(distance_in(WrittenForm::hex, "ff000000", of(0xff000000, 64)), 0) << "unless it is equal";
  EXPECT_EQ(distance_in(WrittenForm::hex, std::string(64, 'f'), Fingerprint{{}, 256}), 254);
}

TEST(StoredValue, NumbersThatWentThroughADouble) {
  const auto rounded = [](std::string_view stored, std::uint64_t own) {
    return form_distances(read_stored_value(stored), of(own, 64)).rounded;
  };
  EXPECT_TRUE(rounded("12345678901234567000", 12345678901234567890U));
  EXPECT_FALSE(rounded("12345678901234567890", 12345678901234567890U));
  EXPECT_FALSE(rounded("12345678901234000000", 12345678901234567890U));
  EXPECT_TRUE(rounded("-1234567890123456800", static_cast<std::uint64_t>(-1234567890123456789)));
}

}  // namespace
}  // namespace leitong::stored
