#include "cli/fingerprint_value.h"

#include <gtest/gtest.h>

#include <random>

namespace leitong::cli {
namespace {

constexpr FingerprintFormat all_formats[] = {FingerprintFormat::hex, FingerprintFormat::bits, FingerprintFormat::decimal,
                                             FingerprintFormat::signed_decimal};

Profile profile_of(unsigned bits, Program program = Program::leitong) {
  Profile profile;
  profile.bits = bits;
  profile.program = program;
  return profile;
}

// As `leitong fingerprint` writes it.
std::string written(const Fingerprint& fingerprint, FingerprintFormat format, bool reverse, Program program) {
  if (format == FingerprintFormat::bits) return to_bits(fingerprint, writes_least_bit_first(program) != reverse);
  const Fingerprint number = reverse ? reversed(fingerprint) : fingerprint;
  if (format == FingerprintFormat::decimal) return to_decimal(number);
  return format == FingerprintFormat::signed_decimal ? to_signed_decimal(number) : to_hex(number);
}

TEST(FingerprintValue, ReadsWhatIsWritten) {
  std::mt19937_64 random(5);
  for (const unsigned bits : {32U, 64U, 128U, 256U})
    for (int round = 0; round < 50; ++round) {
      Fingerprint fingerprint{{}, bits};
      for (unsigned i = 0; i < bits; ++i)
        if (round > 1 ? random() % 2 == 0 : round == 1) fingerprint.words[i / 64] |= std::uint64_t{1} << (i % 64);
      if (round == 2)
        fingerprint = {{}, bits}, fingerprint.words[(bits - 1) / 64] = std::uint64_t{1} << ((bits - 1) % 64);  // the least signed
      for (const FingerprintFormat format : all_formats)
        for (const bool reverse : {false, true})
          for (const Program program : {Program::leitong, Program::java_004}) {
            const std::string text = written(fingerprint, format, reverse, program);
            EXPECT_EQ(read_fingerprint_value(text, format, reverse, profile_of(bits, program)), fingerprint) << text;
          }
    }
}

TEST(FingerprintValue, RefusesWhatIsNone) {
  const auto refuses = [](const char* text, FingerprintFormat format, unsigned bits = 64) {
    return !read_fingerprint_value(text, format, false, profile_of(bits));
  };
  for (const FingerprintFormat format : all_formats)
    for (const char* text : {"", "-", "x", "1 ", " 1", "1.5", "1e3", "+1", "0x", "--1"}) EXPECT_TRUE(refuses(text, format)) << text;
  EXPECT_TRUE(refuses("0123456789abcde", FingerprintFormat::hex));
  EXPECT_TRUE(refuses("0123456789abcdef0", FingerprintFormat::hex));
  EXPECT_TRUE(refuses("01234567", FingerprintFormat::hex));
  EXPECT_FALSE(refuses("0x01234567", FingerprintFormat::hex, 32));
  EXPECT_TRUE(refuses("18446744073709551616", FingerprintFormat::decimal));
  EXPECT_FALSE(refuses("18446744073709551615", FingerprintFormat::decimal));
  EXPECT_FALSE(refuses("0000000000000000000000000000000001", FingerprintFormat::decimal));
  EXPECT_TRUE(refuses("-1", FingerprintFormat::decimal));
  EXPECT_TRUE(refuses("9223372036854775808", FingerprintFormat::signed_decimal));
  EXPECT_FALSE(refuses("-9223372036854775808", FingerprintFormat::signed_decimal));
  EXPECT_TRUE(refuses("-9223372036854775809", FingerprintFormat::signed_decimal));
  EXPECT_TRUE(refuses("-18446744073709551615", FingerprintFormat::signed_decimal));
  EXPECT_TRUE(refuses("2147483648", FingerprintFormat::signed_decimal, 32));
  EXPECT_TRUE(refuses(std::string(200, '9').c_str(), FingerprintFormat::decimal, 256));
  EXPECT_TRUE(refuses("01", FingerprintFormat::bits));
}

}  // namespace
}  // namespace leitong::cli
