// A small table of every kind of column, whose contents follow from the row numbers. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "storage/table.h"

namespace leitong::storage {

inline Schema sample_schema(std::uint32_t rows_per_block = 7) {
  return {.kind = "sketch",
          .version = 3,
          .columns = {{"id", 0}, {"band", 4}, {"hash", 8}, {"note", 0}, {"wide", 40}},
          .rows_per_block = rows_per_block};
}

inline std::string sample_text(std::uint64_t row) { return std::string(row * 7 % 23, static_cast<char>('a' + row % 26)); }
inline std::string sample_wide(std::uint64_t row) { return std::string(40, static_cast<char>('A' + row % 26)); }

inline void put_sample(Block& block, std::uint64_t row) {
  block.put_text(0, sample_text(row));
  block.put<std::uint32_t>(1, static_cast<std::uint32_t>(row * 2654435761U));
  block.put<std::uint64_t>(2, row * 0x9E3779B97F4A7C15U);
  block.put_text(3, row % 3 == 0 ? "" : "雷同");
  block.put_text(4, sample_wide(row));
}

// Rows [first, first + rows) in blocks of `call` rows a call. Returns the identity.
inline std::string write_sample(Vfs& vfs, const std::string& path, std::uint64_t rows, std::uint32_t rows_per_block = 7,
                                std::uint64_t call = 5, std::uint64_t first = 0) {
  const Schema schema = sample_schema(rows_per_block);
  TableWriter writer(vfs, path, schema);
  Block block(schema);
  for (std::uint64_t row = first; row < first + rows; ++row) {
    put_sample(block, row);
    if (block.rows() == call) {
      writer.append(block);
      block.clear();
    }
  }
  writer.append(block);
  return writer.finish(R"({"made":"by a test"})");
}

inline void expect_sample(const TableReader& table, std::uint64_t rows, std::uint64_t first = 0) {
  ASSERT_EQ(table.rows(), rows);
  EXPECT_EQ(table.metadata(), R"({"made":"by a test"})");
  Block block(table.schema());
  const std::size_t all[] = {0, 1, 2, 3, 4};
  for (std::size_t b = 0; b < table.blocks(); ++b) {
    table.read_block(b, all, block);
    ASSERT_EQ(block.rows(), table.block_rows(b));
    for (std::size_t r = 0; r < block.rows(); ++r) {
      const std::uint64_t row = first + table.first_row(b) + r;
      ASSERT_EQ(block.text(0, r), sample_text(row));
      ASSERT_EQ(block.column<std::uint32_t>(1)[r], static_cast<std::uint32_t>(row * 2654435761U));
      ASSERT_EQ(block.column<std::uint64_t>(2)[r], row * 0x9E3779B97F4A7C15U);
      ASSERT_EQ(block.text(3, r), row % 3 == 0 ? "" : "雷同");
      const auto wide = block.raw(4).subspan(r * 40, 40);
      ASSERT_EQ(std::string_view(reinterpret_cast<const char*>(wide.data()), 40), sample_wide(row));
    }
  }
}

}  // namespace leitong::storage
