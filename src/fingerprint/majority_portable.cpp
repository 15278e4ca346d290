// Counts of bits over many hashes, in plain C++.
#include "fingerprint/majority_planes.h"
#include "fingerprint/simhash.h"

namespace leitong::fingerprint {

std::uint64_t majority_portable(const std::uint64_t* hashes, std::uint64_t n) noexcept { return majority_of(hashes, n); }

}  // namespace leitong::fingerprint
