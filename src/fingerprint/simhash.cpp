#include "fingerprint/simhash.h"

#include <array>

#include "processor/instruction_set.h"

namespace leitong::fingerprint {
namespace {

using Majority = std::uint64_t (*)(const std::uint64_t*, std::uint64_t) noexcept;

Majority choose() noexcept {
#if defined(__x86_64__)
  if (processor::use_avx512()) return majority_avx512;
  if (processor::use_avx2()) return majority_avx2;
#endif
  return majority_portable;
}

}  // namespace

std::uint64_t majority(std::span<const std::uint64_t> hashes) noexcept {
  static const Majority chosen = choose();
  return chosen(hashes.data(), hashes.size());
}

std::uint64_t weighted_majority(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> weights) noexcept {
  std::array<std::int64_t, 64> sum{};
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const auto weight = static_cast<std::int64_t>(weights[i]);
    for (unsigned j = 0; j < 64; ++j) sum[j] += (hashes[i] >> j & 1) != 0 ? weight : -weight;
  }
  std::uint64_t bits = 0;
  for (unsigned j = 0; j < 64; ++j) bits |= static_cast<std::uint64_t>(sum[j] > 0) << j;
  return bits;
}

}  // namespace leitong::fingerprint
