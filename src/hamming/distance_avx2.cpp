// AVX2 kernels. Bits are counted in two ways: small limits by clearing the lowest set bit `limit` times and testing for zero (2 operations
// a bit), larger ones by table look-up of nibbles.
#include <immintrin.h>

#include "hamming/scan_body.h"

namespace leitong::hamming {
namespace {

inline __m256i byte_counts(__m256i x) noexcept {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(x, nibble));
  const __m256i high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble));
  return _mm256_add_epi8(low, high);
}

// Lanes of 16 bits. mask(h) has one bit for each lane of h that is all ones; mask_group(h) that of the vectors of 32 rows.
struct Lanes16 {
  using Row = std::uint16_t;
  static constexpr unsigned lane_count = 16, vectors = 2;
  static __m256i spread(Row x) noexcept { return _mm256_set1_epi16(static_cast<short>(x)); }
  static __m256i clear_lowest(__m256i x) noexcept { return _mm256_and_si256(x, _mm256_add_epi16(x, _mm256_set1_epi16(-1))); }
  static __m256i is_zero(__m256i x) noexcept { return _mm256_cmpeq_epi16(x, _mm256_setzero_si256()); }
  static __m256i at_most(__m256i x, unsigned limit) noexcept {
    const __m256i sum = _mm256_maddubs_epi16(byte_counts(x), _mm256_set1_epi8(1));
    return _mm256_cmpgt_epi16(_mm256_set1_epi16(static_cast<short>(limit + 1)), sum);
  }
  static std::uint32_t mask_group(const __m256i* h) noexcept {
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(h[0], h[1]), 0xD8);
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
  }
  static std::uint32_t mask(__m256i hit) noexcept {
    const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(hit), _mm256_extracti128_si256(hit, 1));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
  }
};

struct Lanes32 {
  using Row = std::uint32_t;
  static constexpr unsigned lane_count = 8, vectors = 4;
  static __m256i spread(Row x) noexcept { return _mm256_set1_epi32(static_cast<int>(x)); }
  static __m256i clear_lowest(__m256i x) noexcept { return _mm256_and_si256(x, _mm256_add_epi32(x, _mm256_set1_epi32(-1))); }
  static __m256i is_zero(__m256i x) noexcept { return _mm256_cmpeq_epi32(x, _mm256_setzero_si256()); }
  static __m256i at_most(__m256i x, unsigned limit) noexcept {
    const __m256i pairs = _mm256_maddubs_epi16(byte_counts(x), _mm256_set1_epi8(1));
    const __m256i sum = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(limit + 1)), sum);
  }
  static std::uint32_t mask_group(const __m256i* h) noexcept {
    const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(h[0], h[1]), _mm256_packs_epi32(h[2], h[3]));
    const __m256i in_order = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(in_order));
  }
  static std::uint32_t mask(__m256i hit) noexcept { return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(hit))); }
};

constexpr int any_limit = -1;

// What scan_row asks of a query. Limit: known when this is compiled, or any_limit.
template <typename Lanes, int Limit>
struct Query {
  using Row = typename Lanes::Row;
  __m256i query;
  unsigned limit;
  Query(Row row, unsigned most) noexcept : query(Lanes::spread(row)), limit(most) {}
  [[nodiscard]] __m256i hits(const Row* rows) const noexcept {
    __m256i x = _mm256_xor_si256(query, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows)));
    if constexpr (Limit == any_limit) {
      return Lanes::at_most(x, limit);
    } else {
      for (int b = 0; b < Limit; ++b) x = Lanes::clear_lowest(x);
      return Lanes::is_zero(x);
    }
  }
  [[nodiscard]] std::uint32_t near(const Row* rows, std::uint32_t left) const noexcept {
    if (left <= Lanes::lane_count) return Lanes::mask(hits(rows));
    __m256i group[Lanes::vectors];
    for (unsigned v = 0; v < Lanes::vectors; ++v) group[v] = hits(rows + v * Lanes::lane_count);
    return Lanes::mask_group(group);
  }
};

