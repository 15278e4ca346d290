// How many features of many other sets one set holds: the set is put in a table once, then each other set is counted against it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace leitong::similarity {

class FeatureTable {
 public:
  // Distinct numbers, in any order. Replaces what was there.
  void set(std::span<const std::uint64_t> features);
  // How many of `other` (distinct numbers) are in the table. Expected one memory access each.
  [[nodiscard]] std::uint64_t count(std::span<const std::uint64_t> other) const noexcept;

 private:
  std::vector<std::uint64_t> slots_;  // 0: empty; the number 0 itself is kept apart
  unsigned shift_ = 63;
  bool holds_zero_ = false;
};

}  // namespace leitong::similarity
