// The three ways to look up fingerprints of 64 bits that articles on SimHash describe, built as well as they allow; references, not rivals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle.h"

namespace bench_hamming {

// Values -> rows, several rows a value allowed: open addressing, at most two thirds full, 12 bytes a slot.
class FlatTable {
 public:
  explicit FlatTable(std::size_t entries);
  void insert(std::uint64_t value, std::uint32_t row);
  template <typename Visit>
  void find(std::uint64_t value, const Visit& visit) const {
    for (std::size_t slot = start(value); rows_[slot] != none; slot = (slot + 1) & mask_)
      if (values_[slot] == value) visit(rows_[slot]);
  }
  [[nodiscard]] std::uint64_t bytes() const { return 12 * (mask_ + 1); }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  [[nodiscard]] std::size_t start(std::uint64_t value) const { return static_cast<std::size_t>((value * 0x9e3779b97f4a7c15U) >> shift_); }

  std::size_t mask_;
  unsigned shift_;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint32_t> rows_;
};

// visit(value ^ up to `k` flipped bits, how many): 43,745 of them for k = 3.
template <typename Visit>
void each_variation(std::uint64_t value, unsigned k, const Visit& visit, unsigned from = 0, unsigned flipped = 0) {
  visit(value, flipped);
  if (flipped == k) return;
  for (unsigned bit = from; bit < 64; ++bit) each_variation(value ^ (std::uint64_t{1} << bit), k, visit, bit + 1, flipped + 1);
}

// First way: the stored fingerprints in a hash table; a query looks up each of its variations.
class VariationProbe {
 public:
  explicit VariationProbe(std::span<const std::uint64_t> values);
  void find(std::uint64_t query, std::uint64_t number, unsigned k, Tally& found) const;
  [[nodiscard]] std::uint64_t bytes() const { return table_.bytes(); }

 private:
  FlatTable table_;
};

// Second way: every variation of every stored fingerprint in a hash table; a query looks up itself.
class ExpandedTable {
 public:
  ExpandedTable(std::span<const std::uint64_t> values, unsigned k);
  void find(std::uint64_t query, std::uint64_t number, Tally& found) const;
  [[nodiscard]] std::uint64_t bytes() const { return table_.bytes(); }
  [[nodiscard]] static std::size_t variations(unsigned k);

 private:
  std::span<const std::uint64_t> values_;
  FlatTable table_;
};

// Third way: four tables keyed by 16 bits each; a query compares the candidates of its four keys. k is at most 3. Fingerprints stand beside
// each other in their bucket, so that candidates are scanned, not fetched one by one: 48 bytes a row.
class FourTables {
 public:
  explicit FourTables(std::span<const std::uint64_t> values);
  // Returns the number of candidates, those of the first table apart.
  struct Candidates {
    std::uint64_t first, all;
  };
  Candidates find(std::uint64_t query, std::uint64_t number, unsigned k, Tally& found) const;
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct Table {
    std::vector<std::uint64_t> values;
    std::vector<std::uint32_t> rows, starts;
  };
  std::vector<Table> tables_;
};

}  // namespace bench_hamming
