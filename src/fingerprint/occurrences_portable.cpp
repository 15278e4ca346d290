// Numbers equal features, compiled for any processor.
#include "fingerprint/occurrences_body.h"

namespace leitong::fingerprint {
namespace {

template <bool first>
void number_all(NumberingRound& caller) {
  NumberingRound round = caller;  // in registers, not behind a pointer that the stores might change
  for (std::size_t k = 0; k < round.count; ++k) number_one<first>(round, k);
  caller = round;
}

}  // namespace

void number_portable(NumberingRound& round) noexcept { round.features != nullptr ? number_all<true>(round) : number_all<false>(round); }

}  // namespace leitong::fingerprint
