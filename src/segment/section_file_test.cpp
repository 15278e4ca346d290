#include "segment/section_file.h"

#include <gtest/gtest.h>

#include "leitong/error.h"

namespace leitong::segment {
namespace {

constexpr std::uint32_t version = 7;

std::vector<std::byte> small_file() {
  SectionWriter writer;
  writer.add_text(1, "words");
  writer.add(2, std::vector<std::uint32_t>{3, 5});
  return writer.finish("LTTEST01", version, {11, 13});
}

SectionFile open_small(std::vector<std::byte> bytes) { return {std::move(bytes), "small", "LTTEST01", version, "make it again"}; }

TEST(SectionFile, HoldsWhatWasWritten) {
  const SectionFile file = open_small(small_file());
  EXPECT_EQ(file.text(1), "words");
  EXPECT_EQ(file.section<std::uint32_t>(2)[1], 5U);
  EXPECT_EQ(file.content(), (ContentId{11, 13}));
  EXPECT_THROW((void)file.section<std::uint32_t>(3), Error);
}

// Version, number of sections and content id are no less protected than the sections.
TEST(SectionFile, EveryFlippedBitIsFound) {
  const std::vector<std::byte> bytes = small_file();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::vector<std::byte> damaged = bytes;
      damaged[at] ^= static_cast<std::byte>(1U << bit);
      EXPECT_THROW(open_small(std::move(damaged)), Error) << "byte " << at << " bit " << bit;
    }
  }
}

// A file of another version that was damaged into this one.
TEST(SectionFile, AnotherVersionCannotPassForThisOne) {
  SectionWriter writer;
  writer.add_text(1, "words");
  std::vector<std::byte> bytes = writer.finish("LTTEST01", version + 1, {});
  bytes[8] = std::byte{version};
  EXPECT_THROW(open_small(std::move(bytes)), Error);
}

}  // namespace
}  // namespace leitong::segment
