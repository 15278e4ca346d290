// Compiled dictionaries: a file of numbered sections that is mapped, not read. Header, table of sections, sections at multiples of 64
// bytes. docs/data-files.md is the specification.
//
// Header, 64 bytes, little-endian: magic (8 bytes), version (u32), number of sections (u32), size of the file (u64), XXH3-64 of the whole
// file with this field as zero (u64), content id (two u64: low, high), zeros. Table: id (u32), zero (u32), offset from the file's begin
// (u64), bytes (u64) for each section.
//
// The content id hashes what the file was compiled from, not its bytes: it enters the ids of profiles, and must be the same where another
// layout or another C library's logarithm gives other bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/error.h"

namespace leitong::segment {

struct ContentId {
  std::uint64_t low = 0, high = 0;
  [[nodiscard]] std::string hex() const;  // 32 digits
  friend bool operator==(const ContentId&, const ContentId&) = default;
};
// Of the content itself: XXH3-128.
[[nodiscard]] ContentId content_id(std::string_view bytes);

struct SectionEntry {
  std::uint32_t id = 0, zero = 0;
  std::uint64_t offset = 0, size = 0;
};
static_assert(sizeof(SectionEntry) == 24);

class SectionWriter {
 public:
  SectionWriter() = default;
  // The sections of a file that finish() made, to add more.
  explicit SectionWriter(std::span<const std::byte> file);

  template <class T>
  void add(std::uint32_t id, const std::vector<T>& items) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::byte> bytes(items.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), items.data(), bytes.size());
    sections_.emplace_back(id, std::move(bytes));
  }
  void add_text(std::uint32_t id, std::string_view text) { add(id, std::vector<char>(text.begin(), text.end())); }
  // The whole file.
  [[nodiscard]] std::vector<std::byte> finish(std::string_view magic, std::uint32_t version, ContentId content) const;

 private:
  std::vector<std::pair<std::uint32_t, std::vector<std::byte>>> sections_;
};

// What the header of any such file says, checksum not compared, and one section of it if it is there.
struct SectionSummary {
  std::string magic;
  std::uint32_t version = 0;
  std::uint64_t bytes = 0;
  ContentId content;
  std::optional<std::string> section;
};
// Error(io) if it cannot be read, Error(format) if it is too short or has not the length that it says.
[[nodiscard]] SectionSummary read_summary(const std::string& path, std::optional<std::uint32_t> section = {});

class SectionFile {
 public:
  // Maps the file. Error(io) when it cannot be opened, Error(format) for other bytes, Error(unsupported) for another version; `advice`
  // (what to do then) ends every message.
  SectionFile(const std::string& path, std::string_view magic, std::uint32_t version, std::string advice);
  // The same of bytes in memory, as SectionWriter makes them; `name` is for messages.
  SectionFile(std::vector<std::byte> bytes, std::string name, std::string_view magic, std::uint32_t version, std::string advice);
  ~SectionFile();
  SectionFile(const SectionFile&) = delete;
  SectionFile& operator=(const SectionFile&) = delete;

  // Valid while this lives. Error(format) when missing or not a whole number of items.
  template <class T>
  [[nodiscard]] std::span<const T> section(std::uint32_t id) const {
    const std::span<const std::byte> bytes = find(id);
    if (bytes.size() % sizeof(T) != 0) damaged("section " + std::to_string(id) + " has a broken length");
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  [[nodiscard]] std::string_view text(std::uint32_t id) const {
    const std::span<const char> chars = section<char>(id);
    return {chars.data(), chars.size()};
  }
  // A section of exactly one T.
  template <class T>
  [[nodiscard]] const T& record(std::uint32_t id) const {
    const std::span<const T> items = section<T>(id);
    if (items.size() != 1) damaged("section " + std::to_string(id) + " has a wrong length");
    return items[0];
  }
  [[nodiscard]] ContentId content() const { return content_; }
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  [[nodiscard]] std::span<const std::byte> find(std::uint32_t id) const;
  void map();
  void unmap();
  void check(std::string_view magic, std::uint32_t version);

  std::string path_, advice_;
  std::vector<std::byte> owned_;
  bool mapped_ = false;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  ContentId content_;
  std::vector<SectionEntry> entries_;
};

}  // namespace leitong::segment
