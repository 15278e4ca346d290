// Bits in which words differ. std::popcount is a call here: the library is compiled for processors without that instruction.
#pragma once

#include <cstdint>

namespace leitong::hamming {

[[nodiscard]] inline unsigned bits_in(std::uint64_t x) noexcept {
  x -= x >> 1 & 0x5555555555555555U;
  x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<unsigned>(x * 0x0101010101010101U >> 56);
}

// Of two fingerprints of `words` words.
[[nodiscard]] inline unsigned distance(const std::uint64_t* a, const std::uint64_t* b, unsigned words) noexcept {
  unsigned sum = 0;
  for (unsigned w = 0; w < words; ++w) sum += bits_in(a[w] ^ b[w]);
  return sum;
}

}  // namespace leitong::hamming
