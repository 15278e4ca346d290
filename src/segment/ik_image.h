// The layout of a compiled IK dictionary; only for ik_compile.cpp and ik_dictionary.cpp.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace leitong::segment {

static_assert(std::endian::native == std::endian::little, "the image is mapped as it stands: little-endian machines only");

inline constexpr std::array<char, 8> ik_magic = {'L', 'T', 'I', 'K', 'D', 'I', 'C', 'T'};
inline constexpr std::uint32_t ik_version = 1;

struct IkHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t node_count;
  std::uint64_t file_bytes;
  std::uint64_t checksum;                   // XXH3-64 of everything behind this field
  std::array<std::uint64_t, 2> content;     // XXH3-128 of the words: low, high
  std::array<std::uint32_t, 6> word_count;  // by list
  std::array<std::uint32_t, 14> reserved;   // zero; fills the header to 128 bytes
};
static_assert(sizeof(IkHeader) == 128);
inline constexpr std::size_t ik_checksum_begin = 32;
inline constexpr std::size_t ik_units = 65536;  // entries of the unit table behind the header; the nodes follow it

}  // namespace leitong::segment
