// How many features of many other sets one set holds: the set is put in a table once, then each other set is counted against it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace leitong::similarity {

// Buckets of eight keys, all compared at once, so that no branch depends on whether a feature is found; what a full bucket cannot take is
// kept in a list that is nearly always empty.
class FeatureTable {
 public:
  // Distinct numbers, in any order. Replaces what was there.
  void set(std::span<const std::uint32_t> features);
  // How many of `other` (distinct numbers) are in the table. One cache line each.
  [[nodiscard]] std::uint64_t count(std::span<const std::uint32_t> other) const noexcept;

 private:
  static constexpr unsigned width = 8;
  std::vector<std::uint32_t> keys_;   // buckets × width
  std::vector<std::uint8_t> filled_;  // of each bucket
  std::vector<std::uint32_t> rest_;
  unsigned shift_ = 31;
};

}  // namespace leitong::similarity
