// How a 64-bit fingerprint is cut into blocks and how these are written: the part of a layout that Redis keys and search terms have in
// common.
//
// Two fingerprints within blocks - 1 bits of each other have a block in common (pigeonhole principle), so a store for k has k + 1 blocks.
// If 64 is not a multiple of the number of blocks n, the first 64 mod n blocks are one bit wider.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace leitong::remote {

enum class Digits : std::uint8_t {
  bits,       // 0 and 1, with leading zeros
  decimal,    // without leading zeros
  hex,        // lower case, with leading zeros
  hex_short,  // without leading zeros, as Java's Integer.toHexString
  bytes,      // big-endian, as few bytes as hold the block
};

struct BlockForm {
  unsigned blocks = 4;  // 2 to 16
  Digits digits = Digits::bits;
  bool least_first = false;  // whether block 0 holds the least significant bits rather than the most significant
  bool reversed = false;     // whether the first digit of a block is its least significant bit rather than its most significant
  unsigned first = 0;        // the written position of block 0: 0 or 1
  friend bool operator==(const BlockForm&, const BlockForm&) = default;
};

inline constexpr unsigned least_blocks = 2, most_blocks = 16;

[[nodiscard]] unsigned block_width(const BlockForm& form, unsigned block);
// The number of bits of the fingerprint below the block.
[[nodiscard]] unsigned block_shift(const BlockForm& form, unsigned block);
// The bits of the block as a number, in reversed order if the form is reversed.
[[nodiscard]] std::uint64_t block_of(const BlockForm& form, std::uint64_t fingerprint, unsigned block);
void append_block(const BlockForm& form, std::uint64_t fingerprint, unsigned block, std::string& out);
// The number that block_of() returns; empty if `text` is not written in this form or is too wide for the block.
[[nodiscard]] std::optional<std::uint64_t> read_block(const BlockForm& form, unsigned block, std::string_view text);

[[nodiscard]] std::string_view name_of(Digits digits);
[[nodiscard]] std::optional<Digits> digits_named(std::string_view name);

}  // namespace leitong::remote
