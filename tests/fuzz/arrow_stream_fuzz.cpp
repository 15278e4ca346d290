// An Arrow stream from memory: every row as JSON.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "leitong/error.h"
#include "parquet/row_json.h"
#include "parquet/table.h"

namespace {

using namespace leitong;
using namespace leitong::parquet;

void read_rows(std::span<const std::uint8_t> bytes) {
  const Limits limits{
      .metadata_bytes = 1 << 20, .page_bytes = 1 << 20, .dictionary_bytes = 1 << 20, .value_bytes = 1 << 16, .batch_entries = 1 << 16};
  const auto stream = open_arrow_stream(
      [&](std::span<std::byte> out) {
        const std::size_t size = std::min(out.size(), bytes.size());
        if (size > 0) std::memcpy(out.data(), bytes.data(), size);
        bytes = bytes.subspan(size);
        return size;
      },
      "memory", limits);
  const RowJson json(stream->schema());
  std::string seen;
  std::size_t rows = 0;
  for (Batch batch; rows < 3000 && stream->next(batch, {.rows = 100, .bytes = 1000});) {
    for (std::size_t row = 0; row < batch.rows && seen.size() < 1U << 20U; ++row, ++rows) json.append(seen, batch, row);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read_rows({data, size});
  } catch (const Error&) {
  }
  return 0;
}
