// The pairs of an overlap by where they come from: sources of B by sources of A, and the best pairs of each cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "passages/overlap_pairs.h"
#include "passages/overlap_side.h"
#include "report/report.h"

namespace leitong::passages {

struct OverlapShares {
  std::uint64_t contained = 0, partial = 0;  // records of B
};

class OverlapMatrix {
 public:
  struct Cell {
    OverlapShares shares;
    std::vector<OverlapPair> best;  // of different records of B, the best first
  };

  OverlapMatrix(const OverlapSide& a, const OverlapSide& b, double contained);
  // By record of B.
  void add(const OverlapPair& pair);
  // After the last one.
  void finish() { close(); }

  [[nodiscard]] bool is_contained(const OverlapPair& pair) const { return pair.contained() >= contained_; }
  [[nodiscard]] const OverlapShares& total() const { return total_; }
  [[nodiscard]] const std::vector<OverlapShares>& of_sources() const { return of_sources_; }  // of B
  // Sources as rows (B) and columns (A), as in source_rows.
  [[nodiscard]] const std::vector<report::Source>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<report::Source>& columns() const { return columns_; }
  [[nodiscard]] std::size_t row_of(std::size_t source) const { return row_of_.at(source); }
  [[nodiscard]] std::size_t column_of(std::size_t source) const { return column_of_.at(source); }
  [[nodiscard]] const Cell& cell(std::size_t row, std::size_t column) const { return cells_.at(row * columns_.size() + column); }
  [[nodiscard]] const std::vector<OverlapShares>& of_rows() const { return of_rows_; }
  // The best pairs of all cells, at most `most`: no cell has two before every cell has one.
  [[nodiscard]] std::vector<OverlapPair> samples(std::size_t most) const;

 private:
  void close();
  void offer(Cell& cell, const OverlapPair& pair) const;
  static void count(OverlapShares& shares, bool contained) { ++(contained ? shares.contained : shares.partial); }

  double contained_;
  std::vector<std::size_t> row_of_, column_of_;  // filled with the next two, so they stand before them
  std::vector<report::Source> rows_, columns_;
  std::vector<Cell> cells_;
  std::vector<OverlapShares> of_sources_, of_rows_;
  OverlapShares total_;
  std::map<std::size_t, OverlapPair> group_;  // of the current record of B: its best pair in each column
};

}  // namespace leitong::passages
