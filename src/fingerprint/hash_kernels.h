// The feature hash of many tokens or pairs at once, one set for each instruction set; hash.h says what it is. Plain data and functions
// only: leaf files compiled for wider instruction sets include this.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/range.h"

namespace leitong::fingerprint {

struct HashKernels {
  // out[i]: of bytes[tokens[i].begin, tokens[i].end). 16 bytes are readable from each begin, and from `bytes` on.
  void (*tokens)(const std::uint64_t* keys, const char* bytes, const text::Range* tokens, std::size_t n, std::uint64_t* out) noexcept;
  // out[i]: left[i] joined with right[i]; `out` may be `left`.
  void (*joins)(const std::uint64_t* keys, const std::uint64_t* left, const std::uint64_t* right, std::size_t n,
                std::uint64_t* out) noexcept;
};
extern const HashKernels hash_kernels_portable;
#if defined(__x86_64__)
extern const HashKernels hash_kernels_avx512;
#endif
[[nodiscard]] const HashKernels& hash_kernels() noexcept;  // by the instruction set that fits

// Of one token, for kernels that leave long ones out.
[[nodiscard]] std::uint64_t hash_of_token(const std::uint64_t* keys, const char* p, std::size_t n) noexcept;

}  // namespace leitong::fingerprint
