// Postings: for each key, the rows of a run that have it. Keys are 32-bit hashes that the store's owner computes from a row (bands of a
// MinHash, features of a short text); rows that share a key may be similar. docs/file-format.md ("Store", "Key files") specifies the bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/column_file.h"
#include "storage/vfs.h"
#include "store/row.h"

namespace leitong::store {

// The lowest bits of a key are its class; keys that differ in nothing else are a group, and stand side by side. An owner who wants fewer
// rows of a class looked at than of another puts the class there; others need not care.
inline constexpr unsigned class_bits = 3, classes = 1U << class_bits;
[[nodiscard]] constexpr std::uint32_t class_of(std::uint32_t key) { return key & (classes - 1); }
[[nodiscard]] constexpr std::uint32_t group_of(std::uint32_t key) { return key & ~(classes - 1); }

// Appends the keys of a row in any order; an erasing row has none. Must depend on the row's `sketch` only.
using KeysOf = std::function<void(const Row& row, std::vector<std::uint32_t>& keys)>;

// `postings`: key << 32 | row, rows ascending; the function sorts them by key, which takes as much memory again.
void write_postings(storage::Vfs& vfs, const std::string& path, std::vector<std::uint64_t>& postings);

// Thread-safe for reading.
class Postings {
 public:
  Postings(storage::Vfs& vfs, const std::string& path, std::uint64_t rows);
  // The rows that have the key, ascending. Three cache misses, which the calls of prefetch_* hide where many keys are looked up, each for
  // all keys before the next.
  [[nodiscard]] std::span<const std::uint32_t> rows_of(std::uint32_t key) const;
  // The same for each key of a group.
  using Lists = std::array<std::span<const std::uint32_t>, classes>;
  [[nodiscard]] Lists lists_of(std::uint32_t group) const;
  // About how many rows have a key of the group: some more, never fewer.
  [[nodiscard]] std::size_t length_of(std::uint32_t group) const;
  void prefetch_bucket(std::uint32_t key) const { __builtin_prefetch(&buckets_[key >> bucket_shift_]); }
  void prefetch_keys(std::uint32_t key) const;
  [[nodiscard]] std::uint64_t size() const { return keys_.size(); }
  [[nodiscard]] const storage::ColumnFile& file() const { return file_; }
  // Verifies the checksums, the order, and that rows are in range.
  void verify() const;

 private:
  struct Range {
    std::size_t begin, end;
  };
  // The postings of keys with the same highest bits.
  [[nodiscard]] Range bucket_of(std::uint32_t key) const;
  // The first posting of a range whose key is at least this one; the range's end if there is none.
  [[nodiscard]] std::size_t first_from(std::uint32_t key, Range range) const;
  [[nodiscard]] std::size_t first_after(std::uint32_t key, Range range) const;
  [[nodiscard]] std::span<const std::uint32_t> rows_in(Range range) const;

  storage::ColumnFile file_;
  std::uint64_t rows_;
  std::span<const std::uint32_t> keys_, numbers_;
  std::span<const std::uint64_t> buckets_;  // where the postings of each begin, and the end
  unsigned bucket_shift_ = 0;
};

}  // namespace leitong::store