template <typename Lanes>
std::uint32_t scan(PairScan* s) noexcept {
  switch (s->limit) {
    case 0:
      return scan_filters<Query<Lanes, 0>>(s);
    case 1:
      return scan_filters<Query<Lanes, 1>>(s);
    case 2:
      return scan_filters<Query<Lanes, 2>>(s);
    case 3:
      return scan_filters<Query<Lanes, 3>>(s);
    default:
      return scan_filters<Query<Lanes, any_limit>>(s);
  }
}

template <typename Lanes>
std::uint32_t scan_buckets(BucketScan* s) noexcept {
  switch (s->limit) {
    case 0:
      return scan_bucket_filters<Query<Lanes, 0>>(s);
    case 1:
      return scan_bucket_filters<Query<Lanes, 1>>(s);
    case 2:
      return scan_bucket_filters<Query<Lanes, 2>>(s);
    case 3:
      return scan_bucket_filters<Query<Lanes, 3>>(s);
    default:
      return scan_bucket_filters<Query<Lanes, any_limit>>(s);
  }
}

inline __m256i quad_sums(const std::uint64_t* row, __m256i query) noexcept {
  const __m256i x = _mm256_xor_si256(query, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)));
  return _mm256_sad_epu8(byte_counts(x), _mm256_setzero_si256());
}

inline __m256i fold(__m256i a, __m256i b) noexcept { return _mm256_add_epi64(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)); }

// The distances of four rows from the query, one a 64-bit lane, in row order.
template <unsigned Words>
inline __m256i four_distances(const std::uint64_t* row, __m256i query) noexcept {
  if constexpr (Words == 1) {
    return quad_sums(row, query);
  } else if constexpr (Words == 2) {
    return _mm256_permute4x64_epi64(fold(quad_sums(row, query), quad_sums(row + 4, query)), 0xD8);
  } else {
    const __m256i low = fold(quad_sums(row, query), quad_sums(row + 4, query));
    const __m256i high = fold(quad_sums(row + 8, query), quad_sums(row + 12, query));
    return _mm256_add_epi64(_mm256_permute2x128_si256(low, high, 0x20), _mm256_permute2x128_si256(low, high, 0x31));
  }
}

template <unsigned Words>
inline __m256i spread_row(const std::uint64_t* q) noexcept {
  if constexpr (Words == 1) {
    return _mm256_set1_epi64x(static_cast<long long>(q[0]));
  } else if constexpr (Words == 2) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(q)));
  } else {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(q));
  }
}

template <unsigned Words, typename Hit>
inline void each_near_row(const std::uint64_t* q, const std::uint64_t* rows, std::uint32_t first, std::uint32_t n, unsigned limit,
                          Hit hit) noexcept {
  const __m256i query = spread_row<Words>(q);
  const __m256i above = _mm256_set1_epi64x(static_cast<long long>(limit) + 1);
  std::uint32_t j = first;
  for (; n - j >= 4; j += 4) {
    const __m256i sums = four_distances<Words>(rows + std::size_t{j} * Words, query);
    const __m256i near_rows = _mm256_cmpgt_epi64(above, sums);
    auto mask = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(near_rows)));
    for (; mask != 0; mask &= mask - 1) hit(j + static_cast<std::uint32_t>(__builtin_ctz(mask)));
  }
  for (; j < n; ++j) {
    if (row_distance<Words>(q, rows + std::size_t{j} * Words) <= limit) hit(j);
  }
}

}  // namespace

const Kernels avx2_kernels = {
    "avx2",
    scan<Lanes16>,
    scan<Lanes32>,
    scan_buckets<Lanes16>,
    scan_buckets<Lanes32>,
    {scan_words<1>, scan_words<2>, scan_words<4>},
    {compare_rows<1>, compare_rows<2>, compare_rows<4>},
    {hit_distances<1>, hit_distances<2>, hit_distances<4>},
    &avx2_meet_kernels,
    &avx2_probe_kernels,
};

}  // namespace leitong::hamming
