// The bytes of a table file around its column chunks: header, footer, trailer. Private to this room; docs/file-format.md is the
// specification.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/table.h"

namespace leitong::storage {

inline constexpr std::uint32_t format_version = 1;
inline constexpr std::size_t header_bytes = 64;
inline constexpr std::size_t trailer_bytes = 32;
inline constexpr std::uint64_t chunk_alignment = 64;
inline constexpr std::uint64_t most_footer_bytes = std::uint64_t{1} << 32U;

[[nodiscard]] constexpr std::uint64_t aligned(std::uint64_t offset) {
  return (offset + chunk_alignment - 1) / chunk_alignment * chunk_alignment;
}

struct Chunk {
  std::uint64_t offset = 0, length = 0, checksum = 0;
};

struct Footer {
  Schema schema;
  std::uint64_t rows = 0;
  std::vector<std::uint32_t> block_rows;
  std::vector<Chunk> chunks;  // block by block, in each the columns in order
  std::string metadata;
};

struct Trailer {
  std::uint64_t offset = 0, length = 0, checksum = 0;  // of the footer
};

[[nodiscard]] std::array<std::byte, header_bytes> encode_header();
[[nodiscard]] std::vector<std::byte> encode_footer(const Footer& footer);
[[nodiscard]] std::array<std::byte, trailer_bytes> encode_trailer(const Trailer& trailer);

// Each throws Error(format) or Error(unsupported), with `path` and the offset in the file.
void check_header(std::span<const std::byte, header_bytes> bytes, const std::string& path);
[[nodiscard]] Trailer decode_trailer(std::span<const std::byte, trailer_bytes> bytes, std::uint64_t file_size, const std::string& path);
// `offset`: where the footer begins. What is returned is consistent: every chunk lies in the file before `offset`, in order, without gaps
// but for alignment, and has a length that fits its column and rows.
[[nodiscard]] Footer decode_footer(std::span<const std::byte> bytes, std::uint64_t offset, const std::string& path);

// Error(usage) unless the schema can be written.
void check_schema(const Schema& schema, const std::string& path);

// Header, trailer and footer of a file, verified; `read` gives bytes at an offset.
struct ParsedFile {
  Footer footer;
  std::string identity;  // as TableReader::identity
};
using ReadBytes = std::function<void(std::uint64_t offset, std::span<std::byte> out)>;
[[nodiscard]] ParsedFile parse_file(std::uint64_t size, const ReadBytes& read, const std::string& path);
// Error(format) for a table of another kind (empty: any will do), Error(unsupported) for a version above `newest_version`.
void check_kind(const Schema& schema, std::string_view expected_kind, std::uint32_t newest_version, const std::string& path);

[[noreturn]] void broken(const std::string& path, std::uint64_t offset, std::string_view what);

}  // namespace leitong::storage
