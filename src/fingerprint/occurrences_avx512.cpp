// Numbers equal features, sixteen a step, whatever slots they want. Twin: occurrences_portable.cpp.

#if defined(__AVX512VBMI2__)

#include <immintrin.h>

#include "fingerprint/occurrences_body.h"

namespace leitong::fingerprint {
namespace {

constexpr std::size_t lane_count = 16;

inline __m512i all(std::uint32_t x) { return _mm512_set1_epi32(static_cast<int>(x)); }
inline __m512i iota() { return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }

inline __m512i upper_halves(const std::uint64_t* from) {
  const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  return _mm512_permutex2var_epi32(_mm512_loadu_si512(from), odd, _mm512_loadu_si512(from + 8));
}

// Of each lane the first that wants the same slot; `before`: a bit for each earlier one.
inline __m512i first_lanes(__m512i before) {
  const __m512i lowest = _mm512_and_si512(before, _mm512_sub_epi32(_mm512_setzero_si512(), before));
  const __m512i place = _mm512_sub_epi32(all(31), _mm512_lzcnt_epi32(lowest));
  return _mm512_mask_mov_epi32(iota(), _mm512_test_epi32_mask(before, before), place);
}

inline std::size_t append(__mmask16 chosen, __m512i a, std::uint32_t* to_a, __m512i b, std::uint32_t* to_b) {
  _mm512_storeu_si512(to_a, _mm512_maskz_compress_epi32(chosen, a));
  _mm512_storeu_si512(to_b, _mm512_maskz_compress_epi32(chosen, b));
  return static_cast<std::size_t>(_mm_popcnt_u32(chosen));
}

// What number_one does lane after lane: an empty slot becomes that of the first lane which wants it, and of the lanes before one only those
// with its own key raise its count.
template <bool first>
inline void number_all(NumberingRound& caller) {
  NumberingRound round = caller;  // in registers, not behind a pointer that the stores might change
  const __m512i mask = all(round.mask);
  std::size_t k = 0;
  for (; k + lane_count <= round.count; k += lane_count) {
    const __m512i keys = first ? upper_halves(round.features + k) : _mm512_loadu_si512(round.keys + k);
    const __m512i at = _mm512_and_si512(keys, mask), owned = _mm512_xor_si512(keys, at);
    const __m512i before = _mm512_conflict_epi32(at);
    const __m512i found = _mm512_i32gather_epi32(at, round.table, 4);
    const __m512i entry = _mm512_mask_permutexvar_epi32(found, _mm512_testn_epi32_mask(found, found), first_lanes(before), owned);
    const __m512i base = _mm512_sub_epi32(entry, owned);
    const __mmask16 same = _mm512_cmple_epu32_mask(base, mask);
    const __m512i raised = _mm512_popcnt_epi32(_mm512_and_si512(before, all(same)));
    const __m512i next = _mm512_add_epi32(entry, raised), copy = _mm512_add_epi32(base, raised);
    alignas(64) std::uint32_t slot[lane_count], value[lane_count];
    _mm512_store_si512(slot, at);
    _mm512_store_si512(value, _mm512_mask_add_epi32(next, same, next, all(1)));
    for (std::size_t i = 0; i < lane_count; ++i) round.table[slot[i]] = value[i];
    const __m512i indices = first ? _mm512_add_epi32(iota(), all(static_cast<std::uint32_t>(k))) : _mm512_loadu_si512(round.indices + k);
    const __mmask16 repeats = _mm512_mask_test_epi32_mask(same, copy, copy);
    round.left += append(static_cast<__mmask16>(~same), keys, round.keys + round.left, indices, round.indices + round.left);
    round.repeated += append(repeats, indices, round.repeats + round.repeated, copy, round.copies + round.repeated);
  }
  for (; k < round.count; ++k) number_one<first>(round, k);
  caller = round;
}

}  // namespace

void number_avx512(NumberingRound& round) noexcept { round.features != nullptr ? number_all<true>(round) : number_all<false>(round); }

}  // namespace leitong::fingerprint

#endif
