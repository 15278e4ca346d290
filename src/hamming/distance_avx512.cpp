// AVX-512 kernels: bits are counted by instructions of their own, and comparisons give masks.
#if defined(__AVX512VBMI2__)
#include <immintrin.h>

#include "hamming/scan_body.h"

namespace leitong::hamming {
namespace {

inline __m512i load(const void* p) noexcept { return _mm512_loadu_si512(p); }

// 32 rows of 16 bits, or twice 16 of 32 bits: a bit for each that differs from the query in at most `limit` bits, which are none if Equal.
template <bool Equal>
struct Lanes16 {
  using Row = std::uint16_t;
  __m512i query, limit;
  Lanes16(Row row, unsigned most) noexcept
      : query(_mm512_set1_epi16(static_cast<short>(row))), limit(_mm512_set1_epi16(static_cast<short>(most))) {}
  [[nodiscard]] std::uint32_t near(const Row* rows, std::uint32_t) const noexcept {
    if constexpr (Equal) return _mm512_cmpeq_epi16_mask(query, load(rows));
    return _mm512_cmple_epu16_mask(_mm512_popcnt_epi16(_mm512_xor_si512(query, load(rows))), limit);
  }
};

template <bool Equal>
struct Lanes32 {
  using Row = std::uint32_t;
  __m512i query, limit;
  Lanes32(Row row, unsigned most) noexcept
      : query(_mm512_set1_epi32(static_cast<int>(row))), limit(_mm512_set1_epi32(static_cast<int>(most))) {}
  [[nodiscard]] std::uint32_t near_half(const Row* rows) const noexcept {
    if constexpr (Equal) return _mm512_cmpeq_epi32_mask(query, load(rows));
    return _mm512_cmple_epu32_mask(_mm512_popcnt_epi32(_mm512_xor_si512(query, load(rows))), limit);
  }
  [[nodiscard]] std::uint32_t near(const Row* rows, std::uint32_t left) const noexcept {
    return left <= 16 ? near_half(rows) : near_half(rows) | near_half(rows + 16) << 16;
  }
};

template <template <bool> typename Lanes>
std::uint32_t scan(PairScan* s) noexcept {
  return s->limit == 0 ? scan_filters<Lanes<true>>(s) : scan_filters<Lanes<false>>(s);
}
template <template <bool> typename Lanes>
std::uint32_t scan_buckets(BucketScan* s) noexcept {
  return s->limit == 0 ? scan_bucket_filters<Lanes<true>>(s) : scan_bucket_filters<Lanes<false>>(s);
}

inline __m512i counts(const std::uint64_t* row, __m512i query) noexcept { return _mm512_popcnt_epi64(_mm512_xor_si512(query, load(row))); }

// Sums of neighbouring lanes, in order.
inline __m512i fold(__m512i a, __m512i b) noexcept {
  const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
  return _mm512_add_epi64(_mm512_permutex2var_epi64(a, even, b), _mm512_permutex2var_epi64(a, odd, b));
}

// The distances of eight rows from the query, one a lane, in row order.
template <unsigned Words>
inline __m512i eight_distances(const std::uint64_t* row, __m512i query) noexcept {
  if constexpr (Words == 1) {
    return counts(row, query);
  } else if constexpr (Words == 2) {
    return fold(counts(row, query), counts(row + 8, query));
  } else {
    return fold(eight_distances<2>(row, query), eight_distances<2>(row + 16, query));
  }
}

template <unsigned Words>
inline __m512i spread_row(const std::uint64_t* q) noexcept {
  if constexpr (Words == 1) {
    return _mm512_set1_epi64(static_cast<long long>(q[0]));
  } else if constexpr (Words == 2) {
    return _mm512_broadcast_i64x2(_mm_loadu_si128(reinterpret_cast<const __m128i*>(q)));
  } else {
    return _mm512_broadcast_i64x4(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(q)));
  }
}

// A mask of 16 rows takes one branch.
template <unsigned Words, typename Hit>
inline void each_near_row(const std::uint64_t* q, const std::uint64_t* rows, std::uint32_t first, std::uint32_t n, unsigned limit,
                          Hit hit) noexcept {
  const __m512i query = spread_row<Words>(q), most = _mm512_set1_epi64(limit);
  const auto near = [&](std::uint32_t j) noexcept {
    return std::uint32_t{_mm512_cmple_epu64_mask(eight_distances<Words>(rows + std::size_t{j} * Words, query), most)};
  };
  std::uint32_t j = first;
  for (; n - j >= 16; j += 16) {
    for (std::uint32_t mask = near(j) | near(j + 8) << 8; mask != 0; mask &= mask - 1)
      hit(j + static_cast<std::uint32_t>(__builtin_ctz(mask)));
  }
  for (; j < n; ++j) {
    if (row_distance<Words>(q, rows + std::size_t{j} * Words) <= limit) hit(j);
  }
}

}  // namespace

const Kernels avx512_kernels = {
    "avx512",
    scan<Lanes16>,
    scan<Lanes32>,
    scan_buckets<Lanes16>,
    scan_buckets<Lanes32>,
    {scan_words<1>, scan_words<2>, scan_words<4>},
    {compare_rows<1>, compare_rows<2>, compare_rows<4>},
    {hit_distances<1>, hit_distances<2>, hit_distances<4>},
    &avx512_meet_kernels,
    &avx2_probe_kernels,
};

}  // namespace leitong::hamming

#endif
