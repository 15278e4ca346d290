// What a comparison with stored fingerprints means, in sentences.
#pragma once

#include <string>
#include <vector>

#include "leitong/parity.h"

namespace leitong::stored {

// Of a result that is otherwise complete. Sentences without a full stop.
[[nodiscard]] std::vector<std::string> parity_advice(const ParityResult& result);

}  // namespace leitong::stored
