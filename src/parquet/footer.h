// What a Parquet file says of itself: the footer, the headers of pages, and the index of pages.
//
// Errors are without a file name (context.h). What is read is checked for what can be checked without the file: signs, ranges, agreement
// of columns with the schema; whether offsets lie in the file too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parquet/schema.h"
#include "parquet/writer.h"

namespace leitong::parquet {

struct ColumnChunk {
  std::int32_t codec = 0;         // as in the file: may be unknown
  std::uint64_t entries = 0;      // values, nulls included
  std::uint64_t begin = 0;        // of its first page, which may be the dictionary's
  std::uint64_t packed_size = 0;  // as the file says
  std::uint64_t index_offset = 0;
  std::uint32_t index_length = 0;  // of the offset index; 0: there is none
  bool encrypted = false;
  bool elsewhere = false;  // in another file
};

struct RowGroup {
  std::uint64_t rows = 0;
  std::vector<ColumnChunk> columns;  // a leaf of the schema each
};

struct Footer {
  std::optional<Schema> schema;
  std::vector<RowGroup> groups;
  KeyValues metadata;
  std::string created_by;
};

// `data_end`: offset of the footer in the file; no page lies beyond it.
[[nodiscard]] Footer read_footer(std::string_view bytes, std::uint64_t data_end);

enum class PageType : std::uint8_t { data, index, dictionary, data_v2 };
enum class Encoding : std::uint8_t {
  plain,
  group_var_int,
  plain_dictionary,
  rle,
  bit_packed,
  delta_binary_packed,
  delta_length_byte_array,
  delta_byte_array,
  rle_dictionary,
  byte_stream_split,
};

struct PageHeader {
  PageType type = PageType::data;
  std::uint32_t header_size = 0;
  std::uint32_t packed_size = 0;  // of what follows the header
  std::uint32_t size = 0;         // of that unpacked
  std::optional<std::uint32_t> crc;
  std::uint32_t entries = 0;
  Encoding encoding = Encoding::plain;
  Encoding definition_encoding = Encoding::rle, repetition_encoding = Encoding::rle;  // data
  std::uint32_t nulls = 0, rows = 0;                                                  // data_v2, as the three that follow
  std::uint32_t definition_size = 0, repetition_size = 0;
  bool packed = true;
};

// nullopt: `bytes` end before the header does.
[[nodiscard]] std::optional<PageHeader> read_page_header(std::string_view bytes);

struct PageLocation {
  std::uint64_t offset = 0;
  std::uint64_t first_row = 0;  // in the row group
};
// Error(format) unless offsets and rows ascend, the rows from 0 to below `rows`, and all lies before data_end.
[[nodiscard]] std::vector<PageLocation> read_offset_index(std::string_view bytes, std::uint64_t rows, std::uint64_t data_end);

[[nodiscard]] std::string encoding_name(Encoding encoding);

}  // namespace leitong::parquet
