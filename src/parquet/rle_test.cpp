#include "parquet/rle.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "leitong/error.h"
#include "parquet/delta.h"

namespace leitong::parquet {
namespace {

// Runs and mixtures, as levels and indices have them.
std::vector<std::uint32_t> draw(std::mt19937& random, unsigned bits, std::size_t count) {
  const std::uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
  std::vector<std::uint32_t> values;
  while (values.size() < count) {
    const std::size_t run = random() % 4 == 0 ? random() % 100 : 1;
    values.insert(values.end(), run, static_cast<std::uint32_t>(random()) & mask);
  }
  values.resize(count);
  return values;
}

TEST(Rle, ReadsWhatItWritesInAnySlices) {
  std::mt19937 random(1);
  for (unsigned bits = 0; bits <= 32; ++bits) {
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 1000U, 40'000U}) {
      const std::vector<std::uint32_t> values = draw(random, bits, count);
      RleWriter writer(bits);
      for (const std::uint32_t value : values) writer.add(value);
      const std::string bytes = writer.take();
      RleReader reader(bytes, bits);
      std::vector<std::uint32_t> read(count);
      for (std::size_t at = 0; at < count;) {
        const std::size_t part = std::min<std::size_t>(count - at, random() % 50);
        if (random() % 3 == 0) {
          reader.skip(part);
          std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(at), part, read.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
          reader.read(read.data() + at, part);
        }
        at += part;
      }
      EXPECT_EQ(read, values) << bits << " bits, " << count << " values";
    }
  }
}

// As the format's description gives them, the least significant bit first: 0 to 7 in three bits.
TEST(Rle, ReadsTheExamplesOfTheFormat) {
  std::vector<std::uint32_t> values(8);
  RleReader("\x03\x88\xC6\xFA", 3).read(values.data(), 8);
  EXPECT_EQ(values, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  RleReader::bit_packed("\x05\x39\x77", 3).read(values.data(), 8);  // the deprecated order
  EXPECT_EQ(values, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Rle, ARunThatClaimsBillionsCostsWhatIsAsked) {
  RleReader reader(std::string_view("\xFE\xFF\xFF\xFF\x7F\x01", 6), 1);
  std::uint8_t some[100];
  reader.read(some, 100);
  EXPECT_EQ(some[99], 1);
  reader.skip(std::size_t{1} << 33);
  EXPECT_THROW(reader.skip(std::size_t{1} << 35), Error);
}

TEST(Rle, RefusesWhatEndsTooEarly) {
  std::uint32_t value = 0;
  EXPECT_THROW(RleReader("", 3).read(&value, 1), Error);
  EXPECT_THROW(RleReader("\x03", 3).read(&value, 1), Error);
  EXPECT_THROW(RleReader("\x10", 3).read(&value, 1), Error);
  EXPECT_THROW(RleReader("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 3).read(&value, 1), Error);
}

TEST(Rle, BitsFromAnyPlaceAreThoseOneByOne) {
  std::mt19937 random(2);
  std::string bytes(40, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  for (unsigned at = 0; at < 300; ++at) {
    for (unsigned bits = 0; bits <= 64; ++bits) {
      std::uint64_t plain = 0;
      for (unsigned i = 0; i < bits; ++i) {
        const unsigned place = at + i;
        if (place / 8 < bytes.size())
          plain |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(bytes[place / 8]) >> (place % 8) & 1U) << i;
      }
      ASSERT_EQ(bits_at(bytes, at, bits), plain) << at << ' ' << bits;
    }
  }
}

// 1, 2, 3, 4, 5 of the format's description: a block of 128 values in four miniblocks, all differences 1.
TEST(Delta, ReadsTheExampleOfTheFormat) {
  const std::string bytes("\x80\x01\x04\x05\x02\x02\x00\x00\x00\x00tail", 14);
  DeltaReader reader(bytes, 5);
  for (std::uint64_t value = 1; value <= 5; ++value) EXPECT_EQ(reader.next(), value);
  EXPECT_THROW(reader.next(), Error);
  EXPECT_EQ(DeltaReader(bytes, 5).rest(), "tail");
}

TEST(Delta, RefusesImpossibleHeaders) {
  EXPECT_THROW(DeltaReader("", 5), Error);
  EXPECT_THROW(DeltaReader(std::string_view("\x80\x01\x00\x05\x02", 5), 5), Error);  // no miniblocks
  EXPECT_THROW(DeltaReader(std::string_view("\x80\x01\x03\x05\x02", 5), 5), Error);  // that do not divide the block
  EXPECT_THROW(DeltaReader(std::string_view("\x80\x01\x04\x06\x02", 5), 5), Error);  // more values than the page
  DeltaReader wide(std::string_view("\x80\x01\x04\x05\x02\x02\x41\x00\x00\x00", 10), 5);
  static_cast<void>(wide.next());
  EXPECT_THROW(wide.next(), Error);  // 65 bits
}

}  // namespace
}  // namespace leitong::parquet
