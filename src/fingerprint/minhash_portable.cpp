// The second sketch's slots, one bigram after another.
#include <algorithm>

#include "fingerprint/minhash_kernels.h"
#include "fingerprint/one_permutation.h"

namespace leitong::fingerprint {

bool minhash_slots_portable(const BigramHashes& bigrams, std::uint8_t* slots) noexcept {
  OnePermutation<slot_count> least;
  for (std::size_t i = 0; i < bigrams.count; ++i) {
    const std::uint64_t h = bigrams.numbered[i];
    if (bigrams.common == nullptr) {
      least.add(h, std::min(static_cast<std::uint32_t>(h), least.empty - 1));
      continue;
    }
    const std::uint64_t top = bigrams.plain[i] >> 48;
    const auto dropped = static_cast<std::uint32_t>(bigrams.common[top >> 6] >> (top & 63) & 1);
    least.add(h, static_cast<std::uint32_t>(h) | (0 - dropped));
  }
  std::array<std::uint8_t, slot_count> filled;
  const bool any = least.finish(filled);
  if (any) std::copy(filled.begin(), filled.end(), slots);
  return any;
}

}  // namespace leitong::fingerprint
