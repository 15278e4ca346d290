#include "parquet/footer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "leitong/error.h"
#include "parquet/schema_element.h"
#include "parquet/thrift.h"

namespace leitong::parquet {
namespace {

using Field = ThriftReader::Field;

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::format, what); }

std::uint64_t natural(ThriftReader& reader, const Field& field, std::string_view what) {
  const std::int64_t value = reader.integer(field);
  if (value < 0) fail(fmt::format("a negative {}", what));
  return static_cast<std::uint64_t>(value);
}

std::uint32_t natural32(ThriftReader& reader, const Field& field, std::string_view what) {
  const std::int32_t value = reader.integer32(field);
  if (value < 0) fail(fmt::format("a negative {}", what));
  return static_cast<std::uint32_t>(value);
}

Encoding encoding(ThriftReader& reader, const Field& field) {
  const std::int32_t value = reader.integer32(field);
  if (value < 0 || value > static_cast<int>(Encoding::byte_stream_split) || value == 1) {
    throw Error(ErrorCode::unsupported, fmt::format("the unknown encoding {}", value));
  }
  return static_cast<Encoding>(value);
}

// A column chunk's own metadata.
struct ChunkMetadata {
  std::optional<std::int32_t> type;
  std::optional<std::uint64_t> data_offset, dictionary_offset, packed_size, entries;
};

ChunkMetadata read_chunk_metadata(ThriftReader& reader, ColumnChunk& chunk) {
  ChunkMetadata found;
  ThriftReader::Struct body(reader);
  for (Field field; body.next(field);) {
    switch (field.id) {
      case 1:
        found.type = reader.integer32(field);
        break;
      case 4:
        chunk.codec = reader.integer32(field);
        break;
      case 5:
        found.entries = natural(reader, field, "number of values");
        break;
      case 7:
        found.packed_size = natural(reader, field, "size of a column chunk");
        break;
      case 9:
        found.data_offset = natural(reader, field, "offset of a page");
        break;
      case 11:
        found.dictionary_offset = natural(reader, field, "offset of a dictionary");
        break;
      default:
        reader.skip(field.type);
    }
  }
  return found;
}

void check_chunk(const ChunkMetadata& found, ColumnChunk& chunk, const Node& leaf, std::uint64_t rows, std::uint64_t data_end) {
  if (chunk.encrypted || chunk.elsewhere) return;  // refused when it is read
  if (!found.type || !found.data_offset || !found.packed_size || !found.entries) fail("its metadata are not complete");
  if (*found.type != static_cast<std::int32_t>(leaf.physical)) fail("its type is not that of the schema");
  chunk.entries = *found.entries;
  chunk.packed_size = *found.packed_size;
  chunk.begin = *found.data_offset;
  // Some writers give 0 for no dictionary.
  if (found.dictionary_offset.value_or(0) > 0) chunk.begin = std::min(chunk.begin, *found.dictionary_offset);
  if (chunk.entries > 0 && (chunk.begin < 4 || chunk.begin >= data_end || chunk.packed_size > data_end - chunk.begin)) {
    fail(fmt::format("its bytes {} up to {} are not in the file", chunk.begin, chunk.begin + chunk.packed_size));
  }
  if (leaf.repetition_level == 0 ? chunk.entries != rows : chunk.entries < rows) {
    fail(fmt::format("it has {} values for {} rows", chunk.entries, rows));
  }
}

struct RawChunk {
  ChunkMetadata metadata;
  ColumnChunk chunk;
};

RawChunk read_chunk(ThriftReader& reader) {
  RawChunk raw;
  ThriftReader::Struct body(reader);
  for (Field field; body.next(field);) {
    switch (field.id) {
      case 1:
        raw.chunk.elsewhere = !reader.binary(field).empty();
        break;
      case 3:
        reader.require(field, ThriftType::structure);
        raw.metadata = read_chunk_metadata(reader, raw.chunk);
        break;
      case 4:
        raw.chunk.index_offset = natural(reader, field, "offset of an index");
        break;
      case 5:
        raw.chunk.index_length = natural32(reader, field, "length of an index");
        break;
      case 8:
        raw.chunk.encrypted = true;
        reader.skip(field.type);
        break;
      default:
        reader.skip(field.type);
    }
  }
  return raw;
}

class FooterReader {
 public:
  FooterReader(std::string_view bytes, std::uint64_t data_end) : reader_(bytes), data_end_(data_end) {}

