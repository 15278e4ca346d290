// Counts of bits over many hashes, in carry-save planes of AVX2. Twin: majority_portable.cpp.
#include "fingerprint/majority_planes.h"
#include "fingerprint/simhash.h"

namespace leitong::fingerprint {

std::uint64_t majority_avx2(const std::uint64_t* hashes, std::uint64_t n) noexcept { return majority_of(hashes, n); }

}  // namespace leitong::fingerprint
