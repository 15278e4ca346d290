// Batches of a table that stands in memory: ranges of its rows, whose values are looked up where they are asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "records/columns.h"

namespace leitong::records {

struct RowLookup {
  std::vector<ColumnType> types;
  std::uint64_t rows = 0, bytes = 0;  // of the table
  // Replaces the values: those of so many rows from `first` on. Any thread; holds the table.
  std::function<void(std::uint64_t first, std::uint32_t rows, ColumnValues& out)> read;
};

class RowRange final : public ColumnBatch {
 public:
  RowRange(std::shared_ptr<const RowLookup> lookup, std::uint64_t first, std::uint32_t rows)
      : lookup_(std::move(lookup)), first_(first), rows_(rows) {}
  [[nodiscard]] std::uint64_t first_row() const override { return first_; }
  [[nodiscard]] std::uint32_t rows() const override { return rows_; }
  [[nodiscard]] const std::vector<ColumnType>& types() const override { return lookup_->types; }
  void read(ColumnValues& out) const override { lookup_->read(first_, rows_, out); }

 private:
  std::shared_ptr<const RowLookup> lookup_;
  std::uint64_t first_;
  std::uint32_t rows_;
};

// As many rows at a time as take so many bytes on the average.
class RangeReader final : public ColumnReader {
 public:
  explicit RangeReader(RowLookup lookup) : lookup_(std::make_shared<RowLookup>(std::move(lookup))) {}
  [[nodiscard]] const std::vector<ColumnType>& types() const override { return lookup_->types; }
  std::shared_ptr<const ColumnBatch> next(std::uint32_t most_rows, std::size_t bytes) override {
    if (next_ >= lookup_->rows) return nullptr;
    const double a_row = static_cast<double>(lookup_->bytes) / static_cast<double>(lookup_->rows) + 1;
    const auto fit = static_cast<std::uint64_t>(static_cast<double>(bytes) / a_row) + 1;
    const auto rows = static_cast<std::uint32_t>(std::min({fit, std::uint64_t{most_rows}, lookup_->rows - next_}));
    return std::make_shared<RowRange>(lookup_, std::exchange(next_, next_ + rows), rows);
  }
  void seek(std::uint64_t row) override { next_ = row; }
  [[nodiscard]] std::uint64_t taken() const override {
    const std::uint64_t rows = lookup_->rows;
    return rows == 0 ? 0
                     : static_cast<std::uint64_t>(static_cast<double>(lookup_->bytes) / static_cast<double>(rows) *
                                                  static_cast<double>(std::min(next_, rows)));
  }

 private:
  std::shared_ptr<const RowLookup> lookup_;
  std::uint64_t next_ = 0;
};

}  // namespace leitong::records
