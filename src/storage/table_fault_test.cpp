// What a table writer leaves behind when the disk fails or the machine stops, and proof that this harness would notice if it were wrong.
#include <gtest/gtest.h>

#include "leitong/error.h"
#include "storage/fault_vfs_test.h"
#include "storage/sample_table_test.h"

namespace leitong::storage {
namespace {

constexpr std::uint64_t old_rows = 4, new_rows = 30;

// A Vfs with a planted bug in front of another one.
class BuggyVfs final : public Vfs {
 public:
  enum class Bug { none, no_file_sync, no_directory_sync, sync_retried, rename_first };
  BuggyVfs(Vfs& vfs, Bug bug) : vfs_(vfs), bug_(bug) {}
  std::unique_ptr<WritableFile> create(const std::string& path) override {
    const bool early = bug_ == Bug::rename_first && path.ends_with(".tmp");
    return std::make_unique<File>(vfs_.create(early ? path.substr(0, path.size() - 4) : path), bug_);
  }
  std::unique_ptr<ReadableFile> open(const std::string& path) override { return vfs_.open(path); }
  bool exists(const std::string& path) override { return vfs_.exists(path); }
  void rename(const std::string& from, const std::string& to) override {
    if (bug_ != Bug::rename_first) vfs_.rename(from, to);
  }
  void remove(const std::string& path) override { vfs_.remove(path); }
  void make_directories(const std::string& path) override { vfs_.make_directories(path); }
  void sync_directory(const std::string& path) override {
    if (bug_ != Bug::no_directory_sync) vfs_.sync_directory(path);
  }
  std::vector<std::string> list(const std::string& directory) override { return vfs_.list(directory); }

 private:
  class File final : public WritableFile {
   public:
    File(std::unique_ptr<WritableFile> file, Bug bug) : file_(std::move(file)), bug_(bug) {}
    void append(std::span<const std::byte> data) override { file_->append(data); }
    void sync() override {
      if (bug_ == Bug::no_file_sync) return;
      try {
        file_->sync();
      } catch (const Error&) {
        if (bug_ != Bug::sync_retried) throw;
        file_->sync();
      }
    }
    void close() override { file_->close(); }

   private:
    std::unique_ptr<WritableFile> file_;
    Bug bug_;
  };
  Vfs& vfs_;
  Bug bug_;
};
using Bug = BuggyVfs::Bug;

// A file named d/t is the whole old table or the whole new one.
bool is_whole(Vfs& vfs, bool must_be_new) {
  try {
    const TableReader table(vfs, "d/t", "sketch", 3);
    table.check();
    return table.rows() == new_rows || (table.rows() == old_rows && !must_be_new);
  } catch (const Error&) {
    return false;
  }
}

// Writes the new table over the old one with `fault` at operation n; counts the states after a power failure that break the promise.
std::size_t violations(Bug bug, FaultVfs::Fault fault, std::size_t n, bool& reached) {
  FaultVfs disk;
  write_sample(disk, "d/t", old_rows);
  BuggyVfs vfs(disk, bug);
  disk.arm(fault, n);
  const std::size_t before = disk.operations();
  bool acknowledged = false;
  try {
    write_sample(vfs, "d/t", new_rows);
    acknowledged = true;
  } catch (const Error&) {
  } catch (const Crash&) {
  }
  reached = disk.operations() - before > n;
  std::size_t bad = is_whole(disk, acknowledged) ? 0 : 1;
  // A failed rename or directory sync may leave the new file; the temporary one never stays unless the machine stopped or removing failed.
  if (!disk.crashed() && fault == FaultVfs::Fault::disk_full && disk.exists("d/t.tmp")) ++bad;
  for (const auto names : {FaultVfs::Names::synced, FaultVfs::Names::last})
    for (const auto data : {FaultVfs::Data::synced, FaultVfs::Data::half, FaultVfs::Data::zeros, FaultVfs::Data::all})
      if (!is_whole(*disk.after_crash(names, data), acknowledged)) ++bad;
  return bad;
}

std::size_t all_violations(Bug bug) {
  std::size_t bad = 0;
  for (const auto fault : {FaultVfs::Fault::none, FaultVfs::Fault::crash, FaultVfs::Fault::io_error, FaultVfs::Fault::disk_full}) {
    bool reached = true;
    for (std::size_t n = 0; reached; ++n) {
      bad += violations(bug, fault, n, reached);
      if (fault == FaultVfs::Fault::none) break;
      EXPECT_LT(n, 1000U);
    }
  }
  return bad;
}

TEST(TableFault, AFileOfThatNameIsWholeAndAcknowledgedOnesStay) { EXPECT_EQ(all_violations(Bug::none), 0U); }

TEST(TableFault, PlantedBugsAreSeen) {
  EXPECT_GT(all_violations(Bug::no_file_sync), 0U);
  EXPECT_GT(all_violations(Bug::no_directory_sync), 0U);
  EXPECT_GT(all_violations(Bug::sync_retried), 0U);
  EXPECT_GT(all_violations(Bug::rename_first), 0U);
}

TEST(TableFault, AnAbandonedWriterLeavesNothing) {
  FaultVfs disk;
  {
    TableWriter writer(disk, "d/t", sample_schema());
    Block block(sample_schema());
    for (std::uint64_t row = 0; row < 20; ++row) put_sample(block, row);
    writer.append(block);
  }
  EXPECT_TRUE(disk.all_names().empty());
}

TEST(TableFault, AnErrorIsFinal) {
  FaultVfs disk;
  TableWriter writer(disk, "d/t", sample_schema(1));
  Block block(sample_schema());
  put_sample(block, 0);
  disk.arm(FaultVfs::Fault::io_error, 3);
  EXPECT_THROW(writer.append(block), Error);
  EXPECT_THROW(writer.append(block), Error);
  EXPECT_THROW((void)writer.finish("{}"), Error);
  EXPECT_FALSE(disk.exists("d/t"));
}

}  // namespace
}  // namespace leitong::storage
