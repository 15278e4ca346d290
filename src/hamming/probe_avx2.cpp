// AVX2 probes: 32 filters a mask. At most one differing bit is tested by clearing the lowest, more by counting nibbles.
#include <immintrin.h>

#include "hamming/probe_kernels.h"

namespace leitong::hamming {
namespace {

using Vector = __m256i;
constexpr std::uint32_t look_ahead = 12;  // probes whose lines are asked for in advance,
constexpr std::uint32_t line_count = 8;   // so many of each; the processor sees the rest of a longer range coming

inline Vector load(const void* p) noexcept { return _mm256_loadu_si256(static_cast<const Vector*>(p)); }

inline Vector counts(Vector x) noexcept {
  const Vector table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const Vector nibble = _mm256_set1_epi8(15);
  const Vector low = _mm256_shuffle_epi8(table, _mm256_and_si256(x, nibble));
  const Vector high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble));
  return _mm256_maddubs_epi16(_mm256_add_epi8(low, high), _mm256_set1_epi8(1));
}

inline Vector is_zero(Vector x) noexcept { return _mm256_cmpeq_epi16(x, _mm256_setzero_si256()); }
inline Vector at_most_one(Vector x) noexcept { return is_zero(_mm256_and_si256(x, _mm256_add_epi16(x, _mm256_set1_epi16(-1)))); }

// Tests of 16 xors at once. Where rows share halves, hits that count for nothing would each cost a mispredicted branch: the usual tests are
// exact.
struct Equal {
  explicit Equal(unsigned) noexcept {}
  Vector operator()(Vector x) const noexcept { return is_zero(x); }
};
struct AtMostOne {
  explicit AtMostOne(unsigned) noexcept {}
  Vector operator()(Vector x) const noexcept { return at_most_one(x); }
};
struct ExactlyOne {
  explicit ExactlyOne(unsigned) noexcept {}
  Vector operator()(Vector x) const noexcept { return _mm256_andnot_si256(is_zero(x), at_most_one(x)); }
};
struct AtMost {
  explicit AtMost(unsigned most) noexcept : above(_mm256_set1_epi16(static_cast<short>(most + 1))) {}
  Vector above;
  Vector operator()(Vector x) const noexcept { return _mm256_cmpgt_epi16(above, counts(x)); }
};

// Reads rows [place, end) of the probe.
template <typename Test, bool LeastTested>
inline std::uint32_t scan(const Probe& p, const std::uint16_t* filters, std::uint32_t place, std::uint32_t end, ProbeHit* out,
                          std::uint32_t found) noexcept {
  const Test test(p.most);
  const Vector query = _mm256_set1_epi16(static_cast<short>(p.filter));
  for (; place < end; place += 32) {
    const Vector a = test(_mm256_xor_si256(query, load(filters + place)));
    const Vector b = test(_mm256_xor_si256(query, load(filters + place + 16)));
    auto mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xD8)));
    const std::uint32_t left = end - place;
    mask = _bzhi_u32(mask, left < 32 ? left : 32);
    for (; mask != 0; mask &= mask - 1) {
      const std::uint32_t at = place + static_cast<std::uint32_t>(__builtin_ctz(mask));
      out[found] = {p.tag, p.first + at, p.key, filters[at]};
      if constexpr (LeastTested) {
        ++found;
      } else {
        found += static_cast<unsigned>(_mm_popcnt_u32(static_cast<std::uint32_t>(filters[at] ^ p.filter))) >= p.least ? 1 : 0;
      }
    }
  }
  return found;
}

// Callers ask for the first two lines themselves.
inline void prefetch(const ProbeScan* s, const Probe& p) noexcept {
  if (p.count <= 32) return;
  const auto* line = reinterpret_cast<const char*>(s->filters[p.tag & 3] + p.first);
  const std::uint32_t lines = (p.count * 2 + 63) / 64;
  for (std::uint32_t l = 2; l <= lines && l < line_count; ++l) _mm_prefetch(line + 64 * l, _MM_HINT_T0);
}

std::uint32_t probe(ProbeScan* s) noexcept {
  std::uint32_t found = 0;
  const std::uint32_t n = s->count;
  for (std::uint32_t next = s->next; next < n; ++next) {
    const Probe& p = s->probes[next];
    const std::uint16_t* filters = s->filters[p.tag & 3] + p.first;
    if (next + look_ahead < n) prefetch(s, s->probes[next + look_ahead]);
    while (s->place < p.count) {
      const std::uint32_t end = p.count - s->place > probe_slice ? s->place + probe_slice : p.count;
      if (end - s->place > s->capacity - found) {
        s->next = next;
        return found;
      }
      if (p.most == 1) {
        found = p.least == 0 ? scan<AtMostOne, true>(p, filters, s->place, end, s->out, found)
                             : scan<ExactlyOne, true>(p, filters, s->place, end, s->out, found);
      } else if (p.most == 0) {
        found = scan<Equal, true>(p, filters, s->place, end, s->out, found);
      } else {
        found = scan<AtMost, false>(p, filters, s->place, end, s->out, found);
      }
      s->place = end;
    }
    s->place = 0;
  }
  s->next = n;
  return found;
}

}  // namespace

const ProbeKernels avx2_probe_kernels = {"avx2", probe};

}  // namespace leitong::hamming
