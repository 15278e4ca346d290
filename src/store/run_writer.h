// Rows in order of (key, id) to the two files of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/table.h"
#include "storage/vfs.h"
#include "store/postings.h"
#include "store/row.h"

namespace leitong::store {

// What must be known before the first row.
struct RunRange {
  std::uint64_t first_sequence = 0, last_sequence = 0;  // that rows may have
  bool flags = false;                                   // whether rows may have other flags than a fingerprint's
};

// Memory: 8 bytes a row and word, 8 more if there are rows without a fingerprint, 12 a key, and in finish() what building an index takes:
// at 64 bits some 60 bytes a row.
class RunWriter {
 public:
  RunWriter(storage::Vfs& vfs, const std::string& directory, std::uint64_t number, const Shape& shape, const KeysOf& keys_of,
            const RunRange& range);
  void append(const Row& row);
  // Both files stand under their names, durable, when this returns. Without it, nothing is left of them.
  void finish(unsigned threads);
  [[nodiscard]] std::uint64_t rows() const { return rows_; }

 private:
  void flush();

  storage::Vfs& vfs_;
  std::string directory_;
  std::uint64_t number_;
  Shape shape_;
  KeysOf keys_of_;
  RunRange range_;
  bool wide_;
  storage::Schema schema_;
  storage::TableWriter table_;
  storage::Block block_;
  std::uint64_t rows_ = 0, erased_ = 0, block_bytes_ = 0;
  std::vector<std::uint64_t> postings_;
  std::vector<std::uint32_t> row_keys_;
  std::vector<std::uint64_t> values_, numbers_;  // of rows with a fingerprint; numbers_ is empty while they are 0, 1, 2, ...
};

}  // namespace leitong::store
