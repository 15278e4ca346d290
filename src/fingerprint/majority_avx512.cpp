// Counts of bits over many hashes, in carry-save planes of eight lanes. Twin: majority_portable.cpp, and majority_planes.h says how.

#if defined(__AVX512VBMI2__)

#include <immintrin.h>

#include "fingerprint/simhash.h"

namespace leitong::fingerprint {
namespace {

using Lanes = __m512i;
constexpr unsigned lane_count = 8, block = 16 * lane_count;
constexpr unsigned first_planes = 4;  // that a tree adds to; what it carries has weight 16
constexpr unsigned most_planes = 40;  // counts below 2^32, their sums over lanes, and some room

inline Lanes sum_bit(Lanes a, Lanes b, Lanes c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
inline Lanes carry_bit(Lanes a, Lanes b, Lanes c) { return _mm512_ternarylogic_epi64(a, b, c, 0xE8); }

// Adds both to `plane`, and returns what it carries.
inline Lanes carry_save(Lanes& plane, Lanes a, Lanes b) {
  const Lanes carry = carry_bit(plane, a, b);
  plane = sum_bit(plane, a, b);
  return carry;
}

inline Lanes add_two(Lanes* plane, const Lanes* v) { return carry_save(plane[0], v[0], v[1]); }
inline Lanes add_four(Lanes* plane, const Lanes* v) {
  const Lanes low = add_two(plane, v), high = add_two(plane, v + 2);
  return carry_save(plane[1], low, high);
}
inline Lanes add_eight(Lanes* plane, const Lanes* v) {
  const Lanes low = add_four(plane, v), high = add_four(plane, v + 4);
  return carry_save(plane[2], low, high);
}
inline Lanes add_sixteen(Lanes* plane, const Lanes* v) {
  const Lanes low = add_eight(plane, v), high = add_eight(plane, v + 8);
  return carry_save(plane[3], low, high);
}

// The i-th block's carry runs up as far as i has bits.
inline void ripple(Lanes* plane, Lanes carry, std::uint64_t blocks) {
  for (unsigned p = first_planes; blocks != 0; ++p, blocks >>= 1) {
    const Lanes next = _mm512_and_si512(plane[p], carry);
    plane[p] = _mm512_xor_si512(plane[p], carry);
    carry = next;
  }
}

// The hashes from `at` on, as many as there are, and zeros.
inline void load_rest(const std::uint64_t* hashes, std::uint64_t n, Lanes* v) {
  for (unsigned k = 0; k < 16; ++k) {
    const std::uint64_t from = std::uint64_t{k} * lane_count, left = n > from ? n - from : 0;
    const auto some = static_cast<__mmask8>(left >= lane_count ? 255 : (1U << left) - 1);
    v[k] = _mm512_maskz_loadu_epi64(some, hashes + (left == 0 ? 0 : from));
  }
}

// Returns how many planes are in use.
inline unsigned add_all(const std::uint64_t* hashes, std::uint64_t n, Lanes* plane) {
  Lanes v[16], first[first_planes];
  for (unsigned p = 0; p < first_planes; ++p) first[p] = _mm512_setzero_si512();
  std::uint64_t blocks = 0, i = 0;
  for (; n - i >= block; i += block) {
    for (unsigned k = 0; k < 16; ++k) v[k] = _mm512_loadu_si512(hashes + i + k * lane_count);
    ripple(plane, add_sixteen(first, v), ++blocks);
  }
  if (i < n) {
    load_rest(hashes + i, n - i, v);
    ripple(plane, add_sixteen(first, v), ++blocks);
  }
  for (unsigned p = 0; p < first_planes; ++p) plane[p] = first[p];
  return first_planes + (blocks == 0 ? 0 : 64 - static_cast<unsigned>(_lzcnt_u64(blocks)));
}

// Adds to each lane's counter that of the lane which `moved` brings to its place.
template <typename Move>
inline unsigned fold(Lanes* plane, unsigned top, Move moved) {
  Lanes carry = _mm512_setzero_si512();
  for (unsigned p = 0; p < top; ++p) {
    const Lanes a = plane[p], b = moved(a);
    plane[p] = sum_bit(a, b, carry);
    carry = carry_bit(a, b, carry);
  }
  plane[top] = carry;
  return top + 1;
}

inline std::uint64_t lowest(Lanes v) { return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm512_castsi512_si128(v))); }

// Bit j: count[j] > n / 2, as real numbers, which is count > floor(n / 2).
inline std::uint64_t compare(const Lanes* plane, unsigned top, std::uint64_t n) {
  const std::uint64_t half = n / 2;
  std::uint64_t greater = 0, equal = ~0ULL;
  for (unsigned p = top; p-- > 0;) {
    const std::uint64_t bit = 0 - (half >> p & 1), count = lowest(plane[p]);
    greater |= equal & count & ~bit;
    equal &= ~(count ^ bit);
  }
  return greater;
}

}  // namespace

std::uint64_t majority_avx512(const std::uint64_t* hashes, std::uint64_t n) noexcept {
  Lanes plane[most_planes];
  for (auto& p : plane) p = _mm512_setzero_si512();
  unsigned top = add_all(hashes, n, plane);
  top = fold(plane, top, [](Lanes v) { return _mm512_shuffle_i64x2(v, v, 0x4E); });
  top = fold(plane, top, [](Lanes v) { return _mm512_shuffle_i64x2(v, v, 0xB1); });
  top = fold(plane, top, [](Lanes v) { return _mm512_permutex_epi64(v, 0xB1); });
  return compare(plane, top, n);
}

}  // namespace leitong::fingerprint

#endif
