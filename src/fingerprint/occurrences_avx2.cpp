// Numbers equal features, compiled for AVX2. Twin: occurrences_portable.cpp.

#if defined(__AVX2__)

#include <immintrin.h>

#include "fingerprint/occurrences_body.h"

namespace leitong::fingerprint {
namespace {

// Which lanes a mask of eight chooses, in order.
struct Lanes {
  alignas(64) unsigned char of[256][8] = {};

  constexpr Lanes() {
    for (unsigned mask = 0; mask < 256; ++mask) {
      unsigned count = 0;
      for (unsigned i = 0; i < 8; ++i)
        if ((mask >> i & 1) != 0) of[mask][count++] = static_cast<unsigned char>(i);
    }
  }
};
constexpr Lanes lanes;

inline __m256i load(const std::uint32_t* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
inline void store(std::uint32_t* to, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
inline unsigned bits(__m256i v) { return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(v))); }

// Whether two of eight numbers are equal: each is compared with the next four around the ring.
inline bool any_equal(__m256i v) {
  const __m256i one = _mm256_cmpeq_epi32(v, _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0)));
  const __m256i two = _mm256_cmpeq_epi32(v, _mm256_permute4x64_epi64(v, 0x39));
  const __m256i three = _mm256_cmpeq_epi32(v, _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(3, 4, 5, 6, 7, 0, 1, 2)));
  const __m256i four = _mm256_cmpeq_epi32(v, _mm256_permute4x64_epi64(v, 0x4E));
  const __m256i any = _mm256_or_si256(_mm256_or_si256(one, two), _mm256_or_si256(three, four));
  return _mm256_testz_si256(any, any) == 0;
}

// Appends the chosen lanes of both, and returns how many they are.
inline std::size_t compress(unsigned chosen, __m256i a, std::uint32_t* to_a, __m256i b, std::uint32_t* to_b) {
  const __m256i places = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(lanes.of[chosen])));
  store(to_a, _mm256_permutevar8x32_epi32(a, places));
  store(to_b, _mm256_permutevar8x32_epi32(b, places));
  return static_cast<std::size_t>(_mm_popcnt_u32(chosen));
}

inline __m256i upper_halves(const std::uint64_t* from) {
  const __m256 low = _mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  const __m256 high = _mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 4)));
  return _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(low, high, 0xDD)), 0xD8);
}

// Eight keys a step, unless two of them want the same slot.
template <bool first>
inline void number_all(NumberingRound& caller) {
  NumberingRound round = caller;  // in registers, not behind a pointer that the stores might change
  const __m256i mask = _mm256_set1_epi32(static_cast<int>(round.mask)), zero = _mm256_setzero_si256();
  const __m256i iota = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  std::size_t k = 0;
  for (; k + 8 <= round.count; k += 8) {
    const __m256i keys = first ? upper_halves(round.features + k) : load(round.keys + k);
    const __m256i at = _mm256_and_si256(keys, mask), owned = _mm256_xor_si256(keys, at);
    if (any_equal(at)) {
      for (std::size_t i = 0; i < 8; ++i) number_one<first>(round, k + i);
      continue;
    }
    const __m256i found = _mm256_i32gather_epi32(reinterpret_cast<const int*>(round.table), at, 4);
    const __m256i entry = _mm256_or_si256(found, _mm256_and_si256(owned, _mm256_cmpeq_epi32(found, zero)));
    const __m256i copy = _mm256_sub_epi32(entry, owned);
    const __m256i same = _mm256_cmpeq_epi32(_mm256_min_epu32(copy, mask), copy);
    alignas(32) std::uint32_t slot[8], next[8];
    store(slot, at);
    store(next, _mm256_sub_epi32(entry, same));
    for (unsigned i = 0; i < 8; ++i) round.table[slot[i]] = next[i];
    const __m256i indices = first ? _mm256_add_epi32(iota, _mm256_set1_epi32(static_cast<int>(k))) : load(round.indices + k);
    const unsigned repeats = bits(_mm256_andnot_si256(_mm256_cmpeq_epi32(copy, zero), same));
    round.left += compress(~bits(same) & 255, keys, round.keys + round.left, indices, round.indices + round.left);
    round.repeated += compress(repeats, indices, round.repeats + round.repeated, copy, round.copies + round.repeated);
  }
  for (; k < round.count; ++k) number_one<first>(round, k);
  caller = round;
}

}  // namespace

void number_avx2(NumberingRound& round) noexcept { round.features != nullptr ? number_all<true>(round) : number_all<false>(round); }

}  // namespace leitong::fingerprint

#endif
