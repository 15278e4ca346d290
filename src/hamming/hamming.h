// Hamming distance of fingerprints: one pair (bits.h), one against many, and the choice of instruction set. Internal to the library; the
// public promise is include/leitong/hamming.h. Everything here is thread-safe and noexcept unless it says otherwise.
#pragma once

#include <cstdint>
#include <span>

#include "hamming/bits.h"
#include "hamming/kernels.h"
#include "leitong/hamming.h"

namespace leitong::hamming {

// Writes the indexes (ascending) of the rows within k bits of `query` to `out`, which must hold n, and returns how many there are.
// `rows` holds n × words words; words is 1, 2 or 4.
std::uint32_t compare(const std::uint64_t* query, const std::uint64_t* rows, std::uint32_t n, unsigned words, unsigned k,
                      std::uint32_t* out) noexcept;

// The kernels of this process, by processor::instruction_set(); errors are its.
[[nodiscard]] const Kernels& kernels();

// Every set that this processor can run, portable first (for tests).
[[nodiscard]] std::span<const Kernels* const> available_kernels() noexcept;

// The joins of leitong/hamming.h with given kernels; `right` is empty for a join of `left` with itself.
void join(const Kernels& kernels, std::span<const std::uint64_t> left, std::span<const std::uint64_t> right,
          const HammingJoinOptions& options, const HammingPairSink& sink);

// Place of a width in the kernel tables: 1, 2, 4 words -> 0, 1, 2.
[[nodiscard]] constexpr unsigned width_index(unsigned words) noexcept { return words == 4 ? 2 : words - 1; }

}  // namespace leitong::hamming