  Footer read() {
    {
      ThriftReader::Struct body(reader_);
      for (Field field; body.next(field);) read_field(field);
    }
    if (!footer_.schema) fail("the footer has no schema");
    std::uint64_t rows = 0;
    for (const RowGroup& group : footer_.groups) rows += group.rows;
    if (rows_ && *rows_ != rows) fail(fmt::format("the file should have {} rows, its row groups {}", *rows_, rows));
    return std::move(footer_);
  }

 private:
  void read_field(const Field& field) {
    switch (field.id) {
      case 2:
        read_schema(field);
        break;
      case 3:
        rows_ = natural(reader_, field, "number of rows");
        break;
      case 4:
        read_groups(field);
        break;
      case 5:
        read_key_values(field);
        break;
      case 6:
        footer_.created_by = reader_.binary(field);
        break;
      default:
        reader_.skip(field.type);
    }
  }

  void read_schema(const Field& field) {
    const std::uint32_t size = reader_.list(field, ThriftType::structure);
    if (size > Schema::most_nodes) throw Error(ErrorCode::limit, fmt::format("the schema has {} nodes", size));
    std::vector<Node> nodes;
    std::vector<std::uint32_t> counts(size);
    for (std::uint32_t i = 0; i < size; ++i) nodes.push_back(read_schema_element(reader_, i == 0, counts[i]));
    footer_.schema.emplace(std::move(nodes), counts);
  }

  void read_groups(const Field& field) {
    if (!footer_.schema) fail("the footer's row groups stand before its schema");
    const std::uint32_t size = reader_.list(field, ThriftType::structure);
    for (std::uint32_t i = 0; i < size; ++i) {
      RowGroup group = read_group(i);
      total_rows_ += group.rows;
      if (total_rows_ > std::uint64_t{1} << 60U) fail("there are more rows than a file can have");
      footer_.groups.push_back(std::move(group));
    }
  }

  RowGroup read_group(std::uint32_t number) {
    RowGroup group;
    std::vector<RawChunk> chunks;
    std::optional<std::uint64_t> rows;
    {
      ThriftReader::Struct body(reader_);
      for (Field inner; body.next(inner);) {
        if (inner.id == 1) {
          chunks = read_chunks(inner, number);
        } else if (inner.id == 3) {
          rows = natural(reader_, inner, "number of rows");
        } else {
          reader_.skip(inner.type);
        }
      }
    }
    if (!rows || *rows > std::uint64_t{1} << 50U) fail(fmt::format("row group {}: its number of rows is missing or impossible", number));
    group.rows = *rows;
    if (chunks.size() != footer_.schema->leaf_count()) {
      fail(fmt::format("row group {} has {} columns, the schema {}", number, chunks.size(), footer_.schema->leaf_count()));
    }
    for (std::size_t leaf = 0; leaf < chunks.size(); ++leaf) {
      try {
        check_chunk(chunks[leaf].metadata, chunks[leaf].chunk, footer_.schema->leaf(leaf), group.rows, data_end_);
      } catch (const Error& error) {
        throw Error(error.code(), fmt::format("row group {}, column {}: {}", number, footer_.schema->dotted_path_of(leaf), error.what()));
      }
      group.columns.push_back(chunks[leaf].chunk);
    }
    return group;
  }

  std::vector<RawChunk> read_chunks(const Field& field, std::uint32_t number) {
    const std::uint32_t size = reader_.list(field, ThriftType::structure);
    if (size != footer_.schema->leaf_count()) {
      fail(fmt::format("row group {} has {} columns, the schema {}", number, size, footer_.schema->leaf_count()));
    }
    std::vector<RawChunk> chunks;
    for (std::uint32_t i = 0; i < size; ++i) chunks.push_back(read_chunk(reader_));
    return chunks;
  }

  void read_key_values(const Field& field) {
    const std::uint32_t size = reader_.list(field, ThriftType::structure);
    for (std::uint32_t i = 0; i < size; ++i) {
      std::pair<std::string, std::optional<std::string>> entry;
      ThriftReader::Struct body(reader_);
      for (Field inner; body.next(inner);) {
        if (inner.id == 1) {
          entry.first = reader_.binary(inner);
        } else if (inner.id == 2) {
          entry.second = reader_.binary(inner);
        } else {
          reader_.skip(inner.type);
        }
      }
      footer_.metadata.push_back(std::move(entry));
    }
  }

  ThriftReader reader_;
  std::uint64_t data_end_;
  Footer footer_;
  std::optional<std::uint64_t> rows_;
  std::uint64_t total_rows_ = 0;
};

