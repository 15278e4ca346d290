#include "similarity/feature_table.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string_view>

#include "similarity/bucket_count.h"

namespace leitong::similarity {
namespace {

CountInBuckets choose() noexcept {
#if defined(__x86_64__)
  const char* forced = std::getenv("LEITONG_ISA");
  const bool portable = forced != nullptr && std::string_view(forced) == "portable";
  if (!portable && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return count_in_buckets_avx2;
#endif
  return count_in_buckets_portable;
}

}  // namespace

void FeatureTable::set(std::span<const std::uint32_t> features) {
  // One or two keys a bucket on average, so that hardly one in a thousand is full.
  const auto log_size = std::max(1U, static_cast<unsigned>(std::bit_width(features.size() / 2)));
  const std::size_t buckets = std::size_t{1} << log_size;
  shift_ = 32 - log_size;
  keys_.resize(buckets * width);
  // An empty place holds a key of the neighbouring bucket, which nobody looks for here.
  for (std::size_t bucket = 0; bucket < buckets; ++bucket)
    std::fill_n(&keys_[bucket * width], width, static_cast<std::uint32_t>(bucket ^ 1) << shift_);
  filled_.assign(buckets, 0);
  rest_.clear();
  for (const std::uint32_t feature : features) {
    const std::size_t bucket = feature >> shift_;
    // A number that is there twice by chance is kept once: each key looked for is to be found in one place.
    std::uint32_t known = 0;
    for (unsigned i = 0; i < width; ++i) known |= static_cast<std::uint32_t>(keys_[bucket * width + i] == feature);
    if (known != 0) continue;
    if (filled_[bucket] < width)
      keys_[bucket * width + filled_[bucket]++] = feature;
    else if (std::find(rest_.begin(), rest_.end(), feature) == rest_.end())
      rest_.push_back(feature);
  }
}

std::uint64_t FeatureTable::count(std::span<const std::uint32_t> other) const noexcept {
  if (keys_.empty()) return 0;
  static const CountInBuckets chosen = choose();
  std::uint64_t common = chosen(keys_.data(), shift_, other.data(), other.size());
  for (const std::uint32_t feature : rest_) common += static_cast<std::uint64_t>(std::count(other.begin(), other.end(), feature));
  return common;
}

}  // namespace leitong::similarity
