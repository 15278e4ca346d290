// AVX-512 kernels: bits are counted by instructions of their own, and comparisons give masks.
#if defined(__AVX512VBMI2__)
#include <immintrin.h>

#include "hamming/kernels.h"

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

// Appends all hits of row i among rows j … end - 1 of `rows`. Groups of 32 rows give one mask and one branch: what dominates in small
// buckets is mispredicted branches, not arithmetic. Reads up to 31 rows behind the end, whose hits are masked away.
template <typename Lanes>
inline std::uint32_t scan_row(const typename Lanes::Row* rows, const Lanes& lanes, std::uint32_t i, std::uint32_t j, std::uint32_t end,
                              std::uint32_t* out, std::uint32_t found) noexcept {
  for (; j < end; j += 32) {
    const std::uint32_t left = end - j;
    std::uint32_t mask = _bzhi_u32(lanes.near(rows + j, left), left < 32 ? left : 32);
    for (; mask != 0; mask &= mask - 1) {
      out[2 * found] = i;
      out[2 * found + 1] = j + static_cast<std::uint32_t>(__builtin_ctz(mask));
      ++found;
    }
  }
  return found;
}

template <typename Lanes>
std::uint32_t scan_filters(PairScan* s) noexcept {
  const auto* a = static_cast<const typename Lanes::Row*>(s->a);
  const auto* b = static_cast<const typename Lanes::Row*>(s->b);
  std::uint32_t found = 0;
  std::uint32_t i = s->next;
  for (; i < s->na; ++i) {
    const std::uint32_t first = s->triangle ? i + 1 : 0;
    if (s->nb - first > s->capacity - found) break;
    found = scan_row(b, Lanes(a[i], s->limit), i, first, s->nb, s->out, found);
  }
  s->next = i;
  return found;
}

template <typename Lanes>
std::uint32_t scan_buckets(BucketScan* s) noexcept {
  const auto* rows = static_cast<const typename Lanes::Row*>(s->rows);
  const std::uint32_t* starts = s->starts;
  const std::uint32_t most = s->most, last = s->last, origin = s->origin, capacity = s->capacity;
  const unsigned limit = s->limit;
  std::uint32_t* out = s->out;
  std::uint32_t found = 0;
  std::uint32_t bucket = s->bucket;
  for (; bucket < last; ++bucket) {
    const std::uint32_t first = starts[bucket] - origin;
    const std::uint32_t end = starts[bucket + 1] - origin;
    const std::uint32_t size = end - first;
    if (size < 2 || size > most) continue;
    if (size * (size - 1) / 2 > capacity - found) break;
    for (std::uint32_t i = first; i + 1 < end; ++i) found = scan_row(rows, Lanes(rows[i], limit), i, i + 1, end, out, found);
  }
  s->bucket = bucket;
  return found;
}

template <template <bool> typename Lanes>
std::uint32_t scan(PairScan* s) noexcept {
  return s->limit == 0 ? scan_filters<Lanes<true>>(s) : scan_filters<Lanes<false>>(s);
}
template <template <bool> typename Lanes>
std::uint32_t scan_limited_buckets(BucketScan* s) noexcept {
  return s->limit == 0 ? scan_buckets<Lanes<true>>(s) : scan_buckets<Lanes<false>>(s);
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

template <unsigned Words>
inline unsigned row_distance(const std::uint64_t* a, const std::uint64_t* b) noexcept {
  long long sum = 0;
  for (unsigned w = 0; w < Words; ++w) sum += _mm_popcnt_u64(a[w] ^ b[w]);
  return static_cast<unsigned>(sum);
}

// Calls hit(j) for every row j in [first, n) within the limit, in order. A mask of 16 rows takes one branch.
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

template <unsigned Words>
std::uint32_t scan_words(PairScan* s) noexcept {
  const auto* a = static_cast<const std::uint64_t*>(s->a);
  const auto* b = static_cast<const std::uint64_t*>(s->b);
  std::uint32_t* out = s->out;
  std::uint32_t found = 0;
  std::uint32_t i = s->next;
  for (; i < s->na; ++i) {
    const std::uint32_t first = s->triangle ? i + 1 : 0;
    if (s->nb - first > s->capacity - found) break;
    each_near_row<Words>(a + std::size_t{i} * Words, b, first, s->nb, s->limit, [&](std::uint32_t j) noexcept {
      out[2 * found] = i;
      out[2 * found + 1] = j;
      ++found;
    });
  }
  s->next = i;
  return found;
}

template <unsigned Words>
std::uint32_t compare_rows(const std::uint64_t* query, const std::uint64_t* rows, std::uint32_t n, unsigned k,
                           std::uint32_t* out) noexcept {
  std::uint32_t found = 0;
  each_near_row<Words>(query, rows, 0, n, k, [&](std::uint32_t j) noexcept { out[found++] = j; });
  return found;
}

template <unsigned Words>
void hit_distances(const std::uint32_t* hits, std::uint32_t count, const std::uint64_t* a, const std::uint64_t* b,
                   std::uint32_t* out) noexcept {
  for (std::uint32_t h = 0; h < count; ++h) {
    out[h] = row_distance<Words>(a + std::size_t{hits[2 * h]} * Words, b + std::size_t{hits[2 * h + 1]} * Words);
  }
}

}  // namespace

const Kernels avx512_kernels = {
    "avx512",
    scan<Lanes16>,
    scan<Lanes32>,
    scan_limited_buckets<Lanes16>,
    scan_limited_buckets<Lanes32>,
    {scan_words<1>, scan_words<2>, scan_words<4>},
    {compare_rows<1>, compare_rows<2>, compare_rows<4>},
    {hit_distances<1>, hit_distances<2>, hit_distances<4>},
    &avx512_meet_kernels,
    &avx2_probe_kernels,
};

}  // namespace leitong::hamming

#endif