void read_data_header(ThriftReader& reader, PageHeader& header) {
  ThriftReader::Struct body(reader);
  for (Field field; body.next(field);) {
    if (field.id == 1) {
      header.entries = natural32(reader, field, "number of values of a page");
    } else if (field.id == 2) {
      header.encoding = encoding(reader, field);
    } else if (field.id == 3 && header.type == PageType::data) {
      header.definition_encoding = encoding(reader, field);
    } else if (field.id == 4 && header.type == PageType::data) {
      header.repetition_encoding = encoding(reader, field);
    } else {
      reader.skip(field.type);
    }
  }
}

void read_data_header_v2(ThriftReader& reader, PageHeader& header) {
  ThriftReader::Struct body(reader);
  for (Field field; body.next(field);) {
    switch (field.id) {
      case 1:
        header.entries = natural32(reader, field, "number of values of a page");
        break;
      case 2:
        header.nulls = natural32(reader, field, "number of nulls of a page");
        break;
      case 3:
        header.rows = natural32(reader, field, "number of rows of a page");
        break;
      case 4:
        header.encoding = encoding(reader, field);
        break;
      case 5:
        header.definition_size = natural32(reader, field, "size of levels");
        break;
      case 6:
        header.repetition_size = natural32(reader, field, "size of levels");
        break;
      case 7:
        header.packed = reader.boolean(field);
        break;
      default:
        reader.skip(field.type);
    }
  }
}

void read_page_fields(ThriftReader& reader, PageHeader& header) {
  std::optional<std::int32_t> type;
  std::optional<PageType> described;
  ThriftReader::Struct body(reader);
  for (Field field; body.next(field);) {
    switch (field.id) {
      case 1:
        type = reader.integer32(field);
        if (*type < 0 || *type > 3) fail(fmt::format("a page of the unknown type {}", *type));
        header.type = static_cast<PageType>(*type);
        break;
      case 2:
        header.size = natural32(reader, field, "size of a page");
        break;
      case 3:
        header.packed_size = natural32(reader, field, "size of a page");
        break;
      case 4:
        header.crc = static_cast<std::uint32_t>(reader.integer32(field));
        break;
      case 5:
      case 7:
      case 8:
        reader.require(field, ThriftType::structure);
        described = field.id == 5 ? PageType::data : field.id == 7 ? PageType::dictionary : PageType::data_v2;
        if (field.id == 8) {
          read_data_header_v2(reader, header);
        } else {
          read_data_header(reader, header);
        }
        break;
      default:
        reader.skip(field.type);
    }
  }
  if (!type) fail("a page without a type");
  if (header.type != PageType::index && described != header.type) fail("the header of a page does not describe it");
}

}  // namespace

Footer read_footer(std::string_view bytes, std::uint64_t data_end) { return FooterReader(bytes, data_end).read(); }

std::optional<PageHeader> read_page_header(std::string_view bytes) {
  ThriftReader reader(bytes);
  PageHeader header;
  try {
    read_page_fields(reader, header);
  } catch (const Error&) {
    if (reader.ended()) return std::nullopt;
    throw;
  }
  header.header_size = static_cast<std::uint32_t>(reader.position());
  return header;
}

std::vector<PageLocation> read_offset_index(std::string_view bytes, std::uint64_t rows, std::uint64_t data_end) {
  ThriftReader reader(bytes);
  std::vector<PageLocation> pages;
  ThriftReader::Struct body(reader);
  for (Field field; body.next(field);) {
    if (field.id != 1) {
      reader.skip(field.type);
      continue;
    }
    const std::uint32_t size = reader.list(field, ThriftType::structure);
    for (std::uint32_t i = 0; i < size; ++i) {
      PageLocation page;
      ThriftReader::Struct location(reader);
      for (Field inner; location.next(inner);) {
        if (inner.id == 1) {
          page.offset = natural(reader, inner, "offset of a page");
        } else if (inner.id == 3) {
          page.first_row = natural(reader, inner, "row of a page");
        } else {
          reader.skip(inner.type);
        }
      }
      const bool ascends =
          pages.empty() ? page.first_row == 0 : page.first_row >= pages.back().first_row && page.offset > pages.back().offset;
      if (!ascends || page.first_row >= rows || page.offset >= data_end) fail("the index of pages is not in order");
      pages.push_back(page);
    }
  }
  return pages;
}

std::string encoding_name(Encoding encoding) {
  static constexpr std::array<std::string_view, 10> names = {
      "PLAIN",          "GROUP_VAR_INT",       "PLAIN_DICTIONARY",        "RLE",
      "BIT_PACKED",     "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY",
      "RLE_DICTIONARY", "BYTE_STREAM_SPLIT"};
  return std::string(names[static_cast<std::size_t>(encoding)]);
}

}  // namespace leitong::parquet
