// One leaf of Arrow's arrays as a column with levels.
#pragma once

#include <cstdint>
#include <vector>

#include "parquet/arrow_array.h"
#include "parquet/column.h"

namespace leitong::parquet {

class ArrowColumn {
 public:
  ArrowColumn(const ArrowSchema& schema, std::uint32_t leaf);
  [[nodiscard]] std::size_t field() const { return field_; }  // of the schema, that the leaf belongs to
  [[nodiscard]] const ArrowField& leaf_field() const { return *path_.back(); }

  // Rows from `row` on, at most `rows`, fewer where their strings reach `bytes`; gives their number. Error(format) for offsets that lead
  // out of their arrays.
  std::uint32_t read(const ArrowBatch& batch, const ArrowDictionaries& dictionaries, std::uint64_t row, std::uint32_t rows,
                     std::uint64_t bytes, const Limits& limits, Column& out);

 private:
  void element(const ArrowArray& array, std::size_t depth, std::uint64_t i, std::uint8_t repetition);
  void elements(const ArrowArray& array, std::size_t depth, std::uint64_t i, std::uint8_t repetition);
  void nothing(std::uint8_t definition, std::uint8_t repetition);
  void value(const ArrowArray& array, std::uint64_t i, std::uint8_t repetition);
  void levels(std::uint8_t definition, std::uint8_t repetition);
  void put(const ArrowField& field, const ArrowArray& array, std::uint64_t i);
  [[nodiscard]] std::string_view string_at(const ArrowField& field, const ArrowArray& array, std::uint64_t i) const;
  void put_fixed(const ArrowField& field, const ArrowArray& array, std::uint64_t i);

  const Node& node_;
  std::uint32_t leaf_;
  std::size_t field_ = 0;
  std::vector<const ArrowField*> path_;
  ArrowField values_field_;  // of the dictionary, if there is one

  // While it reads.
  Column* out_ = nullptr;
  const ArrowDictionary* dictionary_ = nullptr;
  std::uint64_t most_entries_ = 0, most_bytes_ = 0;
};

// Keeps the first `rows`.
void truncate(Column& column, const Node& leaf, std::uint32_t rows);

}  // namespace leitong::parquet
