// The columns of a HalfIndex in a file, and the checks that keep damaged ones from leading outside of it.
#include "hamming/half_index.h"
#include "hamming/hamming.h"
#include "hamming/index_run.h"

namespace leitong::hamming {
namespace {

// Columns by number from the first.
enum Columns : std::uint64_t {
  shape_column,
  payload_column,
  low_halves_column,
  filters_column,
  bases_column = filters_column + 4,
  offsets_column = bases_column + 4
};

}  // namespace

void HalfIndex::write(storage::ColumnFileWriter& file, std::uint64_t first) const {
  const bool wide = shape_.wide_directory != 0;
  touch_rows(0, shape_.rows);  // lest a rotten byte of a mapped file get a good checksum
  for (const Table& table : tables_) touch(table.filters, shape_.rows);
  touch(low_halves_, shape_.rows);
  file.add(first + shape_column, &shape_, 1);
  for (unsigned t = 0; t < tables; ++t) {
    file.add(first + bases_column + t, tables_[t].directory.bases, wide ? groups() + 1 : (groups() >> 4) + 1);
    if (!wide) file.add(first + offsets_column + t, tables_[t].directory.offsets, groups() + 1);
  }
  for (unsigned t = 0; t < tables; ++t) file.add(first + filters_column + t, tables_[t].filters, shape_.rows);
  file.add(first + payload_column, payload_, std::size_t{shape_.rows} * stride_);
  file.add(first + low_halves_column, low_halves_, shape_.rows);
}

HalfIndex::HalfIndex(std::shared_ptr<const storage::ColumnFile> file, std::uint64_t first)
    : kernels_(kernels().probe), file_(std::move(file)) {
  shape_ = file_->column<HalfShape>(first + shape_column, 1)[0];
  file_->verify(first + shape_column);
  std::uint64_t orders = 0;
  for (const std::uint8_t bit : shape_.order) orders |= bit < 64 ? std::uint64_t{1} << bit : 0;
  if (shape_.rows > Run::most_rows || shape_.group_bits > most_group_bits || orders != ~std::uint64_t{0})
    file_->damaged("has an index of an impossible shape");
  stride_ = shape_.wide_ids != 0 ? 3 : 2;
  if (shape_.has_order != 0) {
    order_.emplace(shape_.order);
    std::array<std::uint8_t, 64> back{};
    for (std::uint8_t to = 0; to < 64; ++to) back[shape_.order[to]] = to;
    back_.emplace(back);
  }
  open_columns(first);
  check_directories();
  fill_costs();
}

void HalfIndex::open_columns(std::uint64_t first) {
  const bool wide = shape_.wide_directory != 0;
  const std::size_t n = shape_.rows, groups_and_end = std::size_t{groups()} + 1, bases = wide ? groups_and_end : (groups() >> 4) + 1;
  for (unsigned t = 0; t < tables; ++t) {
    Table& table = tables_[t];
    table.directory.bases = file_->column<std::uint32_t>(first + bases_column + t, bases).data();
    file_->verify(first + bases_column + t);
    if (!wide) {
      table.directory.offsets = file_->column<std::uint16_t>(first + offsets_column + t, groups_and_end).data();
      file_->verify(first + offsets_column + t);
    }
    table.filters = file_->column<std::uint16_t>(first + filters_column + t, n).data();
  }
  payload_ = file_->column<std::uint32_t>(first + payload_column, n * stride_).data();
  low_halves_ = file_->column<std::uint32_t>(first + low_halves_column, n).data();
  bytes_ = tables * (bases * sizeof(std::uint32_t) + (wide ? 0 : groups_and_end * sizeof(std::uint16_t)) + n * sizeof(std::uint16_t)) +
           n * (stride_ + 1) * sizeof(std::uint32_t);
}

// Whatever the columns hold: rows come from directories alone, and these stay below the number of rows.
void HalfIndex::check_directories() const {
  for (const Table& table : tables_) {
    std::uint32_t before = 0;
    for (std::uint32_t g = 0; g <= groups(); ++g) {
      const std::uint32_t start = table.directory.start(g);
      if (start < before || start > shape_.rows) file_->damaged("has a directory that is not in order");
      before = start;
    }
    if (table.directory.start(0) != 0 || before != shape_.rows) file_->damaged("has a directory that does not hold all rows");
  }
}

}  // namespace leitong::hamming
