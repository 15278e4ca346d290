// The last two steps of a trace. Features and weights may come from anywhere, such as an article's worked example.
#pragma once

#include "leitong/fingerprint.h"

namespace leitong::fingerprint {

// Fills Trace::sums, `bits` of them, adding the features in their order.
void merge(Trace& trace, unsigned bits);
// The fingerprint that the sums give.
[[nodiscard]] Fingerprint reduce(const Trace& trace);

}  // namespace leitong::fingerprint
