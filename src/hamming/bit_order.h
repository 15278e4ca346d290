// Turns a sample of fingerprints into an order of their bits that fills the buckets of all four blocks evenly.
//
// Distances do not depend on the order of bits, so a join or an index may use any. Where rows share a block, or many share one of few
// values of it, dealing its bits out to all blocks leaves every block with bits that tell rows apart.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace leitong::hamming {

// Where each bit goes, as eight tables of a byte's contribution: 16 KiB.
class BitOrder {
 public:
  // Bit order[b] of a value becomes bit b.
  explicit BitOrder(const std::array<std::uint8_t, 64>& order);
  [[nodiscard]] std::uint64_t of(std::uint64_t value) const noexcept {
    std::uint64_t out = 0;
    for (unsigned b = 0; b < 8; ++b) out |= table_[b][value >> (8 * b) & 255];
    return out;
  }

 private:
  std::array<std::array<std::uint64_t, 256>, 8> table_;
};

struct Spread {
  double agreement = 0;        // the share of row pairs that agree in a block, for the worst block: 2^-16 if bits are random
  unsigned constant_bits = 0;  // lowest bits of a block that tell no rows apart, in the block that has most
};

struct ChosenOrder {
  std::vector<BitOrder> order;  // one, or none: the bits are best as they are
  Spread spread;                // with that order
};

// Of word `word` of rows of `words` words. Equal rows count once: they agree whatever the order.
[[nodiscard]] ChosenOrder choose_bit_order(std::span<const std::uint64_t> values, unsigned words = 1, unsigned word = 0);

}  // namespace leitong::hamming
