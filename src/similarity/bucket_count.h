// How many keys stand in their bucket of eight: written once over eight 32-bit lanes and compiled for each instruction set by
// bucket_count_<isa>.cpp. Only the compiler's own vector type is used, so that no inline library template is instantiated there.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi"  // no vector crosses a file

namespace leitong::similarity {

// The bucket of a key is key >> shift; the keys of a bucket are distinct. n < 2^32.
using CountInBuckets = uint64_t (*)(const uint32_t* buckets, unsigned shift, const uint32_t* keys, size_t n) noexcept;
uint64_t count_in_buckets_portable(const uint32_t* buckets, unsigned shift, const uint32_t* keys, size_t n) noexcept;
#if defined(__x86_64__)
uint64_t count_in_buckets_avx2(const uint32_t* buckets, unsigned shift, const uint32_t* keys, size_t n) noexcept;
#endif

namespace {

typedef uint32_t EightKeys __attribute__((vector_size(32)));

// Each lane counts for itself: a key that is found is found in one lane.
inline uint64_t count_by_lanes(const uint32_t* buckets, unsigned shift, const uint32_t* keys, size_t n) {
  EightKeys found = {0, 0, 0, 0, 0, 0, 0, 0};
  for (size_t i = 0; i < n; ++i) {
    EightKeys bucket;
    memcpy(&bucket, buckets + 8 * static_cast<size_t>(keys[i] >> shift), sizeof bucket);
    const auto equal = bucket == keys[i];  // 0 or -1
    found -= reinterpret_cast<const EightKeys&>(equal);
  }
  uint64_t sum = 0;
  for (int lane = 0; lane < 8; ++lane) sum += found[lane];
  return sum;
}

}  // namespace
}  // namespace leitong::similarity
