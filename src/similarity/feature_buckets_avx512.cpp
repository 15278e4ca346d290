// Buckets of eight keys compared at once, two keys a step. Twin: feature_buckets_portable.cpp.

#if defined(__AVX512VBMI2__)
#include <immintrin.h>

#include "similarity/feature_buckets.h"

namespace leitong::similarity {
namespace {

inline __m256i bucket_of(const uint32_t* buckets, unsigned shift, uint32_t key) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(buckets + 8 * static_cast<size_t>(key >> shift)));
}

inline __m256i two_keys(const uint32_t* keys) { return _mm256_castsi128_si256(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(keys))); }

// Each lane counts for itself: a key that is found is found in one lane.
uint64_t count_pairs(const uint32_t* buckets, unsigned shift, const uint32_t* keys, size_t n) noexcept {
  const __m512i which = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), one = _mm512_set1_epi32(1);
  __m512i found = _mm512_setzero_si512();
  size_t i = 0;
  for (; i + 2 <= n; i += 2) {
    const __m512i first = _mm512_castsi256_si512(bucket_of(buckets, shift, keys[i]));
    const __m512i both = _mm512_inserti64x4(first, bucket_of(buckets, shift, keys[i + 1]), 1);
    const __m512i wanted = _mm512_permutexvar_epi32(which, _mm512_castsi256_si512(two_keys(keys + i)));
    found = _mm512_mask_add_epi32(found, _mm512_cmpeq_epi32_mask(both, wanted), found, one);
  }
  const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(found)),
                high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(found, 1));
  const auto pairs = static_cast<uint64_t>(_mm512_reduce_add_epi64(_mm512_add_epi64(low, high)));
  return pairs + (i < n ? count_by_lanes(buckets, shift, keys + i, 1) : 0);
}

}  // namespace

extern const FeatureBuckets feature_buckets_avx512 = {fill_by_lanes, count_pairs};

}  // namespace leitong::similarity
#endif
