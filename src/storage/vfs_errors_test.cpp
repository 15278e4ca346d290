// What posix_vfs() says and does when the system refuses: the system's calls stand here once more, in front of the library's, and fail
// where a test wants them to. Interrupted calls are made again; all else is Error(io) with the path, the operation and the reason.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>

#include "leitong/error.h"
#include "storage/vfs.h"

namespace {

// The calls of one name that fail from now on, in this thread: after `good` good ones, with these errors one after the other. -1: the call
// gives 0, as if nothing could be done.
struct Refusal {
  std::string_view call;
  unsigned good = 0;
  std::vector<int> errors;
};
thread_local Refusal* refusal = nullptr;

// Whether this call fails, with errno set; `zero` if it is to give 0.
bool refused(std::string_view call, bool* zero = nullptr) {
  if (refusal == nullptr || refusal->call != call || refusal->errors.empty()) return false;
  if (refusal->good > 0) {
    --refusal->good;
    return false;
  }
  const int error = refusal->errors.front();
  refusal->errors.erase(refusal->errors.begin());
  if (error == -1 && zero != nullptr) *zero = true;
  errno = error == -1 ? 0 : error;
  return true;
}

}  // namespace

extern "C" {
int fsync(int file) { return refused("fsync") ? -1 : static_cast<int>(::syscall(SYS_fsync, file)); }
int flock(int file, int operation) noexcept { return refused("flock") ? -1 : static_cast<int>(::syscall(SYS_flock, file, operation)); }
int mkdir(const char* path, mode_t mode) noexcept {
  return refused("mkdir") ? -1 : static_cast<int>(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
int fstat(int file, struct stat* status) noexcept { return refused("fstat") ? -1 : ::fstatat(file, "", status, AT_EMPTY_PATH); }
int stat(const char* path, struct stat* status) noexcept { return refused("stat") ? -1 : ::fstatat(AT_FDCWD, path, status, 0); }
int close(int file) {
  const int done = static_cast<int>(::syscall(SYS_close, file));
  return refused("close") ? -1 : done;
}
ssize_t write(int file, const void* data, size_t size) {
  bool zero = false;
  if (refused("write", &zero)) return zero ? 0 : -1;
  return ::syscall(SYS_write, file, data, size);
}
ssize_t pread(int file, void* data, size_t size, off_t offset) {
  bool zero = false;
  if (refused("pread", &zero)) return zero ? 0 : -1;
  return ::syscall(SYS_pread64, file, data, size, offset);
}
}

namespace leitong::storage {
namespace {

class VfsErrors : public testing::Test {
 protected:
  VfsErrors() {
    std::string pattern = testing::TempDir() + "leitong_errors_XXXXXX";
    root_ = mkdtemp(pattern.data());
    path_ = root_ + "/a";
    make(path_);
  }
  ~VfsErrors() override {
    refusal = nullptr;
    for (const std::string& name : vfs_.list(root_)) vfs_.remove(root_ + "/" + name);
    vfs_.remove(root_);
  }
  void make(const std::string& path) {
    const auto file = vfs_.create(path);
    file->append(bytes());
    file->close();
  }
  static std::span<const std::byte> bytes() { return std::as_bytes(std::span("some text", 9)); }

  // The call's failure is an error that names the path, the operation and the reason.
  void expect_error(Refusal how, const std::string& path, std::string_view operation, const std::function<void()>& action,
                    ErrorCode code = ErrorCode::io) {
    const std::string reason = how.errors.back() > 0 ? std::strerror(how.errors.back()) : "";
    refusal = &how;
    try {
      action();
      refusal = nullptr;
      ADD_FAILURE() << how.call << " failed, and nobody said so";
    } catch (const Error& error) {
      refusal = nullptr;
      const std::string_view what = error.what();
      EXPECT_EQ(error.code(), code) << what;
      EXPECT_NE(what.find(path), what.npos) << what;
      EXPECT_NE(what.find(operation), what.npos) << what;
      EXPECT_NE(what.find(reason), what.npos) << what;
    }
    EXPECT_TRUE(how.errors.empty()) << how.call << " was not called";
  }
  void expect_none(Refusal how, const std::function<void()>& action) {
    refusal = &how;
    EXPECT_NO_THROW(action());
    refusal = nullptr;
    EXPECT_TRUE(how.errors.empty()) << how.call << " was not called";
  }

  Vfs& vfs_ = posix_vfs();
  std::string root_, path_;
};

TEST_F(VfsErrors, OfSyncAreFinal) {
  const auto file = vfs_.create(path_);
  file->append(bytes());
  expect_none({"fsync", 0, {EINTR, EINTR}}, [&] { file->sync(); });
  file->append(bytes());
  expect_error({"fsync", 0, {EIO}}, path_, "fsync failed", [&] { file->sync(); });
  // The second one would succeed without the data.
  for (const auto& again : {std::function<void()>([&] { file->sync(); }), std::function<void()>([&] { file->append(bytes()); }),
                            std::function<void()>([&] { file->close(); })})
    expect_error({"", 0, {0}}, path_, "refused", [&] {
      refusal->errors.clear();
      again();
    });
}

TEST_F(VfsErrors, OfWriting) {
  for (const int error : {ENOSPC, EDQUOT}) {
    const auto file = vfs_.create(path_);
    file->append(bytes());
    expect_error({"write", 0, {EINTR, error}}, path_, "free some space", [&] { file->sync(); });
  }
  const auto nothing = vfs_.create(path_);
  nothing->append(bytes());
  expect_error({"write", 0, {-1}}, path_, "No space left", [&] { nothing->sync(); });
  const auto file = vfs_.create(path_);
  expect_error({"write", 0, {EIO}}, path_, "write failed", [&] { file->append(std::vector<std::byte>(1U << 22U)); });
}

TEST_F(VfsErrors, OfClosing) {
  const auto file = vfs_.create(path_);
  expect_error({"close", 0, {EDQUOT}}, path_, "close failed", [&] { file->close(); });
  const auto interrupted = vfs_.create(path_);
  expect_none({"close", 0, {EINTR}}, [&] { interrupted->close(); });  // closed all the same
}

TEST_F(VfsErrors, OfReading) {
  const auto file = vfs_.open(path_);
  std::byte some[4];
  expect_none({"pread", 0, {EINTR}}, [&] { file->read(0, some); });
  expect_error({"pread", 0, {EIO}}, path_, "read failed", [&] { file->read(0, some); });
  expect_error({"pread", 0, {-1}}, path_, "file ends before", [&] { file->read(0, some); }, ErrorCode::format);
  expect_error({"fstat", 0, {EIO}}, path_, "stat failed", [&] { (void)vfs_.open(path_); });
  expect_error({"fstat", 0, {EOVERFLOW}}, path_, "stat failed", [&] { (void)vfs_.map(path_); });
}

TEST_F(VfsErrors, OfLooking) {
  expect_error({"stat", 0, {EACCES}}, path_, "stat failed", [&] { (void)vfs_.exists(path_); });
  expect_none({"stat", 0, {ENOTDIR}}, [&] { EXPECT_FALSE(vfs_.exists(path_)); });
}

TEST_F(VfsErrors, OfDirectories) {
  expect_error({"fsync", 0, {EIO}}, root_, "fsync directory failed", [&] { vfs_.sync_directory(root_); });
  expect_none({"fsync", 0, {EINTR, EINVAL}}, [&] { vfs_.sync_directory(root_); });  // a file system that cannot
  const std::string made = root_ + "/d";
  expect_error({"mkdir", 0, {ENOSPC}}, made, "make directory failed", [&] { vfs_.make_directories(made); });
  Refusal there{"mkdir", 0, {EEXIST}};  // and it is no directory
  refusal = &there;
  EXPECT_THROW(vfs_.make_directories(path_ + "x"), Error);
  refusal = nullptr;
  // Another process was quicker: it is there when we look again.
  ASSERT_EQ(::syscall(SYS_mkdirat, AT_FDCWD, made.c_str(), 0777), 0);
  expect_none({"stat", 0, {ENOENT}}, [&] { vfs_.make_directories(made); });
  vfs_.make_directories("");
  vfs_.make_directories("/");
}

TEST_F(VfsErrors, OfLocks) {
  const std::string lock = root_ + "/LOCK";
  expect_error({"flock", 0, {EINTR, ENOLCK}}, lock, "lock failed", [&] { (void)vfs_.lock(lock); });
  expect_error({"fstat", 0, {EIO}}, lock, "stat failed", [&] { (void)vfs_.lock(lock); });
  expect_error({"stat", 0, {EACCES}}, lock, "stat failed", [&] { (void)vfs_.lock(lock); });
  // The file was taken away between opening and locking it: that is no lock, so another is taken.
  expect_none({"stat", 0, {ENOENT}}, [&] {
    const auto held = vfs_.lock(lock);
    EXPECT_THROW((void)vfs_.lock(lock), Error);
  });
}

}  // namespace
}  // namespace leitong::storage
