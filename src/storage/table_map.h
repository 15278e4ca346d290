// A table file mapped into memory: any value of any row without reading a block. For tables that are looked up row by row.
//
// Opening verifies header, trailer and footer as TableReader does. A chunk is compared with its checksum when a value of it is first read,
// once: Error(format).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/table.h"
#include "storage/table_format.h"
#include "storage/verified_parts.h"
#include "storage/vfs.h"

namespace leitong::storage {

// Thread-safe for reading, without waiting.
class TableMap {
 public:
  TableMap(Vfs& vfs, std::string path, std::string_view expected_kind, std::uint32_t newest_version);

  [[nodiscard]] const Schema& schema() const { return footer_.schema; }
  [[nodiscard]] const std::string& metadata() const { return footer_.metadata; }
  [[nodiscard]] const std::string& identity() const { return identity_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t rows() const { return footer_.rows; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> file() const { return bytes_; }  // the whole of it
  // Index of a column; none: Error(format), or -1 by find_column.
  [[nodiscard]] std::size_t column(std::string_view name) const;
  [[nodiscard]] std::ptrdiff_t find_column(std::string_view name) const;

  // Block of a row, and the row in it. O(1) where blocks are equally long, else O(log blocks).
  struct Place {
    std::size_t block;
    std::uint32_t row;
  };
  [[nodiscard]] Place place(std::uint64_t row) const;
  // The bytes of one row of a fixed column.
  [[nodiscard]] const std::byte* fixed(std::size_t column, Place at) const {
    touch(column, at.block);
    return address(column, at);
  }
  // Asks for the memory of a fixed column's row, and for nothing else.
  void prefetch(std::size_t column, Place at) const { __builtin_prefetch(address(column, at)); }
  template <typename T>
  [[nodiscard]] T value(std::size_t column, Place at) const {
    T value;
    std::memcpy(&value, fixed(column, at), sizeof(T));
    return value;
  }
  // Of a variable column. Error(format) if the row's ends are out of order.
  [[nodiscard]] std::string_view text(std::size_t column, Place at) const;

  // Compares every chunk with its checksum, whether that was done before or not: Error(format).
  void verify() const;
  // Error(io) if a read fault was met in the mapping so far.
  void require_readable() const;

 private:
  [[noreturn]] void damaged(const Chunk& part, std::string_view what, std::size_t column) const;
  [[nodiscard]] std::size_t chunk_number(std::size_t column, std::size_t block) const {
    return block * footer_.schema.columns.size() + column;
  }
  [[nodiscard]] const Chunk& chunk(std::size_t column, std::size_t block) const { return footer_.chunks[chunk_number(column, block)]; }
  [[nodiscard]] const std::byte* address(std::size_t column, Place at) const {
    return bytes_.data() + chunk(column, at.block).offset + std::size_t{at.row} * footer_.schema.columns[column].width;
  }
  void touch(std::size_t column, std::size_t block) const {
    if (const std::size_t number = chunk_number(column, block); !verified_.has(number)) [[unlikely]]
      verify_chunk(number);
  }
  void verify_chunk(std::size_t number) const;

  std::string path_, identity_;
  std::unique_ptr<MappedFile> file_;
  std::span<const std::byte> bytes_;
  Footer footer_;
  std::vector<std::uint64_t> first_rows_;  // of each block, and the number of rows
  std::uint32_t equal_ = 0;                // rows of every block but the last; 0: they differ
  VerifiedParts verified_;                 // chunks
};

}  // namespace leitong::storage
