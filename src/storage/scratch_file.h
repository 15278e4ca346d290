// Scratch file: bytes that are written once, read anywhere, and gone when their owner is. Keeps what a stage cannot hold in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "storage/vfs.h"

namespace leitong::storage {

class ScratchFile {
 public:
  // Up to `held` bytes stay in memory, and no file is made; beyond them all are in the file, which is removed at destruction. Not
  // thread-safe.
  ScratchFile(Vfs& vfs, std::string path, std::uint64_t held = 0);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  // Returns the offset of what was appended. Not after the first read.
  std::uint64_t append(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // Exactly out.size() bytes; Error(format) if the file ends before.
  void read(std::uint64_t offset, std::span<std::byte> out);

 private:
  Vfs& vfs_;
  std::string path_;
  std::unique_ptr<WritableFile> writer_;
  std::unique_ptr<ReadableFile> reader_;
  std::uint64_t size_ = 0, most_held_;
  std::vector<std::byte> held_;
  bool was_read_ = false;
};

// An array in a scratch file, of which one slice is in memory.
template <typename T>
class ScratchArray {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  ScratchArray(Vfs& vfs, std::string path) : file_(vfs, std::move(path)) {}
  void append(std::span<const T> values) { file_.append(std::as_bytes(values)); }
  [[nodiscard]] std::uint64_t size() const { return file_.size() / sizeof(T); }
  // By value: the next call may read another slice.
  [[nodiscard]] T operator[](std::uint64_t index) {
    if (index < first_ || index >= first_ + slice_.size()) {
      first_ = index / slice_size * slice_size;
      slice_.resize(static_cast<std::size_t>(size() - first_ < slice_size ? size() - first_ : slice_size));
      file_.read(first_ * sizeof(T), std::as_writable_bytes(std::span(slice_)));
    }
    return slice_[index - first_];
  }

 private:
  static constexpr std::uint64_t slice_size = 16384;
  ScratchFile file_;
  std::vector<T> slice_;
  std::uint64_t first_ = 0;
};

}  // namespace leitong::storage
