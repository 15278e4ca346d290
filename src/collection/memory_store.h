// Fingerprints under ids in memory: the store that all others are compared with.
#pragma once

#include <memory>

#include "remote/fingerprint_store.h"

namespace leitong::collection {

// Look-ups of the first `k` bits are fast, larger ones are exact too.
[[nodiscard]] std::unique_ptr<remote::FingerprintStore> make_memory_store(unsigned k);

}  // namespace leitong::collection
