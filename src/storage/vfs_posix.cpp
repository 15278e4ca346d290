// The file system interface over the operating system.

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "leitong/error.h"
#include "storage/read_fault.h"
#include "storage/vfs.h"

namespace leitong::storage {
namespace {

[[noreturn]] void fail(const std::string& path, const char* operation, int error) {
  const char* advice = error == ENOSPC || error == EDQUOT ? "; free some space, then try again" : "";
  throw Error(ErrorCode::io, fmt::format("{}: {} failed: {}{}", path, operation, std::generic_category().message(error), advice));
}

// A call that a signal may interrupt, again until it was not.
template <typename Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

class PosixWritable final : public WritableFile {
 public:
  PosixWritable(std::string path, int descriptor) : path_(std::move(path)), file_(descriptor) {}

  void append(std::span<const std::byte> data) override {
    require_usable("write");
    while (!data.empty()) {
      std::size_t count = std::min(data.size(), buffer - buffer_.size());
      if (count == buffer) {
        count = data.size() - data.size() % buffer;
        write(data.first(count));
      } else {
        buffer_.insert(buffer_.end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(count));
        if (buffer_.size() == buffer) flush();
      }
      data = data.subspan(count);
    }
  }

  // Not refused after a failure of another thread: which of them is told first must not hide the system's reason. sync() is refused.
  void write_at(std::uint64_t offset, std::span<const std::byte> data) override {
    const std::uint64_t end = offset + data.size();
    while (!data.empty()) {
      const ssize_t written =
          uninterrupted([&] { return ::pwrite(file_.get(), data.data(), std::min(data.size(), most), static_cast<off_t>(offset)); });
      if (written < 0) give_up("write", errno);
      if (written == 0) give_up("write", ENOSPC);
      data = data.subspan(static_cast<std::size_t>(written));
      offset += static_cast<std::uint64_t>(written);
    }
    for (std::uint64_t before = position_; before < end && !position_.compare_exchange_weak(before, end);) {
    }
  }

  void start_writing() override {
    const std::uint64_t end = position_, begin = started_.exchange(end);
#if defined(SYNC_FILE_RANGE_WRITE)
    if (begin < end)
      (void)::sync_file_range(file_.get(), static_cast<off_t>(begin), static_cast<off_t>(end - begin), SYNC_FILE_RANGE_WRITE);
#endif
  }

  void sync() override {
    require_usable("fsync");
    flush();
    // A second fsync after a failed one may report success although the data is gone, so the first failure is final.
    if (uninterrupted([&] { return ::fsync(file_.get()); }) < 0) give_up("fsync", errno);
  }

  void close() override {
    require_usable("close");
    flush();
    failed_ = true;  // nothing may follow a close
    // After EINTR the descriptor is closed all the same on Linux; a second close could hit another thread's file.
    if (::close(file_.release()) < 0 && errno != EINTR) fail(path_, "close", errno);
  }

 private:
  // A huge page. What is written in whole ones, at multiples of their size, is kept in whole ones by file systems that can, and mapped so:
  // without, half the time of a look-up in a map goes into finding pages.
  static constexpr std::size_t buffer = std::size_t{1} << 21U;
  static constexpr std::size_t most = std::size_t{1} << 30U;  // Linux writes at most 2 GiB a call

  void require_usable(const char* operation) const {
    if (failed_)
      throw Error(ErrorCode::io, fmt::format("{}: {} refused: the file is closed or an earlier write to it failed", path_, operation));
  }
  [[noreturn]] void give_up(const char* operation, int error) {
    failed_ = true;
    fail(path_, operation, error);
  }
  void flush() {
    write(buffer_);
    buffer_.clear();
  }
  void write(std::span<const std::byte> data) {
    while (!data.empty()) {
      const ssize_t written = uninterrupted([&] { return ::write(file_.get(), data.data(), std::min(data.size(), most)); });
      if (written < 0) give_up("write", errno);
      if (written == 0) give_up("write", ENOSPC);
      data = data.subspan(static_cast<std::size_t>(written));
      position_ += static_cast<std::uint64_t>(written);
    }
  }

