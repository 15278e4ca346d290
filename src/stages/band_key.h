// The key of a row in a band: of bands of four slots these, else a hash of them. Slots come as columns of four, as sketch files have them.
#pragma once

#include <cstdint>

namespace leitong::stages {

// Columns of four slots that a band touches, and which bytes of each belong to it.
struct BandColumns {
  unsigned first = 0, last = 0;
  unsigned first_slot = 0, last_slot = 0;
  BandColumns(unsigned band, unsigned slots) : first_slot(band * slots), last_slot(first_slot + slots - 1) {
    first = first_slot / 4, last = last_slot / 4;
  }
  [[nodiscard]] std::uint32_t mask(unsigned column) const {
    std::uint32_t mask = 0;
    for (unsigned slot = 0; slot < 4; ++slot)
      if (4 * column + slot >= first_slot && 4 * column + slot <= last_slot) mask |= 0xffU << (8 * slot);
    return mask;
  }
};

// A band that is not one whole column is mixed from its columns, beginning with 0, and its key is the upper half.
inline std::uint64_t mix_band(std::uint64_t mixed, std::uint32_t masked) {
  return (mixed ^ masked) * 0x9e3779b97f4a7c15ULL + (mixed >> 29);
}
inline std::uint32_t mixed_key(std::uint64_t mixed) { return static_cast<std::uint32_t>(mixed >> 32); }

}  // namespace leitong::stages
