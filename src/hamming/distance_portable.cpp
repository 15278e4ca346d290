// The reference kernels: plain C++, what every other set is tested against.
#include "hamming/kernels.h"

namespace leitong::hamming {
namespace {

template <typename Row>
unsigned bits(const Row& a, const Row& b) noexcept {
  return static_cast<unsigned>(__builtin_popcountll(static_cast<std::uint64_t>(a ^ b)));
}

template <typename Row>
std::uint32_t scan(PairScan* s) noexcept {
  const Row* a = static_cast<const Row*>(s->a);
  const Row* b = static_cast<const Row*>(s->b);
  std::uint32_t found = 0;
  std::uint32_t i = s->next;
  for (; i < s->na; ++i) {
    const std::uint32_t first = s->triangle ? i + 1 : 0;
    if (s->nb - first > s->capacity - found) break;
    for (std::uint32_t j = first; j < s->nb; ++j) {
      if (bits(a[i], b[j]) > s->limit) continue;
      s->out[2 * found] = i;
      s->out[2 * found + 1] = j;
      ++found;
    }
  }
  s->next = i;
  return found;
}

template <typename Row>
std::uint32_t scan_buckets(BucketScan* s) noexcept {
  const Row* rows = static_cast<const Row*>(s->rows);
  std::uint32_t found = 0;
  for (; s->bucket < s->last; ++s->bucket) {
    const std::uint32_t first = s->starts[s->bucket] - s->origin;
    const std::uint32_t end = s->starts[s->bucket + 1] - s->origin;
    const std::uint32_t size = end - first;
    if (size < 2 || size > s->most) continue;
    if (size * (size - 1) / 2 > s->capacity - found) break;
    for (std::uint32_t i = first; i < end; ++i) {
      for (std::uint32_t j = i + 1; j < end; ++j) {
        if (bits(rows[i], rows[j]) > s->limit) continue;
        s->out[2 * found] = i;
        s->out[2 * found + 1] = j;
        ++found;
      }
    }
  }
  return found;
}

template <unsigned Words>
std::uint32_t compare_rows(const std::uint64_t* query, const std::uint64_t* rows, std::uint32_t n, unsigned k,
                           std::uint32_t* out) noexcept {
  std::uint32_t found = 0;
  for (std::uint32_t j = 0; j < n; ++j) {
    unsigned sum = 0;
    for (unsigned w = 0; w < Words; ++w) sum += bits(query[w], rows[std::size_t{j} * Words + w]);
    if (sum <= k) out[found++] = j;
  }
  return found;
}

template <unsigned Words>
std::uint32_t scan_words(PairScan* s) noexcept {
  const auto* a = static_cast<const std::uint64_t*>(s->a);
  const auto* b = static_cast<const std::uint64_t*>(s->b);
  std::uint32_t found = 0;
  std::uint32_t i = s->next;
  for (; i < s->na; ++i) {
    const std::uint32_t first = s->triangle ? i + 1 : 0;
    if (s->nb - first > s->capacity - found) break;
    for (std::uint32_t j = first; j < s->nb; ++j) {
      unsigned sum = 0;
      for (unsigned w = 0; w < Words; ++w) sum += bits(a[std::size_t{i} * Words + w], b[std::size_t{j} * Words + w]);
      if (sum > s->limit) continue;
      s->out[2 * found] = i;
      s->out[2 * found + 1] = j;
      ++found;
    }
  }
  s->next = i;
  return found;
}

template <unsigned Words>
void hit_distances(const std::uint32_t* hits, std::uint32_t count, const std::uint64_t* a, const std::uint64_t* b,
                   std::uint32_t* out) noexcept {
  for (std::uint32_t h = 0; h < count; ++h) {
    unsigned sum = 0;
    for (unsigned w = 0; w < Words; ++w) sum += bits(a[std::size_t{hits[2 * h]} * Words + w], b[std::size_t{hits[2 * h + 1]} * Words + w]);
    out[h] = sum;
  }
}

}  // namespace

const Kernels portable_kernels = {
    "portable",
    scan<std::uint16_t>,
    scan<std::uint32_t>,
    scan_buckets<std::uint16_t>,
    scan_buckets<std::uint32_t>,
    {scan_words<1>, scan_words<2>, scan_words<4>},
    {compare_rows<1>, compare_rows<2>, compare_rows<4>},
    {hit_distances<1>, hit_distances<2>, hit_distances<4>},
    &portable_meet_kernels,
    &portable_probe_kernels,
};

}  // namespace leitong::hamming
