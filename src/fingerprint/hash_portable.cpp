// The feature hash of one token or pair after another, and the choice of kernels.
#include "fingerprint/hash.h"
#include "fingerprint/hash_kernels.h"
#include "processor/instruction_set.h"

namespace leitong::fingerprint {
namespace {

void tokens(const std::uint64_t* keys, const char* bytes, const text::Range* ranges, std::size_t n, std::uint64_t* out) noexcept {
  const Hasher hasher = Hasher::of_keys(keys);  // in registers: no store can change it
  for (std::size_t i = 0; i < n; ++i) out[i] = hasher.padded_bytes(bytes + ranges[i].begin, ranges[i].end - ranges[i].begin);
}

void joins(const std::uint64_t* keys, const std::uint64_t* left, const std::uint64_t* right, std::size_t n, std::uint64_t* out) noexcept {
  const Hasher hasher = Hasher::of_keys(keys);
  for (std::size_t i = 0; i < n; ++i) out[i] = hasher.join(left[i], right[i]);
}

const HashKernels& choose() noexcept {
#if defined(__x86_64__)
  if (processor::use_avx512()) return hash_kernels_avx512;
#endif
  return hash_kernels_portable;
}

}  // namespace

extern const HashKernels hash_kernels_portable = {tokens, joins};

const HashKernels& hash_kernels() noexcept {
  static const HashKernels& chosen = choose();
  return chosen;
}

std::uint64_t hash_of_token(const std::uint64_t* keys, const char* p, std::size_t n) noexcept { return Hasher::of_keys(keys).bytes(p, n); }

}  // namespace leitong::fingerprint
