// The reference of the AVX2 probes.
#include "hamming/probe_kernels.h"

namespace leitong::hamming {
namespace {

unsigned bits_of(std::uint32_t x) noexcept {
  unsigned n = 0;
  for (; x != 0; x &= x - 1) ++n;
  return n;
}

std::uint32_t probe(ProbeScan* s) noexcept {
  std::uint32_t found = 0;
  for (; s->next < s->count; ++s->next, s->place = 0) {
    const Probe& p = s->probes[s->next];
    const std::uint16_t* filters = s->filters[p.tag & 3] + p.first;
    for (; s->place < p.count; ++s->place) {
      if (found == s->capacity) return found;
      const unsigned bits = bits_of(static_cast<std::uint32_t>(filters[s->place] ^ p.filter));
      if (bits >= p.least && bits <= p.most) s->out[found++] = {p.tag, p.first + s->place, p.key, filters[s->place]};
    }
  }
  return found;
}

}  // namespace

const ProbeKernels portable_probe_kernels = {"portable", probe};

}  // namespace leitong::hamming
