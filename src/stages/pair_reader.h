// Reads a pair or edge file: all rows in order, with one block in memory, or a single row by binary search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "stages/stages.h"
#include "storage/table.h"

namespace leitong::stages {

struct PairRow {
  std::uint32_t a = 0, b = 0;
  PairKind kind = PairKind::equal;
  float value = 0;
};

// One block of the file.
class PairBlock {
 public:
  explicit PairBlock(const storage::TableReader& table) : table_(table), block_(table.schema()) {}
  void read(std::size_t number);
  [[nodiscard]] std::size_t rows() const { return a_.size(); }
  [[nodiscard]] PairRow operator[](std::size_t i) const { return {a_[i], b_[i], static_cast<PairKind>(kind_[i]), value_[i]}; }

 private:
  const storage::TableReader& table_;
  storage::Block block_;
  std::span<const std::uint32_t> a_, b_;
  std::span<const std::uint8_t> kind_;
  std::span<const float> value_;
};

// Iterates over the rows, ascending by (a, b). The caller must check that the row numbers are in range. Keeps a reference to `table`.
class PairRows {
 public:
  explicit PairRows(const storage::TableReader& table) : table_(table), block_(table) {}
  [[nodiscard]] bool next(PairRow& row) {  // false at the end
    while (at_ == block_.rows()) {
      if (next_block_ == table_.blocks()) return false;
      block_.read(next_block_++);
      at_ = 0;
    }
    row = block_[at_++];
    return true;
  }

 private:
  const storage::TableReader& table_;
  PairBlock block_;
  std::size_t next_block_ = 0, at_ = 0;
};

// Calls visit(PairRow) for every row, ascending by (a, b), and `before_block` before each block. Throws Error(format) if a pair names a row
// beyond the `rows` of its sketch files.
void for_each_pair(const storage::TableReader& table, std::uint64_t rows, const std::function<void()>& before_block,
                   const std::function<void(const PairRow&)>& visit);

// Finds the row of the pair a < b by binary search over the blocks.
[[nodiscard]] std::optional<PairRow> find_pair(const storage::TableReader& table, std::uint32_t a, std::uint32_t b);

}  // namespace leitong::stages
