#include "storage/table_format.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "leitong/error.h"

namespace leitong::storage {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are kept as they stand in memory, and the file is little-endian");

constexpr std::array<unsigned char, 8> file_magic = {0x89, 'L', 'T', 'B', '\r', '\n', 0x1a, '\n'};
constexpr std::array<unsigned char, 8> end_magic = {'L', 'T', 'B', 'E', 'N', 'D', '\r', '\n'};

template <typename T>
void put(std::vector<std::byte>& out, T value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof(T));
  std::memcpy(out.data() + at, &value, sizeof(T));
}

void put_string(std::vector<std::byte>& out, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

// Reads the footer from front to back and never beyond its end.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, std::uint64_t offset, const std::string& path) : bytes_(bytes), offset_(offset), path_(path) {}

  template <typename T>
  T get(std::string_view what) {
    T value{};
    std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
    return value;
  }
  std::string get_string(std::uint64_t length, std::string_view what) {
    const auto bytes = take(length, what);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  [[nodiscard]] std::uint64_t left() const { return bytes_.size() - at_; }
  [[noreturn]] void fail(std::string_view what) const { broken(path_, offset_ + at_, what); }

 private:
  std::span<const std::byte> take(std::uint64_t length, std::string_view what) {
    if (length > left()) fail(fmt::format("the footer ends inside its {}", what));
    const auto part = bytes_.subspan(at_, static_cast<std::size_t>(length));
    at_ += static_cast<std::size_t>(length);
    return part;
  }

  std::span<const std::byte> bytes_;
  std::uint64_t offset_;
  const std::string& path_;
  std::size_t at_ = 0;
};

// What is wrong with the schema, or nothing.
std::string_view schema_fault(const Schema& schema) {
  if (schema.kind.empty()) return "the kind has no name";
  if (schema.columns.empty()) return "there is no column";
  if (schema.rows_per_block == 0) return "a block holds no rows";
  std::set<std::string_view> names;
  for (const Column& column : schema.columns)
    if (column.name.empty() || !names.insert(column.name).second) return "a column has no name, or the name of another";
  return {};
}

Schema decode_schema(Cursor& in) {
  Schema schema;
  schema.kind = in.get_string(in.get<std::uint32_t>("kind"), "kind");
  schema.version = in.get<std::uint32_t>("version");
  schema.rows_per_block = in.get<std::uint32_t>("rows per block");
  const auto columns = in.get<std::uint32_t>("number of columns");
  if (columns > in.left() / 8) in.fail("the footer is too short for its columns");
  schema.columns.resize(columns);
  for (Column& column : schema.columns) {
    column.name = in.get_string(in.get<std::uint32_t>("column name"), "column name");
    column.width = in.get<std::uint32_t>("column width");
  }
  if (const auto fault = schema_fault(schema); !fault.empty()) in.fail(fault);
  return schema;
}

bool fits(const Column& column, std::uint64_t rows, std::uint64_t length) {
  if (column.width != 0) return length == rows * column.width;
  const std::uint64_t ends = 4 * (rows + 1);
  return length >= ends && length - ends <= UINT32_MAX;
}

void decode_blocks(Cursor& in, std::uint64_t footer_offset, Footer& footer) {
  footer.rows = in.get<std::uint64_t>("number of rows");
  const auto blocks = in.get<std::uint64_t>("number of blocks");
  if (blocks > in.left() / (4 + 24 * footer.schema.columns.size())) in.fail("the footer is too short for its blocks");
  footer.block_rows.reserve(blocks);
  footer.chunks.reserve(blocks * footer.schema.columns.size());
  std::uint64_t end = header_bytes, rows = 0;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const auto block_rows = in.get<std::uint32_t>("blocks");
    if (block_rows == 0 || block_rows > footer.schema.rows_per_block) in.fail("a block has no rows or too many");
    rows += block_rows;
    footer.block_rows.push_back(block_rows);
    for (const Column& column : footer.schema.columns) {
      Chunk chunk;
      chunk.offset = in.get<std::uint64_t>("blocks");
      chunk.length = in.get<std::uint64_t>("blocks");
      chunk.checksum = in.get<std::uint64_t>("blocks");
      if (chunk.offset != aligned(end) || chunk.offset > footer_offset || chunk.length > footer_offset - chunk.offset)
        in.fail(fmt::format("block {}, column {} is not where it should be", b, column.name));
      if (!fits(column, block_rows, chunk.length))
        in.fail(fmt::format("block {}, column {} has a length that does not fit its rows", b, column.name));
      end = chunk.offset + chunk.length;
      footer.chunks.push_back(chunk);
    }
  }
  if (rows != footer.rows) in.fail("the blocks do not hold as many rows as the file");
  if (aligned(end) != footer_offset) in.fail("the footer does not follow the last block");
}

// What stands between stages can be made again; the runs of a store are what there is.
const char* advice_for(const std::string& path) {
  return path.ends_with(".table") ? "restore the collection from a backup; leitong collection check says whether one is good"
                                  : "remove it and make it again";
}

}  // namespace

void broken(const std::string& path, std::uint64_t offset, std::string_view what) {
  throw Error(ErrorCode::format, fmt::format("{}: broken table file at offset {}: {}; {}", path, offset, what, advice_for(path)));
}

void check_schema(const Schema& schema, const std::string& path) {
  if (const auto fault = schema_fault(schema); !fault.empty())
    throw Error(ErrorCode::usage, fmt::format("{}: not a schema that can be written: {}", path, fault));
}

