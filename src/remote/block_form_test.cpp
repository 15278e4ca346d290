#include "remote/block_form.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace leitong::remote {
namespace {

constexpr std::uint64_t sample = 0x0123'4567'89ab'cdefULL;

std::string block(const BlockForm& form, std::uint64_t fingerprint, unsigned i) {
  std::string out;
  append_block(form, fingerprint, i, out);
  return out;
}

TEST(BlockForm, FourBlocksInEveryForm) {
  BlockForm form;
  EXPECT_EQ(block(form, sample, 0), "0000000100100011");
  EXPECT_EQ(block(form, sample, 3), "1100110111101111");
  form.reversed = true;
  EXPECT_EQ(block(form, sample, 0), "1100010010000000");
  form.least_first = true;  // blocks of the string of 64 bits, least significant first, from the left
  EXPECT_EQ(block(form, sample, 0), "1111011110110011");
  EXPECT_EQ(block(form, sample, 3), "1100010010000000");
  form = {.digits = Digits::hex};
  EXPECT_EQ(block(form, sample, 0), "0123");
  form.digits = Digits::hex_short;
  EXPECT_EQ(block(form, sample, 0), "123");
  EXPECT_EQ(block(form, 0, 0), "0");
  form.digits = Digits::decimal;
  EXPECT_EQ(block(form, sample, 0), "291");
  form.digits = Digits::bytes;
  EXPECT_EQ(block(form, sample, 0), std::string("\x01\x23"));
}

TEST(BlockForm, UnevenBlocks) {
  BlockForm form{.blocks = 7};  // one of 10 bits, then six of 9
  EXPECT_EQ(block_width(form, 0), 10U);
  EXPECT_EQ(block_width(form, 1), 9U);
  EXPECT_EQ(block_width(form, 6), 9U);
  EXPECT_EQ(block_of(form, std::uint64_t{1} << 54, 0), 1U);
  EXPECT_EQ(block_of(form, std::uint64_t{1} << 53, 1), 256U);
  form.least_first = true;
  EXPECT_EQ(block_of(form, std::uint64_t{1} << 9, 0), 512U);
  EXPECT_EQ(block_of(form, std::uint64_t{1} << 10, 1), 1U);
  form.digits = Digits::bytes;
  EXPECT_EQ(block(form, ~0ULL, 0), "\x03\xff");
  form.digits = Digits::hex;
  EXPECT_EQ(block(form, ~0ULL, 1), "1ff");
}

// In every form the blocks together contain each bit of the fingerprint once.
TEST(BlockForm, BlocksArePartsOfTheWhole) {
  std::mt19937_64 random(1);
  for (unsigned blocks = least_blocks; blocks <= most_blocks; ++blocks) {
    for (const bool least_first : {false, true}) {
      const BlockForm form{.blocks = blocks, .least_first = least_first};
      const std::uint64_t fingerprint = random();
      std::uint64_t whole = 0;
      unsigned done = 0;
      for (unsigned i = 0; i < blocks; ++i) {
        const unsigned width = block_width(form, i);
        whole |= block_of(form, fingerprint, i) << (least_first ? done : 64 - done - width);
        done += width;
      }
      EXPECT_EQ(done, 64U);
      EXPECT_EQ(whole, fingerprint) << blocks;
    }
  }
}

TEST(BlockForm, ReadsWhatItWrites) {
  std::mt19937_64 random(2);
  for (unsigned blocks = least_blocks; blocks <= most_blocks; ++blocks) {
    for (const Digits digits : {Digits::bits, Digits::decimal, Digits::hex, Digits::hex_short, Digits::bytes}) {
      for (const std::uint64_t fingerprint :
           {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{random()}, std::uint64_t{random()} >> 30}) {
        const BlockForm form{.blocks = blocks, .digits = digits, .least_first = (fingerprint & 1) != 0, .reversed = (fingerprint & 2) != 0};
        for (unsigned i = 0; i < blocks; ++i) {
          EXPECT_EQ(read_block(form, i, block(form, fingerprint, i)), block_of(form, fingerprint, i)) << blocks << name_of(digits);
        }
      }
    }
  }
}

TEST(BlockForm, RefusesOtherForms) {
  BlockForm form{.blocks = 7};  // widths 10, 9, ...
  for (const char* text : {"", "010101010", "01010101010", "010101012x"}) EXPECT_FALSE(read_block(form, 0, text)) << text;
  form.digits = Digits::decimal;
  EXPECT_EQ(read_block(form, 0, "1023"), 1023U);
  for (const char* text : {"", "1024", "01", "-1", "+1", "1 ", "18446744073709551616"}) EXPECT_FALSE(read_block(form, 0, text)) << text;
  EXPECT_FALSE(read_block(form, 1, "512"));
  form.digits = Digits::hex;
  EXPECT_EQ(read_block(form, 0, "3ff"), 1023U);
  for (const char* text : {"", "ff", "400", "3FF", "03ff", "3fg"}) EXPECT_FALSE(read_block(form, 0, text)) << text;
  form.digits = Digits::hex_short;
  EXPECT_EQ(read_block(form, 0, "0"), 0U);
  for (const char* text : {"", "0ff", "00", "400"}) EXPECT_FALSE(read_block(form, 0, text)) << text;
  form.digits = Digits::bytes;
  EXPECT_FALSE(read_block(form, 0, "a"));
  EXPECT_FALSE(read_block(form, 0, "\x04z"));
}

TEST(BlockForm, NamesOfDigits) {
  for (const Digits digits : {Digits::bits, Digits::decimal, Digits::hex, Digits::hex_short, Digits::bytes}) {
    EXPECT_EQ(digits_named(name_of(digits)), digits);
  }
  EXPECT_EQ(name_of(Digits::hex_short), "hex-short");
  EXPECT_FALSE(digits_named("octal"));
}

}  // namespace
}  // namespace leitong::remote
