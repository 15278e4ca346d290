// One column of a Parquet file: levels and values of consecutive rows, row group by row group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parquet/column.h"
#include "parquet/pages.h"
#include "parquet/rle.h"
#include "parquet/values.h"

namespace leitong::parquet {

// Rows are made ready, as many as are asked for, and taken, perhaps fewer: so that columns whose pages and bytes differ give equal rows.
// Error contexts name the file, row group, column and the offset of the page.
class ColumnReader {
 public:
  ColumnReader(const ParquetFile& file, std::uint32_t leaf);

  void begin_group(std::uint32_t group);
  // At most `rows` (which the group must still have), fewer where strings reach `bytes` before; at least one. Gives their number.
  std::uint32_t prepare(std::uint32_t rows, std::uint64_t bytes);
  void take(std::uint32_t rows, Column& out);  // of those that are prepared
  void skip_to(std::uint64_t row);             // in the group, not before the next one

 private:
  struct Held {  // memory that entries of ready_ from `first` up to `end` point to
    std::size_t first = 0, end = 0;
    Owner owner;
  };

  [[nodiscard]] std::string where() const;
  [[nodiscard]] bool is_flat() const { return node_.repetition_level == 0; }
  [[nodiscard]] bool at_end() const;
  [[nodiscard]] std::size_t complete_rows();
  [[nodiscard]] std::uint32_t rows_up_to(std::size_t rows, std::uint64_t bytes) const;
  void fill(std::size_t rows, std::uint64_t bytes);
  bool open_page();  // the next one that has entries; false: there is none
  void load_dictionary();
  void load_page();
  std::string_view level_bytes(std::string_view& rest, Encoding encoding, unsigned bits) const;
  void decode(std::size_t entries);
  std::size_t decode_levels(std::size_t base, std::size_t count);
  void decode_values(std::size_t base, std::size_t count, std::size_t present);
  void discard(std::size_t entries);
  void drop(std::size_t rows);
  void hold(std::size_t first, std::size_t end, Owner owner);
  void give_owners(std::size_t entries, Column& out);
  void skip_flat(std::uint64_t row);
  void skip_nested(std::uint64_t row);
  void jump(std::uint64_t row);
  void clear_ready();
  const std::vector<PageLocation>& locations();

  const ParquetFile& file_;
  const Node& node_;
  std::uint32_t leaf_;
  std::uint32_t group_ = 0;
  const ColumnChunk* chunk_ = nullptr;
  PageReader pages_;
  std::optional<std::vector<PageLocation>> locations_;
  std::optional<std::uint64_t> entries_left_;  // in pages to come; or, after a jump in a nested column,
  std::size_t pages_left_ = 0;                 // their number
  bool pages_end_rows_ = false;                // no row goes on in another page

  Dictionary dictionary_;
  bool has_dictionary_ = false;
  std::shared_ptr<const Page> page_;
  std::size_t page_left_ = 0;  // entries of the page at hand
  RleReader repetition_, definition_;
  std::unique_ptr<ValueReader> values_;

  Column ready_;  // row_starts without the end
  std::vector<Held> held_;
  std::uint64_t ready_row_ = 0;  // of its first row in the group
  std::vector<std::uint8_t> scratch_;
};

}  // namespace leitong::parquet
