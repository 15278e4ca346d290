// Table file: the one file format of Leitong. An immutable, checksummed table of rows in blocks; inside a block each column stands
// together. Sketch, pair, edge and cluster files are tables of different kinds. docs/file-format.md specifies the bytes.
//
// Writing: the file is written as PATH.tmp, synced, renamed to PATH, its directory synced; so a file named PATH is whole or rotten, never
// half. Reading: open() verifies magic, version, footer and every offset against the file's size; each column chunk's checksum is verified
// when it is read. Corrupt bytes are Error(format) naming file, offset and what to do; never undefined behaviour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "storage/vfs.h"

namespace leitong::storage {

struct Column {
  std::string name;
  std::uint32_t width = 0;  // bytes a row; 0: variable (byte strings)
  friend bool operator==(const Column&, const Column&) = default;
};

struct Schema {
  std::string kind;           // "sketch", "pairs", "edges", "clusters"
  std::uint32_t version = 1;  // of the kind
  std::vector<Column> columns;
  std::uint32_t rows_per_block = 16384;
  std::uint32_t text_per_block =
      1U << 30;  // the writer ends a block early when a variable column would hold more bytes; not kept in the file
};

// One block in memory, reused. Fixed column c: rows × width bytes. Variable column: rows + 1 little-endian u32 ends, then bytes.
class Block {
 public:
  explicit Block(const Schema& schema);
  void clear();
  void reserve(std::size_t rows);  // of the fixed columns
  // Rows of the shortest column (writers fill every column of a row); after read_block(), the rows of that block.
  [[nodiscard]] std::size_t rows() const;
  template <typename T>
  void put(std::size_t column, T value);  // fixed column, sizeof(T) == width
  template <typename T>
  void put_all(std::size_t column, std::span<const T> values);           // many rows of a fixed column at once, sizeof(T) == width
  void put_bytes(std::size_t column, std::span<const std::byte> value);  // fixed (size == width) or variable column, at most 4 GiB in all
  void put_text(std::size_t column, std::string_view value);
  // Appends row `row` of `from` (same schema).
  void append_row(const Block& from, std::size_t row);
  // fixed columns
  template <typename T>
  [[nodiscard]] std::span<const T> column(std::size_t column) const;
  [[nodiscard]] std::span<const std::byte> raw(std::size_t column) const;
  // variable columns
  [[nodiscard]] std::string_view text(std::size_t column, std::size_t row) const;

 private:
  friend class TableWriter;
  friend class TableReader;
  struct Data {
    std::uint32_t width = 0;
    std::vector<std::byte> bytes;
    std::vector<std::uint32_t> ends;  // variable columns: end of each row in bytes
  };
  [[noreturn]] void wrong_width(std::size_t column, std::size_t width) const;
  void append_fixed(std::size_t column, const void* bytes, std::size_t size, std::size_t width);
  std::vector<Data> data_;
  bool was_read_ = false;  // filled by read_block(), perhaps not in every column
  std::size_t read_rows_ = 0;
};

class TableWriter {
 public:
  TableWriter(Vfs& vfs, std::string path, Schema schema);
  ~TableWriter();  // without finish(): the temporary file is removed
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;
  // Takes blocks of any number of rows, every column filled; the file's blocks hold rows_per_block rows (the last one fewer), whatever the
  // calls were.
  void append(const Block& block);
  // `metadata`: JSON, the kind's own. Returns the file's identity: 32 hex digits of a hash of its footer, which covers all checksums.
  std::string finish(std::string_view metadata);
  [[nodiscard]] std::uint64_t rows() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Thread-safe for reading. An empty `expected_kind` accepts every kind.
class TableReader {
 public:
  TableReader(Vfs& vfs, std::string path, std::string_view expected_kind, std::uint32_t newest_version);
  ~TableReader();
  TableReader(TableReader&&) noexcept;

  [[nodiscard]] const Schema& schema() const;
  [[nodiscard]] const std::string& metadata() const;
  [[nodiscard]] const std::string& identity() const;
  [[nodiscard]] const std::string& path() const;
  [[nodiscard]] std::uint64_t rows() const;
  [[nodiscard]] std::size_t blocks() const;
  [[nodiscard]] std::uint64_t first_row(std::size_t block) const;
  [[nodiscard]] std::uint32_t block_rows(std::size_t block) const;
  // Index of a column; Error(format) if there is none.
  [[nodiscard]] std::size_t column(std::string_view name) const;
  [[nodiscard]] bool has_column(std::string_view name) const;
  // One fixed column of one block into `out` (block_rows × width bytes), checksum verified.
  void read_column(std::size_t column, std::size_t block, std::span<std::byte> out) const;
  // One fixed column of all rows, for small columns. sizeof(T) == width.
  template <typename T>
  [[nodiscard]] std::vector<T> read_all(std::string_view name) const;
  // The listed columns of one block; the others stay empty.
  void read_block(std::size_t block, std::span<const std::size_t> columns, Block& out) const;
  // Reads every chunk and verifies it.
  void check() const;

 private:
  void require_width(std::size_t column, std::size_t width) const;  // else Error(format)
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// template definitions

template <typename T>
void Block::put(std::size_t column, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  append_fixed(column, &value, sizeof(T), sizeof(T));
}

template <typename T>
void Block::put_all(std::size_t column, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  append_fixed(column, values.data(), values.size_bytes(), sizeof(T));
}

inline void Block::append_fixed(std::size_t column, const void* bytes, std::size_t size, std::size_t width) {
  Data& data = data_[column];
  if (data.width != width) wrong_width(column, width);
  const std::size_t at = data.bytes.size();
  data.bytes.resize(at + size);
  if (size != 0) std::memcpy(data.bytes.data() + at, bytes, size);
}

template <typename T>
std::span<const T> Block::column(std::size_t column) const {
  const auto bytes = raw(column);
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <typename T>
std::vector<T> TableReader::read_all(std::string_view name) const {
  const std::size_t c = column(name);
  require_width(c, sizeof(T));
  std::vector<T> all(rows());
  for (std::size_t b = 0; b < blocks(); ++b)
    read_column(c, b, std::as_writable_bytes(std::span<T>(all).subspan(first_row(b), block_rows(b))));
  return all;
}

}  // namespace leitong::storage
