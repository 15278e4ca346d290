// One key of a numbering round, for the files that are compiled for one instruction set each; private to each of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fingerprint/occurrences.h"

namespace leitong::fingerprint {
namespace {  // NOLINT(google-build-namespaces): each instruction set has its copy

// No branch depends on whether a key was seen before, for nobody could predict it: conditions are masks, lest the compiler make them jumps.
template <bool first>
inline void number_one(NumberingRound& round, std::size_t k) {
  const std::uint32_t key = first ? static_cast<std::uint32_t>(round.features[k] >> 32) : round.keys[k];
  const std::uint32_t index = first ? static_cast<std::uint32_t>(k) : round.indices[k], at = key & round.mask, owned = key ^ at;
  std::uint32_t entry = round.table[at];
  entry |= owned & (0 - static_cast<std::uint32_t>(entry == 0));
  const std::uint32_t copy = entry - owned;  // beyond the mask if the slot is another's
  const std::uint32_t same = copy <= round.mask ? 1 : 0;
  round.table[at] = entry + same;
  round.keys[round.left] = key;
  round.indices[round.left] = index;
  round.left += 1 - same;
  round.repeats[round.repeated] = index;
  round.copies[round.repeated] = copy;
  round.repeated += copy - 1 < round.mask ? 1 : 0;
}

}  // namespace
}  // namespace leitong::fingerprint
