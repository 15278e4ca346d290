// Which of many set signatures differ from one in few bits. A signature is 512 parities: each feature of the set flips one bit, so two
// signatures differ in at most as many bits as the sets differ in features, and those of unrelated sets in far more, whatever their size.
// Plain data and functions only: leaf files compiled for wider
// instruction sets include this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong::candidates {

constexpr unsigned signature_words = 8;
struct Signature {
  std::uint64_t words[signature_words];
};

// Writes the indices i < count with at most `most` differing bits, ascending; returns how many. `out` holds `count`.
using SignatureFilter = std::size_t (*)(const Signature* signatures, std::size_t count, const Signature& query, unsigned most,
                                        std::uint32_t* out) noexcept;

std::size_t filter_signatures_portable(const Signature* signatures, std::size_t count, const Signature& query, unsigned most,
                                       std::uint32_t* out) noexcept;
#if defined(__x86_64__)
std::size_t filter_signatures_avx2(const Signature* signatures, std::size_t count, const Signature& query, unsigned most,
                                   std::uint32_t* out) noexcept;
std::size_t filter_signatures_avx512(const Signature* signatures, std::size_t count, const Signature& query, unsigned most,
                                     std::uint32_t* out) noexcept;
#endif

// The one for this processor, or for LEITONG_ISA.
SignatureFilter choose_signature_filter();

}  // namespace leitong::candidates
