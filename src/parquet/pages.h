// The pages of one column chunk, one at a time: found, checked, unpacked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parquet/codec.h"
#include "parquet/footer.h"
#include "parquet/table.h"
#include "storage/vfs.h"

namespace leitong::parquet {

// An opened Parquet file, shared by all that read it.
struct ParquetFile {
  std::shared_ptr<const storage::ReadableFile> bytes;
  std::string name;
  Limits limits;
  Footer footer;
  std::uint64_t data_end = 0;  // no page beyond
};

// A page's memory, unpacked.
struct Page {
  std::unique_ptr<char[]> memory;
  std::size_t size = 0;
  std::size_t levels_size = 0;  // data_v2: of both levels in front of the values
  [[nodiscard]] std::string_view bytes() const { return {memory.get(), size}; }
};

class PageReader {
 public:
  explicit PageReader(const ParquetFile& file) : file_(file) {}
  // From the first page of a chunk. Error(unsupported) for a chunk that cannot be read.
  void begin(const ColumnChunk& chunk);
  void go_to(std::uint64_t offset);  // where a page begins
  // The page's header, which is checked against the limits. The page comes next by load() or skip().
  const PageHeader& header();
  [[nodiscard]] std::shared_ptr<const Page> load();
  void skip();
  [[nodiscard]] std::uint64_t offset() const { return offset_; }  // of the page at hand

 private:
  std::string_view window(std::uint64_t offset, std::size_t size);  // so many bytes, or more
  void check(const PageHeader& header) const;

  const ParquetFile& file_;
  Codec codec_ = Codec::none;
  std::uint64_t chunk_end_ = 0;
  std::uint64_t offset_ = 0;
  std::optional<PageHeader> header_;
  std::vector<char> window_;
  std::uint64_t window_begin_ = 0;
  std::size_t window_size_ = 0;
  Unpacker unpacker_;
};

}  // namespace leitong::parquet
