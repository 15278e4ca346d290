// One column of the file that is written: entries → packed pages of a column chunk.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parquet/codec.h"
#include "parquet/column.h"
#include "parquet/rle.h"
#include "parquet/thrift.h"
#include "parquet/writer.h"

namespace leitong::parquet {

class ColumnWriter {
 public:
  ColumnWriter(const Schema& schema, std::uint32_t leaf, const WriterOptions& options, Packer& packer);
  void append(const Column& column, std::size_t first_row, std::size_t end_row);
  // Bytes of the chunk so far, but for the page that is not full.
  [[nodiscard]] std::uint64_t packed_size() const { return pages_.size(); }

  struct Chunk {
    std::string bytes;       // dictionary and pages
    std::string metadata;    // a ColumnChunk of Thrift
    std::uint64_t size = 0;  // unpacked
  };
  // Ends the chunk, which will stand at `offset` in the file.
  [[nodiscard]] Chunk finish(std::uint64_t offset);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view value) const { return std::hash<std::string_view>{}(value); }
  };

  void add_entry(const Column& column, std::size_t entry);
  void add_value(std::string_view value);
  void append_plain(std::string_view value);
  [[nodiscard]] std::size_t page_size() const;
  void end_page();
  [[nodiscard]] bool dictionary_pays(const std::string& indices) const;
  void leave_dictionary();
  void write_page(bool of_indices, std::string_view values);
  void write_packed(std::string_view body, std::size_t entries, bool is_dictionary, int encoding, std::string& out);
  [[nodiscard]] std::string encode_metadata(std::uint64_t offset, std::uint64_t dictionary_size, std::uint64_t packed_size) const;
  void begin_chunk();

  const Node& node_;
  std::vector<std::string> path_;
  const WriterOptions& options_;
  Packer& packer_;

  // The page at hand.
  RleWriter repetition_, definition_;
  std::size_t entries_ = 0;
  std::size_t values_ = 0;
  std::string plain_;                   // values; empty while there is a dictionary
  std::uint64_t plain_size_ = 0;        // of the values so encoded, in any case
  std::vector<std::uint32_t> indices_;  // while there is a dictionary

  // The chunk.
  bool dictionary_on_ = false;
  bool dictionary_gave_up_ = false;  // it did not pay in this chunk or one before: not tried again
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> dictionary_;
  std::vector<const std::string*> dictionary_values_;
  std::uint64_t dictionary_size_ = 0;
  std::string pages_;
  std::uint64_t size_ = 0;  // of the pages unpacked, headers included
  std::uint64_t chunk_entries_ = 0, nulls_ = 0;
  std::size_t plain_pages_ = 0, index_pages_ = 0;
  std::string packed_;  // scratch
};

}  // namespace leitong::parquet
