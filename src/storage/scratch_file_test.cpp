#include "storage/scratch_file.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string_view>

#include "leitong/error.h"
#include "storage/fault_vfs_test.h"

namespace leitong::storage {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

// Whether all is held in memory, some of it at first, or nothing.
TEST(ScratchFile, ReadsAnywhereAndLeavesNothing) {
  for (const std::uint64_t held : {0U, 4U, 100U}) {
    FaultVfs vfs;
    {
      ScratchFile file(vfs, "scratch", held);
      EXPECT_EQ(file.append(bytes("one")), 0U);
      EXPECT_EQ(file.append(bytes("three")), 3U);
      EXPECT_EQ(file.size(), 8U);
      std::string text(5, '\0');
      file.read(3, std::as_writable_bytes(std::span(text)));
      EXPECT_EQ(text, "three");
      text.resize(3);
      file.read(0, std::as_writable_bytes(std::span(text)));
      EXPECT_EQ(text, "one");
      EXPECT_THROW(file.append(bytes("late")), Error);
      EXPECT_THROW(file.read(6, std::as_writable_bytes(std::span(text))), Error);
      EXPECT_EQ(vfs.all_names().empty(), held == 100);
    }
    EXPECT_TRUE(vfs.all_names().empty());
  }
}

TEST(ScratchFile, AnArrayIsReadInAnyOrder) {
  FaultVfs vfs;
  ScratchArray<std::uint64_t> array(vfs, "scratch");
  std::vector<std::uint64_t> values(40'000);
  std::iota(values.begin(), values.end(), 5);
  array.append(values);
  ASSERT_EQ(array.size(), values.size());
  for (const std::uint64_t i : {0ULL, 39'999ULL, 16'383ULL, 16'384ULL, 0ULL, 32'768ULL}) EXPECT_EQ(array[i], values[i]) << i;
}

TEST(ScratchFile, IsGoneAfterAFaultToo) {
  for (std::size_t operation = 0; operation < 3; ++operation) {
    FaultVfs vfs;
    vfs.arm(FaultVfs::Fault::disk_full, operation);
    try {
      ScratchFile file(vfs, "scratch");
      file.append(bytes("some bytes"));
      std::string text(10, '\0');
      file.read(0, std::as_writable_bytes(std::span(text)));
    } catch (const Error&) {
    }
    EXPECT_TRUE(vfs.all_names().empty()) << operation;
  }
}

}  // namespace
}  // namespace leitong::storage
