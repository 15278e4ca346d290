// How rows and buckets are gone over, for files that are compiled for AVX2 or wider: private to each of them. What an instruction set does
// its own way are the distances: of a group of filters (Query), and of rows of words (each_near_row).
#pragma once

#include <immintrin.h>

#include "hamming/kernels.h"

namespace leitong::hamming {
namespace {  // NOLINT(google-build-namespaces): each instruction set has its copy

// A Query is made of a filter and a limit. near(rows, left) has a bit for each of the 32 rows from `rows` on that is within the limit;
// where only `left` of them count, the others' bits may be anything.

// Appends all hits of row i among rows j … end - 1 of `rows`. Groups of 32 rows give one mask and one branch: what dominates in small
// buckets is mispredicted branches, not arithmetic. Reads up to 31 rows behind the end, whose hits are masked away.
template <typename Query>
inline std::uint32_t scan_row(const typename Query::Row* rows, const Query& query, std::uint32_t i, std::uint32_t j, std::uint32_t end,
                              std::uint32_t* out, std::uint32_t found) noexcept {
  for (; j < end; j += 32) {
    const std::uint32_t left = end - j;
    std::uint32_t mask = _bzhi_u32(query.near(rows + j, left), left < 32 ? left : 32);
    for (; mask != 0; mask &= mask - 1) {
      out[2 * found] = i;
      out[2 * found + 1] = j + static_cast<std::uint32_t>(__builtin_ctz(mask));
      ++found;
    }
  }
  return found;
}

template <typename Query>
std::uint32_t scan_filters(PairScan* s) noexcept {
  const auto* a = static_cast<const typename Query::Row*>(s->a);
  const auto* b = static_cast<const typename Query::Row*>(s->b);
  std::uint32_t found = 0;
  std::uint32_t i = s->next;
  for (; i < s->na; ++i) {
    const std::uint32_t first = s->triangle ? i + 1 : 0;
    if (s->nb - first > s->capacity - found) break;
    found = scan_row(b, Query(a[i], s->limit), i, first, s->nb, s->out, found);
  }
  s->next = i;
  return found;
}

template <typename Query>
std::uint32_t scan_bucket_filters(BucketScan* s) noexcept {
  const auto* rows = static_cast<const typename Query::Row*>(s->rows);
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
    for (std::uint32_t i = first; i + 1 < end; ++i) found = scan_row(rows, Query(rows[i], limit), i, i + 1, end, out, found);
  }
  s->bucket = bucket;
  return found;
}

template <unsigned Words>
inline unsigned row_distance(const std::uint64_t* a, const std::uint64_t* b) noexcept {
  long long sum = 0;
  for (unsigned w = 0; w < Words; ++w) sum += _mm_popcnt_u64(a[w] ^ b[w]);
  return static_cast<unsigned>(sum);
}

// Calls hit(j) for every row j in [first, n) within the limit, in order. Defined by who includes this.
template <unsigned Words, typename Hit>
void each_near_row(const std::uint64_t* q, const std::uint64_t* rows, std::uint32_t first, std::uint32_t n, unsigned limit,
                   Hit hit) noexcept;

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
}  // namespace leitong::hamming
