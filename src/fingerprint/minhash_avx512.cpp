// The second sketch's slots: eight bigrams a step, and 64 empty slots ask a donor at once, for all 320 slots stand in five registers.
// Twin: minhash_portable.cpp.

#if defined(__AVX512VBMI2__)

#include <immintrin.h>

#include "fingerprint/minhash_kernels.h"

namespace leitong::fingerprint {
namespace {

constexpr unsigned parts = slot_count / 64;
constexpr std::uint32_t empty = 0xffffffffU;

inline __m512i all(unsigned char byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }

// Donors as registers take them: the lower eight bits of their numbers, and a mask of those from 256 on.
struct Donors {
  alignas(64) std::uint8_t low[donor_count][slot_count] = {};
  std::uint64_t high[donor_count][parts] = {};

  constexpr explicit Donors(const DonorSequence<slot_count>& sequence) {
    for (unsigned t = 0; t < donor_count; ++t)
      for (unsigned i = 0; i < slot_count; ++i) {
        low[t][i] = static_cast<std::uint8_t>(sequence.of[t][i]);
        high[t][i / 64] |= std::uint64_t{sequence.of[t][i]} >> 8 << i % 64;
      }
  }
};
constexpr DonorSequence<slot_count> sequence;
constexpr Donors donors(sequence);

struct Bits {
  alignas(64) std::uint8_t of[64] = {};
  constexpr Bits() {
    for (unsigned i = 0; i < 64; ++i) of[i] = static_cast<std::uint8_t>(1U << i % 8);
  }
};
constexpr Bits bits;

// The numbers of 64 slots: their lower eight bits, and which are 256 and above.
struct Choice {
  __m512i low;
  std::uint64_t high;
};

struct Slots {
  __m512i value[parts];
  std::uint64_t filled[parts];
  __m512i filled_bytes;  // the same bits, in one register

  // The values of the slots chosen.
  [[nodiscard]] __m512i look_up(const Choice& slots) const {
    const __m512i first = _mm512_permutex2var_epi8(value[0], slots.low, value[1]);
    const __m512i second = _mm512_permutex2var_epi8(value[2], slots.low, value[3]);
    const __m512i below = _mm512_mask_mov_epi8(first, _mm512_movepi8_mask(slots.low), second);
    return _mm512_mask_permutexvar_epi8(below, slots.high, slots.low, value[4]);
  }
  [[nodiscard]] std::uint64_t are_filled(const Choice& slots) const {
    const __m512i byte = _mm512_and_si512(_mm512_srli_epi16(slots.low, 3), all(31));
    const __m512i at = _mm512_or_si512(byte, _mm512_maskz_mov_epi8(slots.high, all(32)));
    const __m512i bit = _mm512_permutexvar_epi8(slots.low, _mm512_load_si512(bits.of));
    return _mm512_test_epi8_mask(_mm512_permutexvar_epi8(at, filled_bytes), bit);
  }
  // The first filled slot from `slot` on, around the ring; there is one.
  [[nodiscard]] unsigned next_filled(unsigned slot) const {
    unsigned part = slot / 64;
    std::uint64_t left = filled[part] & ~std::uint64_t{0} << slot % 64;
    while (left == 0) {
      part = part + 1 == parts ? 0 : part + 1;
      left = filled[part];
    }
    return 64 * part + static_cast<unsigned>(_tzcnt_u64(left));
  }
};

inline bool gather(const std::uint32_t* least, Slots& slots) {
  alignas(64) std::uint8_t values[slot_count];
  alignas(64) std::uint64_t filled[8] = {};
  std::uint64_t any = 0;
  for (unsigned part = 0; part < parts; ++part) {
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      const unsigned at = 64 * part + 16 * quarter;
      const __m512i sixteen = _mm512_load_si512(least + at);
      _mm_store_si128(reinterpret_cast<__m128i*>(values + at), _mm512_cvtepi32_epi8(sixteen));
      filled[part] |= std::uint64_t{_mm512_cmpneq_epi32_mask(sixteen, _mm512_set1_epi32(-1))} << 16 * quarter;
    }
    slots.filled[part] = filled[part];
    any |= filled[part];
  }
  for (unsigned part = 0; part < parts; ++part) slots.value[part] = _mm512_load_si512(values + 64 * part);
  slots.filled_bytes = _mm512_load_si512(filled);
  return any != 0;
}

// Of each slot that is empty its first donor that is not. Returns whether some are left: all donors are empty, too.
inline bool choose_donors(const Slots& slots, Choice* chosen, std::uint64_t* asking) {
  std::uint64_t left = 1;
  for (unsigned t = 0; t < donor_count && left != 0; ++t) {
    left = 0;
    for (unsigned part = 0; part < parts; ++part) {
      const Choice donor{_mm512_load_si512(donors.low[t] + 64 * part), donors.high[t][part]};
      const std::uint64_t found = slots.are_filled(donor) & asking[part];
      chosen[part].low = _mm512_mask_mov_epi8(chosen[part].low, found, donor.low);
      chosen[part].high |= donor.high & found;
      asking[part] &= ~found;
      left |= asking[part];
    }
  }
  return left != 0;
}

// Those take what follows their last donor.
inline void fill_around_the_ring(const Slots& slots, const std::uint64_t* asking, std::uint8_t* out) {
  std::uint8_t values[slot_count];
  for (unsigned part = 0; part < parts; ++part) _mm512_storeu_si512(values + 64 * part, slots.value[part]);
  for (unsigned part = 0; part < parts; ++part)
    for (std::uint64_t left = asking[part]; left != 0; left &= left - 1) {
      const unsigned i = 64 * part + static_cast<unsigned>(_tzcnt_u64(left));
      out[i] = values[slots.next_filled(sequence.of[donor_count - 1][i])];
    }
}

inline void fill(const Slots& slots, std::uint8_t* out) {
  Choice chosen[parts];
  std::uint64_t asking[parts];
  for (unsigned part = 0; part < parts; ++part) {
    asking[part] = ~slots.filled[part];
    chosen[part] = {_mm512_setzero_si512(), 0};
  }
  const bool some_left = choose_donors(slots, chosen, asking);
  for (unsigned part = 0; part < parts; ++part) {
    _mm512_storeu_si512(out + 64 * part, _mm512_mask_mov_epi8(slots.look_up(chosen[part]), slots.filled[part], slots.value[part]));
  }
  if (some_left) fill_around_the_ring(slots, asking, out);
}

// All ones for a common bigram. Where none is common, a value of all ones is made one less, so that it counts.
template <bool some_common>
inline __m512i values_of(const BigramHashes& bigrams, std::size_t i, __m512i numbered) {
  const __m512i low = _mm512_and_si512(numbered, _mm512_set1_epi64(empty));
  if (!some_common) return _mm512_min_epu64(low, _mm512_set1_epi64(empty - 1));
  const __m512i top = _mm512_srli_epi64(_mm512_loadu_si512(bigrams.plain + i), 48);
  const __m512i words = _mm512_i64gather_epi64(_mm512_srli_epi64(top, 6), bigrams.common, 8);
  const __m512i bit = _mm512_sllv_epi64(_mm512_set1_epi64(1), _mm512_and_si512(top, _mm512_set1_epi64(63)));
  return _mm512_mask_mov_epi64(low, _mm512_test_epi64_mask(words, bit), _mm512_set1_epi64(empty));
}

// Many bigrams' slots and values stand in memory before the first is read again: a load waits for a wide store just before it.
constexpr unsigned many = 64;
struct Lowerings {
  alignas(64) std::uint32_t slot[many], value[many];
};

// Eight bigrams from the i-th on.
template <bool some_common>
inline void find_eight(const BigramHashes& bigrams, std::size_t i, std::uint32_t* slot, std::uint32_t* value) {
  const __m512i numbered = _mm512_loadu_si512(bigrams.numbered + i);
  const __m512i at = _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(numbered, 32), _mm512_set1_epi64(slot_count)), 32);
  _mm256_store_si256(reinterpret_cast<__m256i*>(slot), _mm512_cvtepi64_epi32(at));
  _mm256_store_si256(reinterpret_cast<__m256i*>(value), _mm512_cvtepi64_epi32(values_of<some_common>(bigrams, i, numbered)));
}

