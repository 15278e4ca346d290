// How far apart the sketches of two rows are, eight pairs of five words a step. Twin: pair_distance_portable.cpp.

#if defined(__AVX512VBMI2__)
#include <immintrin.h>

#include "candidates/pair_distance.h"
#include "candidates/sum_lanes_avx512.h"

namespace leitong::candidates {
namespace {

// Pairs ahead whose rows are fetched: rows of a group lie anywhere in memory.
constexpr std::size_t look_ahead = 16;

template <unsigned words>
inline void prefetch(const std::uint64_t* bits, std::uint32_t row) {
  const std::uint64_t* const at = bits + std::size_t{row} * words;
  __builtin_prefetch(at);
  __builtin_prefetch(at + words - 1);  // the row may begin in one cache line and end in the next
}

template <unsigned words>
inline __m512i differing(const std::uint64_t* bits, const RowPair& pair) {
  constexpr auto some = static_cast<__mmask8>((1U << words) - 1);
  const __m512i a = _mm512_maskz_loadu_epi64(some, bits + std::size_t{pair.a} * words);
  const __m512i b = _mm512_maskz_loadu_epi64(some, bits + std::size_t{pair.b} * words);
  return _mm512_popcnt_epi64(_mm512_xor_si512(a, b));
}

template <unsigned words>
void distances(const std::uint64_t* bits, const RowPair* pairs, std::size_t count, std::uint32_t* out) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    if (i + look_ahead + 8 <= count)
      for (unsigned k = 0; k < 8; ++k) {
        prefetch<words>(bits, pairs[i + look_ahead + k].a);
        prefetch<words>(bits, pairs[i + look_ahead + k].b);
      }
    __m512i counts[8];
    for (unsigned k = 0; k < 8; ++k) counts[k] = differing<words>(bits, pairs[i + k]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm512_cvtepi64_epi32(sums_of_eight(counts)));
  }
  for (; i < count; ++i) out[i] = static_cast<std::uint32_t>(_mm512_reduce_add_epi64(differing<words>(bits, pairs[i])));
}

}  // namespace

void pair_distances_avx512(const std::uint64_t* bits, unsigned words, const RowPair* pairs, std::size_t count,
                           std::uint32_t* out) noexcept {
  words == 5 ? distances<5>(bits, pairs, count, out) : pair_distances_avx2(bits, words, pairs, count, out);  // there it gains nothing
}

}  // namespace leitong::candidates
#endif
