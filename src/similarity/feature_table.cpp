#include "similarity/feature_table.h"

#include <bit>

namespace leitong::similarity {

void FeatureTable::set(std::span<const std::uint64_t> features) {
  const auto log_size = static_cast<unsigned>(std::bit_width(features.size())) + 1;
  slots_.assign(std::size_t{1} << log_size, 0);
  shift_ = 64 - log_size;
  holds_zero_ = false;
  const std::size_t mask = slots_.size() - 1;
  for (const std::uint64_t feature : features) {
    if (feature == 0) holds_zero_ = true;
    std::size_t slot = feature >> shift_;
    while (slots_[slot] != 0 && slots_[slot] != feature) slot = (slot + 1) & mask;
    slots_[slot] = feature;
  }
}

std::uint64_t FeatureTable::count(std::span<const std::uint64_t> other) const noexcept {
  if (slots_.empty()) return 0;
  const std::size_t mask = slots_.size() - 1;
  std::uint64_t common = 0;
  for (const std::uint64_t feature : other) {
    std::size_t slot = feature >> shift_;
    while (slots_[slot] != 0 && slots_[slot] != feature) slot = (slot + 1) & mask;
    common += static_cast<std::uint64_t>(feature == 0 ? holds_zero_ : slots_[slot] == feature);
  }
  return common;
}

}  // namespace leitong::similarity
