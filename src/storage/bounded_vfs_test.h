// A disk of so many bytes, over a FaultVfs. For tests only.
//
// A write that does not fit writes what does and fails, as write() on a full disk; making a name takes room too. A disk that is told late
// (`late`) takes every write and fails the sync, as file systems do that look for blocks only then; what was dirty is lost. Renaming and
// removing always work. What the message says is what posix_vfs() says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "leitong/error.h"
#include "storage/fault_vfs_test.h"

namespace leitong::storage {

class BoundedVfs final : public Vfs {
 public:
  static constexpr std::uint64_t name_bytes = 64;  // bytes that a name takes

  explicit BoundedVfs(FaultVfs& disk, std::uint64_t capacity = ~std::uint64_t{0}, bool late = false)
      : disk_(disk), capacity_(capacity), late_(late) {
    for (const std::string& name : disk_.all_names()) sizes_[name] = disk_.open(name)->size();
  }
  void set_capacity(std::uint64_t capacity) {
    const std::lock_guard lock(mutex_);
    capacity_ = capacity;
  }
  [[nodiscard]] std::uint64_t peak() const { return peak_; }
  [[nodiscard]] std::uint64_t refused() const { return refused_; }

  std::unique_ptr<WritableFile> create(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    make_name(path, "create");
    auto file = disk_.create(path);
    sizes_[path] = 0;
    return std::make_unique<Writable>(*this, path, std::move(file));
  }
  std::unique_ptr<ReadableFile> open(const std::string& path) override { return disk_.open(path); }
  std::unique_ptr<MappedFile> map(const std::string& path) override { return disk_.map(path); }
  bool exists(const std::string& path) override { return disk_.exists(path); }
  void rename(const std::string& from, const std::string& to) override {
    const std::lock_guard lock(mutex_);
    disk_.rename(from, to);
    const auto moved = sizes_.extract(from);
    sizes_[to] = moved.empty() ? 0 : moved.mapped();
  }
  void remove(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    disk_.remove(path);
    sizes_.erase(path);
  }
  void make_directories(const std::string& path) override { disk_.make_directories(path); }
  void sync_directory(const std::string& path) override { disk_.sync_directory(path); }
  std::vector<std::string> list(const std::string& directory) override { return disk_.list(directory); }
  std::unique_ptr<FileLock> lock(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    make_name(path, "open");
    auto held = disk_.lock(path);
    (void)sizes_[path];
    return held;
  }

 private:
  class Writable final : public WritableFile {
   public:
    Writable(BoundedVfs& vfs, std::string path, std::unique_ptr<WritableFile> file)
        : vfs_(vfs), path_(std::move(path)), file_(std::move(file)) {}
    void append(std::span<const std::byte> data) override {
      const std::lock_guard lock(vfs_.mutex_);
      const std::uint64_t room = vfs_.late_ ? ~std::uint64_t{0} : vfs_.room();
      const auto part = data.first(static_cast<std::size_t>(std::min<std::uint64_t>(room, data.size())));
      file_->append(part);
      vfs_.take(path_, part.size());
      if (part.size() < data.size()) vfs_.no_space(path_, "write");
    }
    void sync() override {
      const std::lock_guard lock(vfs_.mutex_);
      if (vfs_.used() <= vfs_.capacity_) return file_->sync();
      vfs_.disk_.arm(FaultVfs::Fault::io_error, 0);
      try {
        file_->sync();
      } catch (const Error&) {
        vfs_.no_space(path_, "fsync");
      }
    }
    void close() override { file_->close(); }

   private:
    BoundedVfs& vfs_;
    std::string path_;
    std::unique_ptr<WritableFile> file_;
  };

  [[nodiscard]] std::uint64_t used() const {
    std::uint64_t sum = 0;
    for (const auto& [path, size] : sizes_) sum += name_bytes + size;
    return sum;
  }
  [[nodiscard]] std::uint64_t room() const { return used() < capacity_ ? capacity_ - used() : 0; }
  void make_name(const std::string& path, const char* operation) {
    if (!sizes_.contains(path) && room() < name_bytes) no_space(path, operation);
  }
  void take(const std::string& path, std::uint64_t bytes) {
    const auto file = sizes_.find(path);
    if (file != sizes_.end()) file->second += bytes;
    peak_ = std::max(peak_, used());
  }
  [[noreturn]] void no_space(const std::string& path, const char* operation) {
    ++refused_;
    throw Error(ErrorCode::io, path + ": " + operation + " failed: No space left on device; free some space, then try again");
  }

  FaultVfs& disk_;
  std::mutex mutex_;
  std::uint64_t capacity_;
  bool late_;
  std::map<std::string, std::uint64_t> sizes_;
  std::uint64_t peak_ = 0, refused_ = 0;
};

}  // namespace leitong::storage