  std::string path_;
  Descriptor file_;
  std::vector<std::byte> buffer_;
  std::atomic<std::uint64_t> position_ = 0, started_ = 0;  // of the file: written; set on its way to the disk
  std::atomic<bool> failed_ = false;
};

// The size of a file just opened to be read; anything but a regular file is refused in the words of `operation`.
std::uint64_t size_of_regular(const Descriptor& file, const std::string& path, const char* operation) {
  if (file.get() < 0) fail(path, "open", errno);
  struct stat status{};
  if (::fstat(file.get(), &status) < 0) fail(path, "stat", errno);
  if (!S_ISREG(status.st_mode)) throw Error(ErrorCode::io, fmt::format("{}: {} failed: not a regular file", path, operation));
  return static_cast<std::uint64_t>(status.st_size);
}

Descriptor open_to_read(const std::string& path) {
  return Descriptor(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
}

class PosixReadable final : public ReadableFile {
 public:
  explicit PosixReadable(std::string path)
      : path_(std::move(path)), file_(open_to_read(path_)), size_(size_of_regular(file_, path_, "open")) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  void read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > size_ || out.size() > size_ - offset) too_short(offset, out.size());
    while (!out.empty()) {
      const ssize_t got = uninterrupted([&] { return ::pread(file_.get(), out.data(), out.size(), static_cast<off_t>(offset)); });
      if (got < 0) fail(path_, "read", errno);
      if (got == 0) too_short(offset, out.size());
      offset += static_cast<std::uint64_t>(got);
      out = out.subspan(static_cast<std::size_t>(got));
    }
  }

 private:
  [[noreturn]] void too_short(std::uint64_t offset, std::size_t wanted) const {
    throw Error(ErrorCode::format,
                fmt::format("{}: file ends before the {} bytes wanted at offset {}; was it cut short?", path_, wanted, offset));
  }

  std::string path_;
  Descriptor file_;
  std::uint64_t size_;
};

class PosixMapping final : public MappedFile {
 public:
  explicit PosixMapping(std::string path) : path_(std::move(path)) {
    const Descriptor file = open_to_read(path_);
    pages_.size = size_of_regular(file, path_, "map");
    if (pages_.size == 0) return;  // there is no mapping of nothing
    void* data = ::mmap(nullptr, pages_.size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED) fail(path_, "map", errno);
    pages_.data = data;
    guard_.emplace(data, pages_.size);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const override { return {static_cast<const std::byte*>(pages_.data), pages_.size}; }
  [[nodiscard]] bool fault() const noexcept override { return guard_ && guard_->fault(); }
  void require_readable() const override {
    if (fault()) throw Error(ErrorCode::io, path_ + ": reading the mapped file failed; is the disk broken, or was the file cut short?");
  }

 private:
  struct Pages {
    Pages() = default;
    ~Pages() {
      if (data != nullptr) ::munmap(data, size);
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    void* data = nullptr;
    std::size_t size = 0;
  };

  std::string path_;
  Pages pages_;
  std::optional<ReadGuard> guard_;  // behind the pages: ends before they do
};

class ReadWhole final : public MappedFile {
 public:
  explicit ReadWhole(const ReadableFile& file)
      : size_(static_cast<std::size_t>(file.size())), data_(static_cast<std::byte*>(std::aligned_alloc(line, size_ / line * line + line))) {
    if (data_ == nullptr) throw std::bad_alloc();
    file.read(0, {data_.get(), size_});
  }
  [[nodiscard]] std::span<const std::byte> bytes() const override { return {data_.get(), size_}; }

 private:
  static constexpr std::size_t line = 64;
  struct Free {
    void operator()(std::byte* p) const noexcept { std::free(p); }
  };
  std::size_t size_;
  std::unique_ptr<std::byte, Free> data_;
};

// flock and not fcntl: that would not exclude a second lock of the same process, and any close of the file would end it.
class PosixLock final : public FileLock {
 public:
  explicit PosixLock(const std::string& path) {
    // A file that was replaced between open and flock would be a lock on what nobody else can find.
    while (!file_ || !is_named(path)) {
      file_.emplace(uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); }));
      if (file_->get() < 0) fail(path, "open", errno);
      if (uninterrupted([&] { return ::flock(file_->get(), LOCK_EX | LOCK_NB); }) >= 0) continue;
      if (errno != EWOULDBLOCK) fail(path, "lock", errno);
      throw Error(ErrorCode::usage, path + ": another writer has it open; wait until that one has ended, or stop it");
    }
  }

