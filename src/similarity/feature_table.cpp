#include "similarity/feature_table.h"

#include <algorithm>
#include <bit>

#include "processor/instruction_set.h"
#include "similarity/feature_buckets.h"

namespace leitong::similarity {
namespace {

const FeatureBuckets& choose() noexcept {
#if defined(__x86_64__)
  if (processor::use_avx512()) return feature_buckets_avx512;
  if (processor::use_avx2()) return feature_buckets_avx2;
#endif
  return feature_buckets_portable;
}

const FeatureBuckets& kernel() noexcept {
  static const FeatureBuckets& chosen = choose();
  return chosen;
}

}  // namespace

void FeatureTable::set(std::span<const std::uint32_t> features) {
  // One or two keys a bucket on average, so that hardly one in a thousand is full.
  const auto log_size = std::max(1U, static_cast<unsigned>(std::bit_width(features.size() / 2)));
  const std::size_t buckets = std::size_t{1} << log_size;
  shift_ = 32 - log_size;
  if (keys_.size() < buckets * width) keys_.resize(buckets * width), filled_.resize(buckets);
  rest_.resize(features.size());
  rest_.resize(kernel().fill(keys_.data(), filled_.data(), shift_, features.data(), features.size(), rest_.data()));
  std::sort(rest_.begin(), rest_.end());
  rest_.erase(std::unique(rest_.begin(), rest_.end()), rest_.end());
}

std::uint64_t FeatureTable::count(std::span<const std::uint32_t> other) const noexcept {
  if (keys_.empty()) return 0;
  std::uint64_t common = kernel().count(keys_.data(), shift_, other.data(), other.size());
  for (const std::uint32_t feature : rest_) common += static_cast<std::uint64_t>(std::count(other.begin(), other.end(), feature));
  return common;
}

}  // namespace leitong::similarity
