// Which pairs of short texts may share enough features, by their signatures, in plain C++.

#include <bit>

#include "candidates/signature_filter.h"

namespace leitong::candidates {

std::size_t filter_signatures_portable(const Signature* signatures, std::size_t count, const Signature& query, unsigned most,
                                       std::uint32_t* out) noexcept {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    unsigned distance = 0;
    for (unsigned w = 0; w < signature_words; ++w)
      distance += static_cast<unsigned>(std::popcount(signatures[i].words[w] ^ query.words[w]));
    out[kept] = static_cast<std::uint32_t>(i);
    kept += distance <= most ? 1 : 0;
  }
  return kept;
}

}  // namespace leitong::candidates
