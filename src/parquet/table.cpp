#include "parquet/table.h"

#include <array>
#include <numeric>

#include "leitong/error.h"
#include "parquet/arrow_table.h"
#include "parquet/parquet_table.h"

namespace leitong::parquet {

std::unique_ptr<RowReader> Table::read_all() const {
  std::vector<std::uint32_t> leaves(schema().leaf_count());
  std::iota(leaves.begin(), leaves.end(), 0U);
  return read(leaves);
}

std::optional<TableFormat> table_format(std::string_view head) {
  if (head.starts_with("PAR1") || head.starts_with("PARE")) return TableFormat::parquet;
  if (head.starts_with("ARROW1")) return TableFormat::arrow_file;
  return std::nullopt;
}

std::unique_ptr<Table> open_table(std::shared_ptr<const storage::ReadableFile> file, std::string name, const Limits& limits) {
  std::array<char, 8> head{};
  const std::size_t size = std::min<std::uint64_t>(file->size(), head.size());
  file->read(0, std::as_writable_bytes(std::span(head).first(size)));
  const std::optional<TableFormat> format = table_format({head.data(), size});
  if (format == TableFormat::parquet) return open_parquet(std::move(file), std::move(name), limits);
  if (format == TableFormat::arrow_file) return open_arrow_file(std::move(file), std::move(name), limits);
  throw Error(ErrorCode::format,
              name + ": it is neither a Parquet file nor an Arrow IPC file (a stream of Arrow is read from standard input)");
}

}  // namespace leitong::parquet
