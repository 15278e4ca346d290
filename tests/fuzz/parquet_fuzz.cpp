// Parquet and Arrow files from memory: every row as JSON, in two sizes of batches, which must agree, and sought from the end.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "leitong/error.h"
#include "parquet/memory_file_test.h"
#include "parquet/row_json.h"
#include "parquet/table.h"

namespace {

using namespace leitong;
using namespace leitong::parquet;

constexpr std::size_t most_rows = 3000;

// nullopt: the file is refused, or damaged.
std::optional<std::string> read(const Table& table, const BatchSize& size) {
  std::string seen;
  std::size_t rows = 0;
  try {
    const RowJson json(table.schema());
    const std::unique_ptr<RowReader> reader = table.read_all();
    for (Batch batch; rows < most_rows && reader->next(batch, size);) {
      for (std::size_t row = 0; row < batch.rows && rows < most_rows && seen.size() < 1U << 20U; ++row, ++rows)
        json.append(seen, batch, row);
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  return seen;
}

void seek(const Table& table) {
  try {
    const std::unique_ptr<RowReader> reader = table.read_all();
    Batch batch;
    for (const std::uint64_t row :
         {table.rows() / 3, table.rows() / 2, table.rows() - std::min<std::uint64_t>(table.rows(), 1), std::uint64_t{0}}) {
      if (row > 1'000'000) continue;
      reader->seek(row);
      static_cast<void>(reader->next(batch, {.rows = 1}));
    }
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Limits limits{
      .metadata_bytes = 1 << 20, .page_bytes = 1 << 20, .dictionary_bytes = 1 << 20, .value_bytes = 1 << 16, .batch_entries = 1 << 16};
  std::unique_ptr<Table> table;
  try {
    table = open_table(std::make_shared<MemoryFile>(std::string(reinterpret_cast<const char*>(data), size)), "memory", limits);
  } catch (const Error&) {
    return 0;
  }
  const auto whole = read(*table, {.rows = 1000, .bytes = 1 << 20});
  const auto parts = read(*table, {.rows = 3, .bytes = 10});
  if (whole && parts && *whole != *parts) std::abort();
  seek(*table);
  return 0;
}
