#include "parquet/parquet_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "leitong/error.h"
#include "parquet/column_reader.h"
#include "parquet/context.h"

namespace leitong::parquet {
namespace {

constexpr std::size_t tail_size = 8;  // length of the footer, magic

std::string read_bytes(const storage::ReadableFile& file, std::uint64_t offset, std::uint64_t size) {
  std::string bytes(size, '\0');
  file.read(offset, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

void read_file_footer(ParquetFile& file) {
  const std::uint64_t size = file.bytes->size();
  if (size < 4 + tail_size) throw Error(ErrorCode::format, fmt::format("it has {} bytes, too few for a Parquet file", size));
  const std::string tail = read_bytes(*file.bytes, size - tail_size, tail_size);
  const std::string_view magic = std::string_view(tail).substr(4);
  if (magic == "PARE") throw Error(ErrorCode::unsupported, "it is an encrypted Parquet file: decrypt it first");
  if (magic != "PAR1")
    throw Error(ErrorCode::format, "it does not end as a Parquet file does: it is cut off, or was not closed by who wrote it");
  std::uint32_t length = 0;
  std::memcpy(&length, tail.data(), 4);
  if (length > size - 4 - tail_size)
    throw Error(ErrorCode::format, fmt::format("its footer of {} bytes would be larger than the file", length));
  if (length > file.limits.metadata_bytes) {
    throw Error(ErrorCode::limit, fmt::format("a footer of {} bytes; at most {} are read", length, file.limits.metadata_bytes));
  }
  file.data_end = size - tail_size - length;
  const std::string footer = read_bytes(*file.bytes, file.data_end, length);
  file.footer = read_footer(footer, file.data_end);
}

class ParquetRows final : public RowReader {
 public:
  ParquetRows(const ParquetFile& file, std::span<const std::uint64_t> starts, std::span<const std::uint32_t> leaves)
      : file_(file), starts_(starts) {
    for (const std::uint32_t leaf : leaves) {
      if (leaf >= file.footer.schema->leaf_count())
        throw Error(ErrorCode::usage, fmt::format("{}: there is no column {}", file.name, leaf));
      columns_.push_back(std::make_unique<ColumnReader>(file, leaf));
    }
  }

  bool next(Batch& batch, const BatchSize& size) override {
    batch = Batch{};
    if (row_ >= starts_.back()) return false;
    enter_group();
    auto rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::max(size.rows, 1U), starts_[group_ + 1] - row_));
    for (const auto& column : columns_) {
      column->skip_to(row_ - starts_[group_]);
      rows = std::min(rows, column->prepare(rows, std::max<std::uint64_t>(size.bytes, 1)));
    }
    batch.first_row = row_;
    batch.rows = rows;
    batch.group = static_cast<std::uint32_t>(group_);
    for (const auto& column : columns_) column->take(rows, batch.columns.emplace_back());
    row_ += rows;
    return true;
  }

  void seek(std::uint64_t row) override {
    if (row > starts_.back())
      throw Error(ErrorCode::usage, fmt::format("{}: there is no row {}, it has {}", file_.name, row, starts_.back()));
    if (row < row_) begun_ = false;
    row_ = row;
  }

 private:
  void enter_group() {
    const auto after = std::upper_bound(starts_.begin(), starts_.end() - 1, row_);  // empty groups begin where the next one does
    const auto group = static_cast<std::size_t>(after - starts_.begin()) - 1;
    if (begun_ && group == group_) return;
    group_ = group;
    begun_ = true;
    for (const auto& column : columns_) column->begin_group(static_cast<std::uint32_t>(group));
  }

  const ParquetFile& file_;
  std::span<const std::uint64_t> starts_;
  std::vector<std::unique_ptr<ColumnReader>> columns_;
  std::uint64_t row_ = 0;
  std::size_t group_ = 0;
  bool begun_ = false;
};

class ParquetTable final : public Table {
 public:
  explicit ParquetTable(ParquetFile file) : file_(std::move(file)) {
    std::uint64_t rows = 0;
    for (const RowGroup& group : file_.footer.groups) {
      starts_.push_back(rows);
      rows += group.rows;
    }
    starts_.push_back(rows);
  }

  [[nodiscard]] const Schema& schema() const override { return *file_.footer.schema; }
  [[nodiscard]] const KeyValues& metadata() const override { return file_.footer.metadata; }
  [[nodiscard]] std::span<const std::uint64_t> group_starts() const override { return starts_; }
  [[nodiscard]] std::uint64_t group_end_offset(std::size_t group) const override {
    std::uint64_t end = 0;
    for (const ColumnChunk& chunk : file_.footer.groups[group].columns) end = std::max(end, chunk.begin + chunk.packed_size);
    return end;
  }
  [[nodiscard]] std::unique_ptr<RowReader> read(std::span<const std::uint32_t> leaves) const override {
    return std::make_unique<ParquetRows>(file_, starts_, leaves);
  }

 private:
  ParquetFile file_;
  std::vector<std::uint64_t> starts_;
};

}  // namespace

std::unique_ptr<Table> open_parquet(std::shared_ptr<const storage::ReadableFile> file, std::string name, const Limits& limits) {
  ParquetFile opened{std::move(file), std::move(name), limits, {}, 0};
  in_context([&] { return opened.name; }, [&] { read_file_footer(opened); });
  return std::make_unique<ParquetTable>(std::move(opened));
}

}  // namespace leitong::parquet
