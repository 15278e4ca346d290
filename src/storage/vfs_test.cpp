#include "storage/vfs.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "leitong/error.h"
#include "storage/sample_table_test.h"

namespace leitong::storage {
namespace {

class PosixVfsTest : public testing::Test {
 protected:
  PosixVfsTest() {
    std::string pattern = testing::TempDir() + "leitong_vfs_XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~PosixVfsTest() override {
    for (const std::string& name : vfs_.list(root_)) vfs_.remove(root_ + "/" + name);
    vfs_.remove(root_);
  }
  void write(const std::string& path, std::string_view text) {
    const auto file = vfs_.create(path);
    file->append(std::as_bytes(std::span(text)));
    file->sync();
    file->close();
  }
  std::string read(const std::string& path) {
    const auto file = vfs_.open(path);
    std::string text(file->size(), '\0');
    file->read(0, std::as_writable_bytes(std::span(text)));
    return text;
  }
  // The message of the Error(code) that `action` throws.
  static std::string message(ErrorCode code, const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "no error was thrown";
    return {};
  }

  Vfs& vfs_ = posix_vfs();
  std::string root_;
};

TEST_F(PosixVfsTest, WritesRenamesListsRemoves) {
  write(root_ + "/b", "text");
  write(root_ + "/a", "other");
  EXPECT_EQ(vfs_.list(root_), (std::vector<std::string>{"a", "b"}));
  vfs_.rename(root_ + "/b", root_ + "/a");
  vfs_.sync_directory(root_);
  EXPECT_EQ(read(root_ + "/a"), "text");
  EXPECT_FALSE(vfs_.exists(root_ + "/b"));
  EXPECT_FALSE(vfs_.exists(root_ + "/a/b"));
  write(root_ + "/a", "");
  EXPECT_EQ(read(root_ + "/a"), "");
}

TEST_F(PosixVfsTest, LargeAndSmallAppendsKeepTheirOrder) {
  std::string all;
  const auto file = vfs_.create(root_ + "/a");
  for (std::size_t i = 0; i < 60; ++i) {
    const std::string part(i * i * 211 % 400'000, static_cast<char>('a' + i % 26));
    file->append(std::as_bytes(std::span(part)));
    all += part;
  }
  file->close();
  EXPECT_TRUE(read(root_ + "/a") == all);
}

TEST_F(PosixVfsTest, MakesDirectoriesWithParents) {
  vfs_.make_directories(root_ + "/x/y//z/");
  vfs_.make_directories(root_ + "/x/y/z");
  EXPECT_TRUE(vfs_.exists(root_ + "/x/y/z"));
  for (const char* name : {"/x/y/z", "/x/y", "/x"}) vfs_.remove(root_ + name);
  write(root_ + "/file", "");
  EXPECT_NE(message(ErrorCode::io, [&] { vfs_.make_directories(root_ + "/file/x"); }).find("make directory failed"), std::string::npos);
}

TEST_F(PosixVfsTest, ErrorsNamePathOperationAndReason) {
  const std::string none = root_ + "/none";
  EXPECT_EQ(message(ErrorCode::io, [&] { (void)vfs_.open(none); }), none + ": open failed: No such file or directory");
  EXPECT_EQ(message(ErrorCode::io, [&] { (void)vfs_.create(none + "/x"); }), none + "/x: create failed: No such file or directory");
  EXPECT_EQ(message(ErrorCode::io, [&] { vfs_.remove(none); }), none + ": remove failed: No such file or directory");
  EXPECT_EQ(message(ErrorCode::io, [&] { (void)vfs_.list(none); }), none + ": list failed: No such file or directory");
  EXPECT_EQ(message(ErrorCode::io, [&] { vfs_.rename(none, "x"); }), none + ": rename to x failed: No such file or directory");
  EXPECT_EQ(message(ErrorCode::io, [&] { vfs_.sync_directory(none); }), none + ": open directory failed: No such file or directory");
  EXPECT_EQ(message(ErrorCode::io, [&] { (void)vfs_.open(root_); }), root_ + ": open failed: not a regular file");
}

TEST_F(PosixVfsTest, ShortFilesAreFormatErrors) {
  write(root_ + "/a", "12345");
  const auto file = vfs_.open(root_ + "/a");
  std::vector<std::byte> out(4);
  EXPECT_NO_THROW(file->read(1, out));
  EXPECT_NE(message(ErrorCode::format, [&] { file->read(2, out); }).find("at offset 2"), std::string::npos);
  message(ErrorCode::format, [&] { file->read(UINT64_MAX, out); });
}

TEST_F(PosixVfsTest, ALockExcludesThisProcessToo) {
  const std::string path = root_ + "/LOCK";
  auto lock = vfs_.lock(path);
  const std::string text = message(ErrorCode::usage, [&] { (void)vfs_.lock(path); });
  EXPECT_EQ(text, path + ": another writer has it open; wait until that one has ended, or stop it");
  lock.reset();
  lock = vfs_.lock(path);
  vfs_.remove(path);  // what is locked has no name now, so that the next one gets a file and a lock of its own
  const auto other = vfs_.lock(path);
  message(ErrorCode::usage, [&] { (void)vfs_.lock(path); });
  message(ErrorCode::io, [&] { (void)vfs_.lock(root_ + "/none/LOCK"); });
}

TEST_F(PosixVfsTest, ALockGoesWithAKilledProcess) {
  const std::string path = root_ + "/LOCK";
  int held[2];
  ASSERT_EQ(pipe(held), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = vfs_.lock(path);
    (void)!::write(held[1], "x", 1);
    for (;;) pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(held[0], &byte, 1), 1);
  message(ErrorCode::usage, [&] { (void)vfs_.lock(path); });
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_NO_THROW((void)vfs_.lock(path));
  ::close(held[0]);
  ::close(held[1]);
}

TEST_F(PosixVfsTest, AFullDiskIsFinalAndLeavesNoTable) {
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{300'000, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string text = message(ErrorCode::io, [&] { write_sample(vfs_, root_ + "/t", 10'000); });
  const auto file = vfs_.create(root_ + "/raw");
  const std::vector<std::byte> much(4'000'000);  // more than is held back
  message(ErrorCode::io, [&] { file->append(much); });
  message(ErrorCode::io, [&] { file->sync(); });
  message(ErrorCode::io, [&] { file->close(); });
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(text.find("t.tmp: write failed: File too large"), std::string::npos) << text;
  EXPECT_EQ(vfs_.list(root_), std::vector<std::string>{"raw"});
}

TEST_F(PosixVfsTest, TablesOnTheRealDisk) {
  const std::string identity = write_sample(vfs_, root_ + "/t", 5000, 512, 100);
  const TableReader table(vfs_, root_ + "/t", "sketch", 3);
  EXPECT_EQ(table.identity(), identity);
  expect_sample(table, 5000);
  EXPECT_EQ(vfs_.list(root_), std::vector<std::string>{"t"});
}

// tests/read_table.py was written from docs/file-format.md and shares nothing with this code.
TEST_F(PosixVfsTest, AnIndependentReaderAgrees) {
  const std::string here = __FILE__, script = parent_directory(parent_directory(parent_directory(here))) + "/tests/read_table.py";
  if (!vfs_.exists(script) || std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "needs python3 and " << script;
  write_sample(vfs_, root_ + "/t", 20);
  const std::string command = "python3 " + script + " " + root_ + "/t > " + root_ + "/out";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string out = read(root_ + "/out");
  EXPECT_NE(out.find(R"({"kind": "sketch", "version": 3, "rows_per_block": 7, "columns": [{"name": "id", "width": 0})"), std::string::npos)
      << out;
  EXPECT_NE(out.find(R"("metadata": {"made": "by a test"})"), std::string::npos);
  for (std::uint64_t row = 0; row < 20; ++row) {
    const std::string line =
        "{\"id\": \"" + sample_text(row) + "\", \"band\": " + std::to_string(static_cast<std::uint32_t>(row * 2654435761U)) +
        ", \"hash\": " + std::to_string(row * 0x9E3779B97F4A7C15U) + ", \"note\": \"" + (row % 3 == 0 ? "" : "雷同") + "\"";
    EXPECT_NE(out.find(line), std::string::npos) << line;
  }
  std::string text = read(root_ + "/t");
  text[text.size() - 30] ^= 1;
  write(root_ + "/t", text);
  EXPECT_NE(std::system((command + " 2>&1").c_str()), 0);
}

TEST(ParentDirectory, OfEveryShape) {
  EXPECT_EQ(parent_directory("a"), ".");
  EXPECT_EQ(parent_directory(""), ".");
  EXPECT_EQ(parent_directory("/"), "/");
  EXPECT_EQ(parent_directory("/a"), "/");
  EXPECT_EQ(parent_directory("a/b"), "a");
  EXPECT_EQ(parent_directory("a//b/"), "a");
  EXPECT_EQ(parent_directory("/a/b/c"), "/a/b");
}

}  // namespace
}  // namespace leitong::storage
