// The second sketch's slots from bigrams, one function for each instruction set. Plain data and functions only: leaf files compiled for
// wider instruction sets include this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong::fingerprint {

inline constexpr unsigned slot_count = 320;

struct BigramHashes {
  const std::uint64_t *numbered, *plain;  // `plain` is not read where `common` is null
  std::size_t count;
  const std::uint64_t* common;  // bitmap of 2^16 bits over the top 16 of a plain hash: those take no part. Null: all do
};

// False if every slot stayed empty; `slots` are then not written. With `common`, a bigram whose value is all ones counts as none.
using SlotsFunction = bool (*)(const BigramHashes& bigrams, std::uint8_t* slots) noexcept;
bool minhash_slots_portable(const BigramHashes& bigrams, std::uint8_t* slots) noexcept;
bool minhash_slots_avx512(const BigramHashes& bigrams, std::uint8_t* slots) noexcept;  // x86-64 only

constexpr unsigned donor_count = 16;

// Where an empty slot of N looks for a value: donor t of slot i, t = 0, 1, 2, ... A fixed sequence, the same for every text.
template <unsigned N>
struct DonorSequence {
  std::uint16_t of[donor_count][N] = {};

  constexpr DonorSequence() {
    std::uint64_t state = 0x6a09e667f3bcc908ULL;
    for (auto& row : of)
      for (std::uint16_t& donor : row) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        donor = static_cast<std::uint16_t>(((state >> 32) * N) >> 32);
      }
  }
};

}  // namespace leitong::fingerprint