std::array<std::byte, header_bytes> encode_header() {
  std::array<std::byte, header_bytes> header{};
  std::memcpy(header.data(), file_magic.data(), file_magic.size());
  std::memcpy(header.data() + file_magic.size(), &format_version, sizeof format_version);
  return header;
}

void check_header(std::span<const std::byte, header_bytes> bytes, const std::string& path) {
  if (std::memcmp(bytes.data(), file_magic.data(), file_magic.size()) != 0)
    throw Error(ErrorCode::format, fmt::format("{}: not a Leitong table file (its first 8 bytes are others)", path));
  std::uint32_t version = 0;
  std::memcpy(&version, bytes.data() + file_magic.size(), sizeof version);
  if (version > format_version)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: table format {}; this Leitong reads up to {}: use a newer one", path, version, format_version));
  const auto expected = encode_header();
  if (!std::equal(bytes.begin(), bytes.end(), expected.begin())) broken(path, file_magic.size(), "the header is not that of format 1");
}

std::vector<std::byte> encode_footer(const Footer& footer) {
  std::vector<std::byte> out;
  const Schema& schema = footer.schema;
  put(out, static_cast<std::uint32_t>(schema.kind.size()));
  put_string(out, schema.kind);
  put(out, schema.version);
  put(out, schema.rows_per_block);
  put(out, static_cast<std::uint32_t>(schema.columns.size()));
  for (const Column& column : schema.columns) {
    put(out, static_cast<std::uint32_t>(column.name.size()));
    put_string(out, column.name);
    put(out, column.width);
  }
  put(out, footer.rows);
  put(out, static_cast<std::uint64_t>(footer.block_rows.size()));
  for (std::size_t b = 0; b < footer.block_rows.size(); ++b) {
    put(out, footer.block_rows[b]);
    for (std::size_t c = 0; c < schema.columns.size(); ++c) {
      const Chunk& chunk = footer.chunks[b * schema.columns.size() + c];
      put(out, chunk.offset);
      put(out, chunk.length);
      put(out, chunk.checksum);
    }
  }
  put(out, static_cast<std::uint64_t>(footer.metadata.size()));
  put_string(out, footer.metadata);
  return out;
}

Footer decode_footer(std::span<const std::byte> bytes, std::uint64_t offset, const std::string& path) {
  Cursor in(bytes, offset, path);
  Footer footer;
  footer.schema = decode_schema(in);
  decode_blocks(in, offset, footer);
  footer.metadata = in.get_string(in.get<std::uint64_t>("metadata"), "metadata");
  if (in.left() != 0) in.fail("the footer goes on after its metadata");
  return footer;
}

std::array<std::byte, trailer_bytes> encode_trailer(const Trailer& trailer) {
  std::array<std::byte, trailer_bytes> out{};
  const std::array<std::uint64_t, 3> fields = {trailer.offset, trailer.length, trailer.checksum};
  std::memcpy(out.data(), fields.data(), sizeof fields);
  std::memcpy(out.data() + sizeof fields, end_magic.data(), end_magic.size());
  return out;
}

Trailer decode_trailer(std::span<const std::byte, trailer_bytes> bytes, std::uint64_t file_size, const std::string& path) {
  const std::uint64_t start = file_size - trailer_bytes;
  std::array<std::uint64_t, 3> fields{};
  std::memcpy(fields.data(), bytes.data(), sizeof fields);
  if (std::memcmp(bytes.data() + sizeof fields, end_magic.data(), end_magic.size()) != 0)
    broken(path, start, "the file does not end as a table does: it was cut short or something was added");
  const Trailer trailer{fields[0], fields[1], fields[2]};
  if (trailer.offset < header_bytes || trailer.offset > start || trailer.length != start - trailer.offset ||
      trailer.length > most_footer_bytes)
    broken(path, start, "the footer is not where the trailer says");
  return trailer;
}

ParsedFile parse_file(std::uint64_t size, const ReadBytes& read, const std::string& path) {
  if (size < header_bytes + trailer_bytes)
    throw Error(ErrorCode::format, fmt::format("{}: not a Leitong table file ({} bytes are too few)", path, size));
  std::array<std::byte, header_bytes> header{};
  read(0, header);
  check_header(header, path);
  std::array<std::byte, trailer_bytes> end{};
  read(size - trailer_bytes, end);
  const Trailer trailer = decode_trailer(end, size, path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(trailer.length));
  read(trailer.offset, bytes);
  if (XXH3_64bits(bytes.data(), bytes.size()) != trailer.checksum) broken(path, trailer.offset, "the footer's checksum differs");
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {decode_footer(bytes, trailer.offset, path), fmt::format("{:016x}{:016x}", hash.high64, hash.low64)};
}

void check_kind(const Schema& schema, std::string_view expected_kind, std::uint32_t newest_version, const std::string& path) {
  if (!expected_kind.empty() && schema.kind != expected_kind)
    throw Error(ErrorCode::format,
                fmt::format("{}: a table of kind '{}', where one of kind '{}' is wanted", path, schema.kind, expected_kind));
  if (schema.version > newest_version)
    throw Error(ErrorCode::unsupported, fmt::format("{}: version {} of kind '{}'; this Leitong reads up to {}: use a newer one", path,
                                                    schema.version, schema.kind, newest_version));
}

}  // namespace leitong::storage
