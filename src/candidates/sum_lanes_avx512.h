// Sums over the lanes of eight vectors at once. Only for files that are compiled for AVX-512: private to each of them.
#pragma once

#include <immintrin.h>

namespace leitong::candidates {
namespace {  // NOLINT(google-build-namespaces): each file has its copy

// Lane k: the sum of v[k]'s lanes. Neighbouring lanes of two vectors are added, then neighbouring pairs, then halves.
inline __m512i sums_of_eight(const __m512i* v) {
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  const auto two = [](__m512i a, __m512i b) { return _mm512_add_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)); };
  const auto four = [&](__m512i a, __m512i b) {
    return _mm512_add_epi64(_mm512_permutex2var_epi64(a, low, b), _mm512_permutex2var_epi64(a, high, b));
  };
  const __m512i first = four(two(v[0], v[1]), two(v[2], v[3])), second = four(two(v[4], v[5]), two(v[6], v[7]));
  return _mm512_add_epi64(_mm512_shuffle_i64x2(first, second, 0x44), _mm512_shuffle_i64x2(first, second, 0xEE));
}

}  // namespace
}  // namespace leitong::candidates