inline void lower(std::uint32_t* least, std::uint32_t slot, std::uint32_t value) {
  const std::uint32_t before = least[slot];
  least[slot] = value < before ? value : before;
}

template <bool some_common>
inline void add_all(const BigramHashes& bigrams, std::uint32_t* least) {
  Lowerings found;
  std::size_t i = 0;
  for (; i + 8 <= bigrams.count;) {
    const std::size_t left = bigrams.count - i, n = left < many ? left / 8 * 8 : many;
    for (std::size_t k = 0; k < n; k += 8) find_eight<some_common>(bigrams, i + k, found.slot + k, found.value + k);
    for (std::size_t k = 0; k < n; ++k) lower(least, found.slot[k], found.value[k]);
    i += n;
  }
  for (; i < bigrams.count; ++i) {
    const std::uint64_t h = bigrams.numbered[i];
    auto value = static_cast<std::uint32_t>(h);
    if (some_common) {
      const std::uint64_t top = bigrams.plain[i] >> 48;
      value |= 0 - static_cast<std::uint32_t>(bigrams.common[top >> 6] >> (top & 63) & 1);
    } else if (value == empty) {
      --value;
    }
    lower(least, static_cast<std::uint32_t>((h >> 32) * slot_count >> 32), value);
  }
}

}  // namespace

bool minhash_slots_avx512(const BigramHashes& bigrams, std::uint8_t* out) noexcept {
  alignas(64) std::uint32_t least[slot_count];
  for (unsigned i = 0; i < slot_count; i += 16) _mm512_store_si512(least + i, _mm512_set1_epi32(-1));
  bigrams.common != nullptr ? add_all<true>(bigrams, least) : add_all<false>(bigrams, least);
  Slots slots;
  if (!gather(least, slots)) return false;
  fill(slots, out);
  return true;
}

}  // namespace leitong::fingerprint

#endif
