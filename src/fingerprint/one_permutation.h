// One permutation, N slots: the least value of the features that fall into each, and what an empty slot takes instead (Li, Owen, Zhang
// 2012; Shrivastava 2017). Shared by the second sketch (320 slots of a byte) and by the 1-bit MinHash (a slot a bit).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "fingerprint/minhash_kernels.h"

namespace leitong::fingerprint {

template <unsigned N>
class OnePermutation {
 public:
  static constexpr std::uint32_t empty = 0xffffffffU;

  OnePermutation() { least_.fill(empty); }

  // A feature with a value of all ones counts as none.
  void add(std::uint64_t feature, std::uint32_t value) {
    std::uint32_t& least = least_[((feature >> 32) * N) >> 32];
    least = std::min(least, value);
  }
  // The lowest bytes of the least values, empty slots filled. False if every slot is empty.
  [[nodiscard]] bool finish(std::array<std::uint8_t, N>& slots) {
    if (!start(slots)) return false;
    fill(slots);
    return true;
  }

 private:
  // Four donors of one slot stand side by side.
  static constexpr unsigned together = 4;
  using Donors = std::array<std::uint16_t, together>;
  static constexpr std::array<std::array<Donors, N>, donor_count / together> make_donors() {
    std::array<std::array<Donors, N>, donor_count / together> table{};
    const DonorSequence<N> sequence;
    for (unsigned t = 0; t < donor_count; ++t)
      for (unsigned i = 0; i < N; ++i) table[t / together][i][t % together] = sequence.of[t][i];
    return table;
  }

  bool start(std::array<std::uint8_t, N>& slots) {
    count_ = 0;
    for (unsigned i = 0; i < N; ++i) slots[i] = static_cast<std::uint8_t>(least_[i]);
    for (std::uint16_t i = 0; i < N; ++i) keep_if_empty(i, least_[i]);
    return count_ < N;
  }
  // Asks the first donors of every empty slot, then the next ones of those still empty, and so on: no branch depends on a single slot, for
  // nobody could predict it. After the table's donors are used up the search goes on around the ring, from the last donor.
  void fill(std::array<std::uint8_t, N>& slots) {
    static constexpr auto table = make_donors();
    for (const auto& row : table) {
      const unsigned asking = std::exchange(count_, 0);
      for (unsigned e = 0; e < asking; ++e) {
        const std::uint16_t i = empty_[e];
        const Donors& donor = row[i];
        std::uint32_t value = least_[donor[together - 1]];
        for (unsigned t = together - 1; t-- > 0;) value = sooner(least_[donor[t]], value);
        slots[i] = static_cast<std::uint8_t>(value);
        keep_if_empty(i, value);
      }
    }
    for (unsigned e = 0; e < count_; ++e) {
      unsigned donor = table.back()[empty_[e]].back();
      while (least_[donor] == empty) donor = donor + 1 == N ? 0 : donor + 1;
      slots[empty_[e]] = static_cast<std::uint8_t>(least_[donor]);
    }
  }
  // As a mask, lest the compiler make it a jump.
  static std::uint32_t sooner(std::uint32_t first, std::uint32_t second) { return first & (second | (0 - std::uint32_t{first != empty})); }
  void keep_if_empty(std::uint16_t slot, std::uint32_t value) {
    empty_[count_] = slot;
    count_ += static_cast<unsigned>(value == empty);
  }

  std::array<std::uint32_t, N> least_;
  std::array<std::uint16_t, N> empty_;  // the slots that are still empty
  unsigned count_ = 0;                  // of them
};

// Bit i is the lowest bit of slot i.
template <unsigned N>
[[nodiscard]] std::array<std::uint64_t, N / 64> lowest_bits(const std::array<std::uint8_t, N>& slots) noexcept {
  std::array<std::uint64_t, N / 64> bits{};
  for (unsigned i = 0; i < N; i += 8) {
    std::uint64_t eight = 0;  // slot i + k in byte k
    for (unsigned k = 0; k < 8; ++k) eight |= static_cast<std::uint64_t>(slots[i + k]) << 8 * k;
    eight = (eight & 0x0101010101010101U) * 0x0102040810204080U >> 56;
    bits[i / 64] |= eight << i % 64;
  }
  return bits;
}

}  // namespace leitong::fingerprint
