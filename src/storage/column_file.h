// Column file: numbered arrays in one file that is mapped, not read. docs/file-format.md ("Column files") is the specification.
//
// Written from front to back, so that nothing need be held in memory for it; whole under its name or not there at all. Errors: Error(io)
// from the file system; Error(format) for bytes that are not such a file, with its name and what is wrong; Error(unsupported) for a
// newer version.
//
// The file is checked where it is used: its last column has a checksum of every page of what stands before it, and touch() compares those
// pages of a range that were not compared yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "storage/verified_parts.h"
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

// Checksums of the pages of a file that is written from front to back.
class PageSums {
 public:
  static constexpr std::uint64_t page_size = 4096;  // what a system reads of a mapped file at least
  void add(std::span<const std::byte> bytes);
  // Of all that was added; the last page may be short.
  [[nodiscard]] std::vector<std::uint64_t> take();

 private:
  std::vector<std::byte> page_;  // begun
  std::vector<std::uint64_t> sums_;
};

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
  PageSums sums_;
  std::vector<ColumnEntry> entries_;
  bool renamed_ = false;
};

class ColumnFile {
 public:
  // Maps the file and checks header, table and trailer; columns are not read.
  ColumnFile(Vfs& vfs, std::string path, const ColumnKind& kind);

  // At least 64 readable bytes follow each column. Error(format) if it is missing or not of so many items. Valid while this lives. What is
  // read of it is verified or touched first.
  template <typename T>
  [[nodiscard]] std::span<const T> column(std::uint64_t id, std::size_t count) const {
    const ColumnEntry& entry = find(id);
    if (entry.size / sizeof(T) != count || entry.size % sizeof(T) != 0) damaged("column " + std::to_string(id) + " has a wrong length");
    return {reinterpret_cast<const T*>(bytes_.data() + entry.offset), count};
  }
  // Items of a column are about to be read: compares the pages in which they stand with their checksums, each once. Error(format) names
  // the page. Thread-safe, without waiting; a few nanoseconds where that was done before.
  class Pages {
   public:
    explicit Pages(const ColumnFile& file) : file_(file), begin_(file.bytes_.data()), verified_(file.verified_.seen()) {}
    template <typename T>
    void touch(const T* items, std::size_t count) const {
      if (count == 0) return;
      const auto at = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(items) - begin_);
      const std::size_t last = (at + count * sizeof(T) - 1) / PageSums::page_size;
      for (std::size_t page = at / PageSums::page_size; page <= last; ++page)
        if (!verified_.has(page)) [[unlikely]]
          file_.verify_page(page);
    }

   private:
    const ColumnFile& file_;
    const std::byte* begin_;
    VerifiedParts::Seen verified_;
  };
  [[nodiscard]] Pages pages() const { return Pages(*this); }
  template <typename T>
  void touch(const T* items, std::size_t count) const {
    pages().touch(items, count);
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
  void open_pages();
  void verify_page(std::size_t page) const;

  std::string path_, advice_;
  std::unique_ptr<MappedFile> file_;
  std::span<const std::byte> bytes_;
  std::vector<ColumnEntry> entries_;
  std::span<const std::uint64_t> sums_;  // of the pages
  std::uint64_t summed_ = 0;             // bytes that have them: all columns
  VerifiedParts verified_;               // pages
  std::uint64_t identity_ = 0;
};

}  // namespace leitong::storage
