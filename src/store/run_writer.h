// Writes rows, sorted by (key, id), to the files of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/table.h"
#include "storage/vfs.h"
#include "store/postings.h"
#include "store/row.h"

namespace leitong::store {

// What the writer must know before the first row.
struct RunRange {
  std::uint64_t first_sequence = 0, last_sequence = 0;  // bounds of the rows' sequence numbers
  bool flags = false;                                   // whether rows may have flags other than `fingerprint`
};

// Memory: 8 bytes for each row and word; 8 more for each row if some have no fingerprint; 12 for each key; and in finish() what building an
// index needs, about 60 bytes a row at 64 bits.
class RunWriter {
 public:
  RunWriter(storage::Vfs& vfs, const std::string& directory, std::uint64_t number, const Shape& shape, const KeysOf& keys_of,
            const RunRange& range);
  void append(const Row& row);
  // When this returns, all files are durable under their names. If it is not called, no file is left.
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
  std::vector<std::uint64_t> values_, numbers_;  // of rows with a fingerprint; numbers_ is empty as long as they are 0, 1, 2, ...
};

}  // namespace leitong::store
