// Rows of a table file in memory, column by column.

#include <fmt/format.h>

#include <algorithm>

#include "leitong/error.h"
#include "storage/table.h"

namespace leitong::storage {

Block::Block(const Schema& schema) {
  data_.resize(schema.columns.size());
  for (std::size_t c = 0; c < data_.size(); ++c) data_[c].width = schema.columns[c].width;
}

void Block::clear() {
  for (Data& data : data_) {
    data.bytes.clear();
    data.ends.clear();
  }
  was_read_ = false;
}

void Block::reserve(std::size_t rows) {
  for (Data& data : data_) {
    if (data.width != 0)
      data.bytes.reserve(rows * data.width);
    else
      data.ends.reserve(rows);
  }
}

std::size_t Block::rows() const {
  if (was_read_) return read_rows_;
  std::size_t rows = data_.empty() ? 0 : SIZE_MAX;
  for (const Data& data : data_) rows = std::min(rows, data.width != 0 ? data.bytes.size() / data.width : data.ends.size());
  return rows;
}

void Block::wrong_width(std::size_t column, std::size_t width) const {
  throw Error(ErrorCode::usage,
              fmt::format("table column {} takes {} bytes a row (0: any number), not {}", column, data_[column].width, width));
}

void Block::put_bytes(std::size_t column, std::span<const std::byte> value) {
  Data& data = data_[column];
  if (data.width != 0) {
    append_fixed(column, value.data(), value.size(), value.size());
    return;
  }
  if (value.size() > UINT32_MAX - data.bytes.size())
    throw Error(ErrorCode::limit,
                fmt::format("table column {}: a block holds at most 4 GiB of a variable column; append it earlier", column));
  data.bytes.insert(data.bytes.end(), value.begin(), value.end());
  data.ends.push_back(static_cast<std::uint32_t>(data.bytes.size()));
}

void Block::put_text(std::size_t column, std::string_view value) { put_bytes(column, std::as_bytes(std::span(value))); }

void Block::append_row(const Block& from, std::size_t row) {
  for (std::size_t c = 0; c < data_.size(); ++c) {
    const Data& data = from.data_[c];
    const std::size_t present = data.width != 0 ? data.bytes.size() / data.width : data.ends.size();
    if (row >= present) throw Error(ErrorCode::usage, fmt::format("table column {} has no row {} to copy", c, row));
    if (data.width != 0)
      put_bytes(c, std::span(data.bytes).subspan(row * data.width, data.width));
    else
      put_text(c, from.text(c, row));
  }
}

std::span<const std::byte> Block::raw(std::size_t column) const { return data_[column].bytes; }

std::string_view Block::text(std::size_t column, std::size_t row) const {
  const Data& data = data_[column];
  const std::uint32_t begin = row == 0 ? 0 : data.ends[row - 1];
  return {reinterpret_cast<const char*>(data.bytes.data()) + begin, data.ends[row] - begin};
}

}  // namespace leitong::storage
