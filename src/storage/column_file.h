// Column file: numbered arrays in one file that is mapped, not read. docs/file-format.md ("Column files") is the specification.
//
// Written from front to back, so that nothing need be held in memory for it; whole under its name or not there at all. Errors: Error(io)
// from the file system; Error(format) for bytes that are not such a file, with its name and what is wrong; Error(unsupported) for a
// newer version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "storage/vfs.h"

namespace leitong::storage {

struct ColumnKind {
  std::string_view magic;  // 8 bytes
  std::uint32_t version;
  std::string_view advice;  // ends the messages of Error(format): what to do
};

struct ColumnEntry {
  std::uint64_t id, offset, size, checksum;  // checksum: XXH3-64 of the bytes
};
static_assert(sizeof(ColumnEntry) == 32, "these are bytes of the file");

class ColumnFileWriter {
 public:
  ColumnFileWriter(Vfs& vfs, std::string path, const ColumnKind& kind);
  ~ColumnFileWriter();  // without finish(), nothing is left
  ColumnFileWriter(const ColumnFileWriter&) = delete;
  ColumnFileWriter& operator=(const ColumnFileWriter&) = delete;

  void add(std::uint64_t id, std::span<const std::byte> bytes);
  template <typename T>
  void add(std::uint64_t id, const T* items, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(id, std::as_bytes(std::span(items, count)));
  }
  // The file stands under its name, durable, when this returns.
  void finish();

 private:
  void write(std::span<const std::byte> bytes);
  void pad();

  Vfs& vfs_;
  std::string path_, temporary_;
  ColumnKind kind_;
  std::unique_ptr<WritableFile> file_;
  std::uint64_t position_ = 0;
  std::vector<ColumnEntry> entries_;
  bool renamed_ = false;
};

class ColumnFile {
 public:
  // Maps the file and checks header, table and trailer; columns are not read.
  ColumnFile(Vfs& vfs, std::string path, const ColumnKind& kind);

  // At least 64 readable bytes follow each column. Error(format) if it is missing or not of so many items. Valid while this lives.
  template <typename T>
  [[nodiscard]] std::span<const T> column(std::uint64_t id, std::size_t count) const {
    const ColumnEntry& entry = find(id);
    if (entry.size / sizeof(T) != count || entry.size % sizeof(T) != 0) damaged("column " + std::to_string(id) + " has a wrong length");
    return {reinterpret_cast<const T*>(bytes_.data() + entry.offset), count};
  }
  // Compares a column with its checksum.
  void verify(std::uint64_t id) const { verify(find(id)); }
  // All of them, and the bytes between them.
  void verify_all() const;
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> file() const { return bytes_; }  // the whole of it
  // The trailer's checksum: of header and table, and so of all columns' checksums.
  [[nodiscard]] std::uint64_t identity() const { return identity_; }
  void require_readable() const { file_->require_readable(); }  // Error(io) if some byte read so far could not be read
  [[noreturn]] void damaged(const std::string& what) const;     // Error(format), or Error(io) if that is why

 private:
  [[nodiscard]] const ColumnEntry& find(std::uint64_t id) const;
  void verify(const ColumnEntry& entry) const;

  std::string path_, advice_;
  std::unique_ptr<MappedFile> file_;
  std::span<const std::byte> bytes_;
  std::vector<ColumnEntry> entries_;
  std::uint64_t identity_ = 0;
};

}  // namespace leitong::storage
