// Fingerprints under ids in memory: the reference with which all other stores are compared.
#pragma once

#include <memory>

#include "remote/fingerprint_store.h"

namespace leitong::collection {

// Look-ups within `k` bits use an index; those with a larger distance are exact too, but slower.
[[nodiscard]] std::unique_ptr<remote::FingerprintStore> make_memory_store(unsigned k);

}  // namespace leitong::collection
