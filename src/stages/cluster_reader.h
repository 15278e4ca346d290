// Reads the rows of a cluster file in order, holding one block in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/report_data.h"  // ClusterRow
#include "storage/table.h"

namespace leitong::stages {

class ClusterReader {
 public:
  // `rows`: the number of rows of the sketch files. The constructor and next() throw Error(format) if a row is out of that range or not
  // ascending.
  ClusterReader(const storage::TableReader& table, std::uint64_t rows) : table_(table), rows_(rows), block_(table.schema()) { next(); }
  // The current row; null at the end.
  [[nodiscard]] const ClusterRow* head() const { return at_end_ ? nullptr : &head_; }
  void next();

 private:
  bool read_block();

  const storage::TableReader& table_;
  std::uint64_t rows_;
  storage::Block block_;
  ClusterRow head_;
  std::size_t next_block_ = 0, at_ = 0, block_rows_ = 0;
  bool at_end_ = false;
};

}  // namespace leitong::stages
