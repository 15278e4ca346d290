// Postings: for each key, the rows of a run that have it. Keys are 32-bit hashes that the store's owner computes from a row (bands of a
// MinHash, features of a short text); rows that share a key may be similar. docs/file-format.md ("Store", "Key files") specifies the bytes.
#pragma once

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

// Appends the keys of a row in any order; an erasing row has none. Must depend on the row's `sketch` only.
using KeysOf = std::function<void(const Row& row, std::vector<std::uint32_t>& keys)>;

// `postings`: key << 32 | row, in any order; the function sorts them.
void write_postings(storage::Vfs& vfs, const std::string& path, std::vector<std::uint64_t>& postings);

// Thread-safe for reading.
class Postings {
 public:
  Postings(storage::Vfs& vfs, const std::string& path, std::uint64_t rows);
  // The rows that have the key, ascending. Costs a few cache misses, because keys are evenly distributed.
  [[nodiscard]] std::span<const std::uint32_t> rows_of(std::uint32_t key) const;
  [[nodiscard]] std::uint64_t size() const { return keys_.size(); }
  [[nodiscard]] const storage::ColumnFile& file() const { return file_; }
  // Verifies the checksums, the order, and that rows are in range.
  void verify() const;

 private:
  [[nodiscard]] std::uint32_t key(std::size_t at) const {
    file_.touch(keys_.data() + at, 1);
    return keys_[at];
  }
  // The first posting in [low, high) whose key is at least (or greater than) the given one; `high` if there is none.
  [[nodiscard]] std::size_t first_from(std::uint32_t key, std::size_t low, std::size_t high) const;
  [[nodiscard]] std::size_t first_after(std::uint32_t key, std::size_t low, std::size_t high) const;

  storage::ColumnFile file_;
  std::uint64_t rows_;
  std::span<const std::uint32_t> keys_, numbers_;
};

}  // namespace leitong::store