 private:
  [[nodiscard]] bool is_named(const std::string& path) const {
    struct stat held{}, named{};
    if (::fstat(file_->get(), &held) < 0) fail(path, "stat", errno);
    if (::stat(path.c_str(), &named) < 0) {
      if (errno != ENOENT) fail(path, "stat", errno);
      return false;
    }
    return held.st_dev == named.st_dev && held.st_ino == named.st_ino;
  }

  std::optional<Descriptor> file_;
};

class PosixVfs final : public Vfs {
 public:
  std::unique_ptr<WritableFile> create(const std::string& path) override {
    const int file = uninterrupted([&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); });
    if (file < 0) fail(path, "create", errno);
    return std::make_unique<PosixWritable>(path, file);
  }

  std::unique_ptr<ReadableFile> open(const std::string& path) override { return std::make_unique<PosixReadable>(path); }

  std::unique_ptr<MappedFile> map(const std::string& path) override { return std::make_unique<PosixMapping>(path); }

  bool exists(const std::string& path) override {
    struct stat status{};
    if (::stat(path.c_str(), &status) == 0) return true;
    if (errno != ENOENT && errno != ENOTDIR) fail(path, "stat", errno);
    return false;
  }

  void rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) < 0) fail(from, fmt::format("rename to {}", to).c_str(), errno);
  }

  std::unique_ptr<FileLock> lock(const std::string& path) override { return std::make_unique<PosixLock>(path); }

  void remove(const std::string& path) override {
    if (std::remove(path.c_str()) < 0) fail(path, "remove", errno);
  }

  void make_directories(const std::string& path) override {
    if (path.empty() || is_directory(path)) return;
    const std::string parent = parent_directory(path);
    if (parent != path) make_directories(parent);
    if (::mkdir(path.c_str(), 0777) < 0) {
      const int error = errno;
      if (error == EEXIST && is_directory(path)) return;                // another process was quicker
      fail(path, "make directory", error == EEXIST ? ENOTDIR : error);  // the words for what stands there
    }
    sync_directory(parent);
  }

  void sync_directory(const std::string& path) override {
    const Descriptor directory(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (directory.get() < 0) fail(path, "open directory", errno);
    // Some file systems (network, FUSE) cannot sync a directory and say EINVAL; nothing better is to be had there.
    if (uninterrupted([&] { return ::fsync(directory.get()); }) < 0 && errno != EINVAL) fail(path, "fsync directory", errno);
  }

  std::vector<std::string> list(const std::string& directory) override {
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()), [](DIR* d) { return ::closedir(d); });
    if (!stream) fail(directory, "list", errno);
    std::vector<std::string> names;
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(stream.get());
      if (entry == nullptr) break;
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    if (errno != 0) fail(directory, "list", errno);
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  static bool is_directory(const std::string& path) {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  }
};

}  // namespace

void WritableFile::write_at(std::uint64_t /*offset*/, std::span<const std::byte> /*data*/) {
  throw Error(ErrorCode::unsupported, "this file system writes only at the end of a file");
}

std::unique_ptr<MappedFile> Vfs::map(const std::string& path) { return std::make_unique<ReadWhole>(*open(path)); }

std::unique_ptr<FileLock> Vfs::lock(const std::string& path) {
  throw Error(ErrorCode::unsupported, path + ": this file system has no locks");
}

Vfs& posix_vfs() {
  static PosixVfs vfs;
  return vfs;
}

std::string parent_directory(const std::string& path) {
  std::size_t end = path.find_last_not_of('/');
  if (end == std::string::npos) return path.empty() ? "." : "/";
  end = path.find_last_of('/', end);
  if (end == std::string::npos) return ".";
  end = path.find_last_not_of('/', end);
  return end == std::string::npos ? "/" : path.substr(0, end + 1);
}

}  // namespace leitong::storage
