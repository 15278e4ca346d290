// Distances of many pairs of rows at once. Plain data and functions only: leaf files compiled for wider instruction sets include this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong::candidates {

struct RowPair {
  std::uint32_t a, b;
};

// Differing bits of rows pairs[i].a and pairs[i].b of `bits` (row-major, `words` words a row).
using PairDistances = void (*)(const std::uint64_t* bits, unsigned words, const RowPair* pairs, std::size_t count,
                               std::uint32_t* out) noexcept;

void pair_distances_portable(const std::uint64_t* bits, unsigned words, const RowPair* pairs, std::size_t count,
                             std::uint32_t* out) noexcept;
#if defined(__x86_64__)
// Needs POPCNT, which every processor with AVX2 has.
void pair_distances_avx2(const std::uint64_t* bits, unsigned words, const RowPair* pairs, std::size_t count, std::uint32_t* out) noexcept;
void pair_distances_avx512(const std::uint64_t* bits, unsigned words, const RowPair* pairs, std::size_t count, std::uint32_t* out) noexcept;
#endif

}  // namespace leitong::candidates
