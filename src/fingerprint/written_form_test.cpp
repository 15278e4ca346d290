#include "fingerprint/written_form.h"

#include <gtest/gtest.h>

#include <random>

#include "leitong/fingerprint.h"

namespace leitong {
namespace {

using enum WrittenForm;

TEST(WrittenForm, ReadsWhatItWrites) {
  std::mt19937_64 random(1);
  for (const unsigned bits : {32U, 64U, 128U, 256U}) {
    for (int i = 0; i < 50; ++i) {
      Fingerprint fingerprint{{}, bits};
      for (unsigned word = 0; word < fingerprint_words(bits); ++word)
        fingerprint.words[word] = i == 0 ? 0 : i == 1 ? ~0ULL : random() >> (i % 64);
      if (bits == 32) fingerprint.words[0] &= 0xFFFFFFFF;
      for (std::size_t form = 0; form < written_form_count; ++form) {
        const std::string text = write_as(fingerprint, static_cast<WrittenForm>(form));
        EXPECT_EQ(read_written(text, static_cast<WrittenForm>(form), bits), fingerprint) << text;
      }
    }
  }
}

TEST(WrittenForm, EveryForm) {
  const Fingerprint f{{0xF0000001, 0, 0, 0}, 32};
  EXPECT_EQ(write_as(f, bits_most_first), "11110000000000000000000000000001");
  EXPECT_EQ(write_as(f, bits_least_first), "10000000000000000000000000001111");
  EXPECT_EQ(write_as(f, WrittenForm::hex), "f0000001");
  EXPECT_EQ(write_as(f, decimal), "4026531841");
  EXPECT_EQ(write_as(f, signed_decimal), "-268435455");
  EXPECT_EQ(write_as(f, reversed_hex), "8000000f");
  EXPECT_EQ(write_as(f, reversed_decimal), "2147483663");
  EXPECT_EQ(write_as(f, reversed_signed_decimal), "-2147483633");
}

TEST(WrittenForm, RefusesOthers) {
  for (const char* text : {"", "f000000", "0f0000001", "f000000g", " f0000001"})
    EXPECT_FALSE(read_written(text, WrittenForm::hex, 32)) << text;
  EXPECT_TRUE(read_written("0XF0000001", WrittenForm::hex, 32));
  for (const char* text : {"", "4294967296", "-1", "+1", "1 "}) EXPECT_FALSE(read_written(text, decimal, 32)) << text;
  for (const char* text : {"", "-", "2147483648", "-2147483649", "--1"}) EXPECT_FALSE(read_written(text, signed_decimal, 32)) << text;
  EXPECT_FALSE(read_written("101", bits_most_first, 32));
  EXPECT_FALSE(read_written(std::string(31, '0') + "2", bits_most_first, 32));
  EXPECT_FALSE(fingerprint::read_number(std::string(65, 'f'), 16)) << "more than 256 bits";
}

}  // namespace
}  // namespace leitong
