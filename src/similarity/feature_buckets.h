// Buckets of eight keys, filled and searched: written once over eight 32-bit lanes and compiled for each instruction set by
// feature_buckets_<isa>.cpp. Only the compiler's own vector types are used, so that no inline library template is instantiated there.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi"  // no vector crosses a file

namespace leitong::similarity {

// The bucket of a key is key >> shift, and there are 2^(32 - shift) buckets; n < 2^32.
struct FeatureBuckets {
  // Makes all buckets empty, then puts the keys in, each once. `filled`: keys in each bucket. Keys whose bucket is full go to `rest`,
  // perhaps more than once. Returns how many went there.
  size_t (*fill)(uint32_t* buckets, uint8_t* filled, unsigned shift, const uint32_t* keys, size_t n, uint32_t* rest) noexcept;
  // How many of the keys stand in their bucket.
  uint64_t (*count)(const uint32_t* buckets, unsigned shift, const uint32_t* keys, size_t n) noexcept;
};
extern const FeatureBuckets feature_buckets_portable;
#if defined(__x86_64__)
extern const FeatureBuckets feature_buckets_avx2;
extern const FeatureBuckets feature_buckets_avx512;
#endif

namespace {  // NOLINT(google-build-namespaces): each instruction set has its copy

using EightKeys __attribute__((vector_size(32))) = uint32_t;
using FourPairs __attribute__((vector_size(32))) = int64_t;

inline size_t fill_by_lanes(uint32_t* buckets, uint8_t* filled, unsigned shift, const uint32_t* keys, size_t n, uint32_t* rest) noexcept {
  const size_t count = size_t{1} << (32 - shift);
  for (size_t bucket = 0; bucket < count; ++bucket) {
    // An empty place holds a key of the neighbouring bucket, which nobody looks for here.
    const EightKeys empty = static_cast<uint32_t>((bucket ^ 1) << shift) - EightKeys{};
    memcpy(buckets + 8 * bucket, &empty, sizeof empty);
  }
  memset(filled, 0, count);
  size_t others = 0;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t key = keys[i];
    uint32_t* const place = buckets + 8 * static_cast<size_t>(key >> shift);
    EightKeys bucket;
    memcpy(&bucket, place, sizeof bucket);
    const FourPairs equal = (FourPairs)(bucket == key);
    if ((equal[0] | equal[1] | equal[2] | equal[3]) != 0) continue;
    uint8_t& used = filled[key >> shift];
    if (used < 8)
      place[used++] = key;
    else
      rest[others++] = key;
  }
  return others;
}

// Each lane counts for itself: a key that is found is found in one lane.
inline uint64_t count_by_lanes(const uint32_t* buckets, unsigned shift, const uint32_t* keys, size_t n) noexcept {
  EightKeys found = {0, 0, 0, 0, 0, 0, 0, 0};
  for (size_t i = 0; i < n; ++i) {
    EightKeys bucket;
    memcpy(&bucket, buckets + 8 * static_cast<size_t>(keys[i] >> shift), sizeof bucket);
    found -= (EightKeys)(bucket == keys[i]);  // 0 or -1
  }
  uint64_t sum = 0;
  for (int lane = 0; lane < 8; ++lane) sum += found[lane];
  return sum;
}

}  // namespace
}  // namespace leitong::similarity
