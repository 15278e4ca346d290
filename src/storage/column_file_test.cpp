// Column files: what was written is mapped, damage and faults are told.
#include "storage/column_file.h"

#include <gtest/gtest.h>

#include <numeric>

#include "leitong/error.h"
#include "storage/fault_vfs_test.h"

namespace leitong::storage {
namespace {

constexpr ColumnKind file_kind{"testcols", 3, "write it again"};

void write_sample(Vfs& vfs, const std::string& path) {
  std::vector<std::uint32_t> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 5U);
  const std::vector<std::uint8_t> odd = {1, 2, 3};
  ColumnFileWriter file(vfs, path, file_kind);
  file.add(7, numbers.data(), numbers.size());
  file.add(9, odd.data(), odd.size());
  file.add(8, odd.data(), 0);
  file.finish();
}

template <typename Call>
std::string error_of(ErrorCode code, Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

void expect_sample(const ColumnFile& file) {
  const auto numbers = file.column<std::uint32_t>(7, 1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % 64, 0U);
  for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(numbers[i], i + 5);
  EXPECT_EQ(file.column<std::uint8_t>(9, 3)[2], 3);
  EXPECT_TRUE(file.column<std::uint64_t>(8, 0).empty());
  file.verify_all();
}

TEST(ColumnFile, GivesBackWhatWasWritten) {
  FaultVfs memory;
  write_sample(memory, "a");
  expect_sample(ColumnFile(memory, "a", file_kind));
  const std::string path = ::testing::TempDir() + "leitong_column_file_test";
  write_sample(posix_vfs(), path);
  expect_sample(ColumnFile(posix_vfs(), path, file_kind));
  EXPECT_FALSE(posix_vfs().exists(path + ".tmp"));
  posix_vfs().remove(path);
  error_of(ErrorCode::io, [&] { ColumnFile(posix_vfs(), path, file_kind); });
}

TEST(ColumnFile, RefusesOtherFilesVersionsAndColumns) {
  FaultVfs vfs;
  write_sample(vfs, "a");
  EXPECT_NE(
      error_of(ErrorCode::format, [&] { ColumnFile(vfs, "a", {"othercol", 3, "do so"}); }).find("a: is not a file of this kind; do so"),
      std::string::npos);
  error_of(ErrorCode::unsupported, [&] { ColumnFile(vfs, "a", {"testcols", 2, "do so"}); });
  const ColumnFile file(vfs, "a", file_kind);
  error_of(ErrorCode::format, [&] { (void)file.column<std::uint32_t>(7, 999); });
  error_of(ErrorCode::format, [&] { (void)file.column<std::uint16_t>(9, 1); });
  error_of(ErrorCode::format, [&] { (void)file.column<std::uint8_t>(10, 0); });
}

TEST(ColumnFile, EveryChangedByteIsFound) {
  FaultVfs vfs;
  write_sample(vfs, "a");
  auto& bytes = vfs.bytes("a");
  for (std::size_t at = 0; at < bytes.size(); at += at < 100 || at + 400 > bytes.size() ? 1 : 37) {
    bytes[at] ^= std::byte{0x10};
    try {
      ColumnFile(vfs, "a", file_kind).verify_all();
      ADD_FAILURE() << "byte " << at;
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported);
    }
    bytes[at] ^= std::byte{0x10};
  }
  const FaultVfs::Bytes whole = bytes;
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    bytes.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    error_of(ErrorCode::format, [&] { ColumnFile(vfs, "a", file_kind); });
  }
}

TEST(ColumnFile, IsWholeOrNotThere) {
  FaultVfs dry;
  write_sample(dry, "d/a");
  for (const FaultVfs::Fault fault : {FaultVfs::Fault::crash, FaultVfs::Fault::io_error, FaultVfs::Fault::disk_full}) {
    for (std::size_t step = 0; step < dry.operations(); ++step) {
      FaultVfs vfs;
      vfs.arm(fault, step);
      try {
        write_sample(vfs, "d/a");
      } catch (const Error&) {
      } catch (const Crash&) {
      }
      for (const auto names : {FaultVfs::Names::synced, FaultVfs::Names::last}) {
        for (const auto data : {FaultVfs::Data::synced, FaultVfs::Data::half, FaultVfs::Data::zeros, FaultVfs::Data::all}) {
          const auto after = vfs.after_crash(names, data);
          if (after->exists("d/a")) expect_sample(ColumnFile(*after, "d/a", file_kind));
        }
      }
    }
  }
}

TEST(Vfs, MapsFiles) {
  const std::string path = ::testing::TempDir() + "leitong_map_test";
  posix_vfs().create(path)->close();
  EXPECT_EQ(posix_vfs().map(path)->bytes().size(), 0U);
  const std::vector<std::byte> bytes(100000, std::byte{7});
  {
    const auto file = posix_vfs().create(path);
    file->append(bytes);
    file->close();
  }
  const auto mapped = posix_vfs().map(path);
  posix_vfs().remove(path);
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), mapped->bytes().begin(), mapped->bytes().end()));
  error_of(ErrorCode::io, [&] { (void)posix_vfs().map(path); });
  error_of(ErrorCode::io, [&] { (void)posix_vfs().map(::testing::TempDir()); });
}

}  // namespace
}  // namespace leitong::storage
