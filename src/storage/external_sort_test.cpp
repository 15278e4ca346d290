#include "storage/external_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "leitong/error.h"
#include "storage/fault_vfs_test.h"

namespace leitong::storage {
namespace {

constexpr std::uint64_t memory = 1U << 20U;  // 65,536 records

std::vector<SortRecord> random_records(std::size_t count, std::uint64_t distinct, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<SortRecord> records(count);
  for (SortRecord& record : records) {
    const std::uint64_t value = random() % distinct;
    record = {value * 0x9E3779B97F4A7C15U >> (value % 2 * 32), value % 5 == 0 ? value : 0};
  }
  return records;
}

std::vector<SortRecord> drained(ExternalSort& sort) {
  std::vector<SortRecord> all;
  sort.drain([&](std::span<const SortRecord> batch) {
    EXPECT_FALSE(batch.empty());
    all.insert(all.end(), batch.begin(), batch.end());
  });
  return all;
}

void expect_sorted(std::size_t count, std::uint64_t distinct, bool unique, bool spills) {
  FaultVfs vfs;
  auto records = random_records(count, distinct, static_cast<unsigned>(count + distinct));
  {
    ExternalSort sort(vfs, "spill", memory, unique);
    for (std::size_t at = 0; at < count;) {
      const std::size_t part = std::min<std::size_t>(count - at, 1 + at % 30011);
      sort.add(std::span(records).subspan(at, part));
      at += part;
    }
    std::sort(records.begin(), records.end());
    if (unique) records.erase(std::unique(records.begin(), records.end()), records.end());
    EXPECT_TRUE(drained(sort) == records);
    EXPECT_EQ(sort.spilled_bytes() > 0, spills);
    EXPECT_THROW(drained(sort), Error);
    EXPECT_THROW(sort.add(records), Error);
  }
  EXPECT_TRUE(vfs.all_names().empty());
  EXPECT_FALSE(vfs.has_directory("spill"));
}

TEST(ExternalSort, EmptyAndSmall) {
  for (const bool unique : {false, true}) {
    expect_sorted(0, 1, unique, false);
    expect_sorted(1, 1, unique, false);
    expect_sorted(1000, 300, unique, false);
    expect_sorted(65536, UINT64_MAX, unique, false);
  }
}

TEST(ExternalSort, SpillsAndMerges) {
  for (const bool unique : {false, true}) {
    expect_sorted(65537, UINT64_MAX, unique, true);
    expect_sorted(400'000, UINT64_MAX, unique, true);
    expect_sorted(400'000, 200'000, unique, true);
  }
}

// 1 MiB merges 15 runs at a time, so 31 runs take several passes.
TEST(ExternalSort, MergesInSeveralPasses) { expect_sorted(31 * 65536 + 17, UINT64_MAX, true, true); }

TEST(ExternalSort, RepeatsAloneDoNotSpill) { expect_sorted(1'000'000, 20'000, true, false); }

TEST(ExternalSort, SortsTheRealDiskToo) {
  const std::string directory = testing::TempDir() + "leitong_external_sort/deep";
  {
    ExternalSort sort(posix_vfs(), directory, memory, false);
    auto records = random_records(150'000, UINT64_MAX, 7);
    sort.add(records);
    std::sort(records.begin(), records.end());
    EXPECT_TRUE(drained(sort) == records);
    EXPECT_EQ(posix_vfs().list(directory).size(), 3U);
  }
  EXPECT_FALSE(posix_vfs().exists(directory));
  posix_vfs().remove(parent_directory(directory));
}

TEST(ExternalSort, FaultsAreErrorsAndLeaveNothing) {
  const auto records = random_records(1'200'000, UINT64_MAX, 3);
  for (const auto fault : {FaultVfs::Fault::io_error, FaultVfs::Fault::disk_full})
    for (const std::size_t operation : {0, 1, 2, 3, 10, 40, 60}) {
      FaultVfs vfs;
      vfs.arm(fault, operation);
      {
        ExternalSort sort(vfs, "spill", memory, false);
        EXPECT_THROW(
            {
              sort.add(records);
              (void)drained(sort);
            },
            Error)
            << operation;
      }
      EXPECT_TRUE(vfs.all_names().empty());
    }
}

TEST(ExternalSort, ASinkThatThrowsLeavesNothing) {
  FaultVfs vfs;
  {
    ExternalSort sort(vfs, "spill", memory, false);
    sort.add(random_records(100'000, UINT64_MAX, 3));
    EXPECT_THROW(sort.drain([](std::span<const SortRecord>) { throw Error(ErrorCode::interrupted, "stop"); }), Error);
  }
  EXPECT_TRUE(vfs.all_names().empty());
}

TEST(ExternalSort, RotOnTheDiskIsSeen) {
  FaultVfs vfs;
  ExternalSort sort(vfs, "spill", memory, false);
  sort.add(random_records(70'000, UINT64_MAX, 3));
  vfs.bytes("spill/run-000000.sort")[12345] ^= std::byte{4};
  EXPECT_THROW(drained(sort), Error);
}

}  // namespace
}  // namespace leitong::storage
