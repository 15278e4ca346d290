// Which of many 128-bit set signatures differ from one in few bits. Plain data and functions only: leaf files compiled for wider
// instruction sets include this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong::candidates {

struct Signature {
  std::uint64_t low, high;
};

// Writes the indices i < count with at most `most` differing bits, ascending; returns how many. `out` holds `count`.
using SignatureFilter = std::size_t (*)(const Signature* signatures, std::size_t count, Signature query, unsigned most,
                                        std::uint32_t* out) noexcept;

std::size_t filter_signatures_portable(const Signature* signatures, std::size_t count, Signature query, unsigned most,
                                       std::uint32_t* out) noexcept;
#if defined(__x86_64__)
std::size_t filter_signatures_avx2(const Signature* signatures, std::size_t count, Signature query, unsigned most,
                                   std::uint32_t* out) noexcept;
#endif

}  // namespace leitong::candidates
