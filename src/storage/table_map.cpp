#include "storage/table_map.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

#include "leitong/error.h"

namespace leitong::storage {

TableMap::TableMap(Vfs& vfs, std::string path, std::string_view expected_kind, std::uint32_t newest_version)
    : path_(std::move(path)), file_(vfs.map(path_)), bytes_(file_->bytes()) {
  ParsedFile parsed;
  try {
    parsed = parse_file(
        bytes_.size(), [&](std::uint64_t offset, std::span<std::byte> out) { std::memcpy(out.data(), bytes_.data() + offset, out.size()); },
        path_);
  } catch (const Error&) {
    require_readable();
    throw;
  }
  footer_ = std::move(parsed.footer);
  identity_ = std::move(parsed.identity);
  check_kind(footer_.schema, expected_kind, newest_version, path_);
  first_rows_.assign(1, 0);
  for (const std::uint32_t rows : footer_.block_rows) first_rows_.push_back(first_rows_.back() + rows);
  const auto& blocks = footer_.block_rows;
  if (!blocks.empty() && std::all_of(blocks.begin(), blocks.end() - 1, [&](std::uint32_t rows) { return rows == blocks.front(); }))
    equal_ = blocks.front();
  verified_ = VerifiedParts(footer_.chunks.size());
  require_readable();
}

// What cannot be read is zeros in the map, and is not damaged.
void TableMap::damaged(const Chunk& part, std::string_view what, std::size_t column) const {
  require_readable();
  broken(path_, part.offset, fmt::format("{} in column {}", what, footer_.schema.columns[column].name));
}

std::ptrdiff_t TableMap::find_column(std::string_view name) const {
  const auto& columns = footer_.schema.columns;
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  return found == columns.end() ? -1 : found - columns.begin();
}

std::size_t TableMap::column(std::string_view name) const {
  const std::ptrdiff_t found = find_column(name);
  if (found < 0)
    throw Error(ErrorCode::format, fmt::format("{}: the table of kind '{}' has no column '{}'", path_, footer_.schema.kind, name));
  return static_cast<std::size_t>(found);
}

TableMap::Place TableMap::place(std::uint64_t row) const {
  if (equal_ != 0) return {static_cast<std::size_t>(row / equal_), static_cast<std::uint32_t>(row % equal_)};
  const auto after = std::upper_bound(first_rows_.begin(), first_rows_.end(), row);
  return {static_cast<std::size_t>(after - first_rows_.begin() - 1), static_cast<std::uint32_t>(row - *(after - 1))};
}

std::string_view TableMap::text(std::size_t column, Place at) const {
  touch(column, at.block);
  const Chunk& part = chunk(column, at.block);
  const std::uint64_t head = (std::uint64_t{footer_.block_rows[at.block]} + 1) * sizeof(std::uint32_t);
  std::uint32_t ends[2];
  std::memcpy(ends, bytes_.data() + part.offset + std::size_t{at.row} * sizeof(std::uint32_t), sizeof ends);
  if (ends[0] > ends[1] || ends[1] > part.length - head) damaged(part, "the ends of the rows are out of order", column);
  return {reinterpret_cast<const char*>(bytes_.data() + part.offset + head + ends[0]), ends[1] - ends[0]};
}

void TableMap::verify_chunk(std::size_t number) const {
  const Chunk& part = footer_.chunks[number];
  if (XXH3_64bits(bytes_.data() + part.offset, static_cast<std::size_t>(part.length)) != part.checksum)
    damaged(part, "the checksum differs", number % footer_.schema.columns.size());
  require_readable();  // zeros in place of zeros have a good one
  verified_.add(number);
}

void TableMap::verify() const {
  const std::size_t columns = footer_.schema.columns.size();
  for (std::size_t i = 0; i < footer_.chunks.size(); ++i) {
    verify_chunk(i);
    if (footer_.schema.columns[i % columns].width == 0) {
      for (std::uint32_t row = 0; row < footer_.block_rows[i / columns]; ++row) (void)text(i % columns, {i / columns, row});
    }
  }
  require_readable();
}

void TableMap::require_readable() const { file_->require_readable(); }

}  // namespace leitong::storage
