// The feature hash of eight tokens or pairs a step. Twin: hash_portable.cpp.

#if defined(__AVX512VBMI2__)

#include <immintrin.h>

#include "fingerprint/hash_kernels.h"

namespace leitong::fingerprint {
namespace {

constexpr std::size_t lane_count = 8;

inline __m512i all(std::uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
inline __mmask8 first_of(std::size_t left) { return static_cast<__mmask8>(left >= lane_count ? 255 : (1U << left) - 1); }

// Upper half xor lower half of the 128-bit products, by four products of 32 bits.
inline __m512i fold_multiply(__m512i a, __m512i b) {
  const __m512i a_high = _mm512_srli_epi64(a, 32), b_high = _mm512_srli_epi64(b, 32);
  const __m512i low = _mm512_mul_epu32(a, b), one = _mm512_mul_epu32(a, b_high), other = _mm512_mul_epu32(a_high, b);
  const __m512i one_low = _mm512_and_si512(one, all(0xffffffffU));
  const __m512i middle = _mm512_add_epi64(_mm512_add_epi64(_mm512_srli_epi64(low, 32), one_low), other);
  const __m512i above = _mm512_add_epi64(_mm512_srli_epi64(one, 32), _mm512_srli_epi64(middle, 32));
  const __m512i upper = _mm512_add_epi64(_mm512_mul_epu32(a_high, b_high), above);
  const __m512i lower = _mm512_mask_shuffle_epi32(low, 0xAAAA, middle, _MM_PERM_CCAA);  // the middle's lower halves above those of `low`
  return _mm512_xor_si512(lower, upper);
}

inline __m128i sixteen_at(const char* bytes, std::uint32_t at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + at)); }

// The bytes at tokens[0], [2], [4] and [6].
inline __m512i four_texts(const char* bytes, const text::Range* tokens) {
  const __m256i low =
      _mm256_inserti128_si256(_mm256_castsi128_si256(sixteen_at(bytes, tokens[0].begin)), sixteen_at(bytes, tokens[2].begin), 1);
  const __m256i high =
      _mm256_inserti128_si256(_mm256_castsi128_si256(sixteen_at(bytes, tokens[4].begin)), sixteen_at(bytes, tokens[6].begin), 1);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

// The first `count` bytes of each lane.
inline __m512i kept(__m512i text, __m512i count) {
  return _mm512_andnot_si512(_mm512_sllv_epi64(all(~0ULL), _mm512_slli_epi64(count, 3)), text);
}

// Of eight tokens; those of more than 16 bytes are left to the caller, who is told which.
inline __m512i eight_tokens(const std::uint64_t* keys, const char* bytes, const text::Range* tokens, __mmask8& is_long) {
  const __m512i ranges = _mm512_loadu_si512(tokens),
                size = _mm512_sub_epi64(_mm512_srli_epi64(ranges, 32), _mm512_and_si512(ranges, all(0xffffffffU)));
  const __m512i even = four_texts(bytes, tokens), odd = four_texts(bytes, tokens + 1);
  const __m512i low = kept(_mm512_unpacklo_epi64(even, odd), size);
  const __m512i high = kept(_mm512_unpackhi_epi64(even, odd), _mm512_sub_epi64(_mm512_max_epu64(size, all(8)), all(8)));
  is_long = _mm512_cmpgt_epu64_mask(size, all(16));
  const __m512i right = _mm512_ternarylogic_epi64(high, all(keys[0]), size, 0x96);
  const __m512i state = fold_multiply(_mm512_xor_si512(low, all(keys[1])), right);
  return fold_multiply(_mm512_xor_si512(state, all(keys[2])), all(keys[3]));
}

void tokens(const std::uint64_t* keys, const char* bytes, const text::Range* ranges, std::size_t n, std::uint64_t* out) noexcept {
  for (std::size_t i = 0; i < n; i += lane_count) {
    const std::size_t left = n - i;
    text::Range last[lane_count] = {};
    const text::Range* eight = ranges + i;
    if (left < lane_count) {
      for (std::size_t k = 0; k < left; ++k) last[k] = eight[k];
      eight = last;
    }
    __mmask8 is_long = 0;
    _mm512_mask_storeu_epi64(out + i, first_of(left), eight_tokens(keys, bytes, eight, is_long));
    for (unsigned lanes = is_long; lanes != 0; lanes &= lanes - 1) {
      const unsigned k = _tzcnt_u32(lanes);
      out[i + k] = hash_of_token(keys, bytes + eight[k].begin, eight[k].end - eight[k].begin);
    }
  }
}

void joins(const std::uint64_t* keys, const std::uint64_t* left, const std::uint64_t* right, std::size_t n, std::uint64_t* out) noexcept {
  const __m512i left_key = all(keys[4]), right_key = all(keys[5]);
  for (std::size_t i = 0; i < n; i += lane_count) {
    const __mmask8 some = first_of(n - i);
    const __m512i a = _mm512_maskz_loadu_epi64(some, left + i), b = _mm512_maskz_loadu_epi64(some, right + i);
    _mm512_mask_storeu_epi64(out + i, some, fold_multiply(_mm512_xor_si512(a, left_key), _mm512_xor_si512(b, right_key)));
  }
}

}  // namespace

extern const HashKernels hash_kernels_avx512 = {tokens, joins};

}  // namespace leitong::fingerprint

#endif
