// Weighted 64-bit hashes to SimHash bits (Charikar 2002): bit j is set if the hashes with bit j set outweigh those without.
#pragma once

#include <cstdint>
#include <span>

namespace leitong::fingerprint {

// 64 bits of majority: bit j of the result is set if more than half of the hashes have bit j set (a tie gives 0). No hashes: 0.
// Carry-save counters: about one instruction a hash. n < 2^32.
[[nodiscard]] std::uint64_t majority(std::span<const std::uint64_t> hashes) noexcept;

// Bit j is set if the sum of weight · (bit ? 1 : -1) is greater than 0. Weights in fixed point, sums in 64 bits.
[[nodiscard]] std::uint64_t weighted_majority(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> weights) noexcept;

// Variants, for tests: what majority() chooses from, once, at first use; LEITONG_ISA=portable forces the first.
[[nodiscard]] std::uint64_t majority_portable(const std::uint64_t* hashes, std::uint64_t n) noexcept;
[[nodiscard]] std::uint64_t majority_avx2(const std::uint64_t* hashes, std::uint64_t n) noexcept;
[[nodiscard]] std::uint64_t majority_avx512(const std::uint64_t* hashes, std::uint64_t n) noexcept;

}  // namespace leitong::fingerprint
