// Moving 64-bit rows into the parts of one digit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong::hamming {

// One digit of a fingerprint: (value >> shift) & (2^bits - 1).
struct BitField {
  unsigned shift, bits;
  [[nodiscard]] std::uint32_t of(std::uint64_t value) const noexcept {
    return static_cast<std::uint32_t>(value >> shift) & ((1U << bits) - 1);
  }
};

// Adds to counts[digit] the number of rows that have it.
void count_digit(const std::uint64_t* values, std::size_t n, const BitField& digit, std::uint32_t* counts) noexcept;

// Moves row i, of number ids[i] (first_id + i where ids is null), to place cursors[digit]++ of `out_values` and `out_ids`.
void scatter_rows(const std::uint64_t* values, const std::uint32_t* ids, std::uint32_t first_id, std::size_t n, const BitField& digit,
                  std::uint32_t* cursors, std::uint64_t* out_values, std::uint32_t* out_ids) noexcept;

}  // namespace leitong::hamming
