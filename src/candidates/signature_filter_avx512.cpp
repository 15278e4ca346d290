// Which pairs of short texts may share enough features, by their signatures, eight signatures a step. Twin: signature_filter_portable.cpp.

#if defined(__AVX512VBMI2__)
#include <immintrin.h>

#include "candidates/signature_filter.h"
#include "candidates/sum_lanes_avx512.h"

namespace leitong::candidates {

std::size_t filter_signatures_avx512(const Signature* signatures, std::size_t count, const Signature& query, unsigned most,
                                     std::uint32_t* out) noexcept {
  const __m512i wanted = _mm512_loadu_si512(query.words), limit = _mm512_set1_epi64(most);
  const auto differing = [&](std::size_t i) {
    return _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(signatures[i].words), wanted));
  };
  const __m256i iota = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  std::size_t kept = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    __m512i bits[8];
    for (unsigned k = 0; k < 8; ++k) bits[k] = differing(i + k);
    const __mmask8 near = _mm512_cmple_epu64_mask(sums_of_eight(bits), limit);
    const __m256i indices = _mm256_add_epi32(iota, _mm256_set1_epi32(static_cast<int>(i)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + kept), _mm256_maskz_compress_epi32(near, indices));
    kept += static_cast<std::size_t>(_mm_popcnt_u32(near));
  }
  for (; i < count; ++i) {
    out[kept] = static_cast<std::uint32_t>(i);
    kept += static_cast<std::uint64_t>(_mm512_reduce_add_epi64(differing(i))) <= most ? 1 : 0;
  }
  return kept;
}

}  // namespace leitong::candidates
#endif
