// How the blocks of a 64-bit fingerprint are cut and written: the part of a layout that Redis keys and search terms have in common.
//
// Two fingerprints within blocks - 1 bits of each other have a block in common (pigeonhole), so a store laid out for k has k + 1 blocks.
// Where 64 is no multiple of their number the first 64 mod n blocks are one bit wider.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace leitong::remote {

enum class Digits : std::uint8_t {
  bits,       // 0 and 1, all of the block's
  decimal,    // the number, without leading zeros
  hex,        // lower case, with leading zeros
  hex_short,  // without them, as Java's Integer.toHexString
  bytes,      // big-endian, as few as hold the block
};

struct BlockForm {
  unsigned blocks = 4;  // 2 to 16
  Digits digits = Digits::bits;
  bool least_first = false;  // block 0 holds the least significant bits; else the most significant
  bool reversed = false;     // within a block the least significant bit is the first digit; else the most significant
  unsigned first = 0;        // the number of block 0 where positions are written: 0 or 1
  friend bool operator==(const BlockForm&, const BlockForm&) = default;
};

inline constexpr unsigned least_blocks = 2, most_blocks = 16;

[[nodiscard]] unsigned block_width(const BlockForm& form, unsigned block);
// The fingerprint's bits below the block.
[[nodiscard]] unsigned block_shift(const BlockForm& form, unsigned block);
// The block's bits as a number; reversed, if the form says so.
[[nodiscard]] std::uint64_t block_of(const BlockForm& form, std::uint64_t fingerprint, unsigned block);
void append_block(const BlockForm& form, std::uint64_t fingerprint, unsigned block, std::string& out);
// The number that block_of gives; none: `text` is not written so, or too wide for this block.
[[nodiscard]] std::optional<std::uint64_t> read_block(const BlockForm& form, unsigned block, std::string_view text);

[[nodiscard]] std::string_view name_of(Digits digits);
[[nodiscard]] std::optional<Digits> digits_named(std::string_view name);

}  // namespace leitong::remote
