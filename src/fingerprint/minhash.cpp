#include "fingerprint/minhash.h"

#include <algorithm>

#include "fingerprint/one_permutation.h"
#include "processor/instruction_set.h"

namespace leitong::fingerprint {
namespace {

SlotsFunction choose() noexcept {
#if defined(__x86_64__)
  if (processor::use_avx512()) return minhash_slots_avx512;
#endif
  return minhash_slots_portable;
}

}  // namespace

MinHash::MinHash(const Hasher& hasher) : slots_(choose()), common_(1024, 0) {
  std::string_view rest = common_bigrams();
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) continue;
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the length goes with it
    const std::uint64_t h = hasher.join(hasher.bytes(line.data(), space), hasher.bytes(line.data() + space + 1, line.size() - space - 1));
    common_[(h >> 48) >> 6] |= 1ULL << (h >> 48 & 63);
  }
}

bool MinHash::operator()(const FeatureExtractor::Bigrams& bigrams, Slots& slots) const {
  const std::size_t n = bigrams.numbered.size();
  if (n == 0) return false;
  const BigramHashes hashes{bigrams.numbered.data(), bigrams.plain.data(), n, common_.data()};
  if (!slots_(hashes, slots.data())) {
    // Nothing but common bigrams: they are better than no sketch.
    (void)slots_({hashes.numbered, nullptr, n, nullptr}, slots.data());
  }
  return true;
}

namespace {

template <unsigned N>
void set_bits(std::span<const std::uint64_t> features, Fingerprint& out) {
  OnePermutation<N> least;
  for (const std::uint64_t h : features) least.add(h, std::min(static_cast<std::uint32_t>(h), least.empty - 1));
  std::array<std::uint8_t, N> slots;
  if (!least.finish(slots)) return;
  const auto bits = lowest_bits<N>(slots);
  std::copy(bits.begin(), bits.end(), out.words.begin());
}

}  // namespace

Fingerprint one_bit_minhash(std::span<const std::uint64_t> features, unsigned bits) {
  Fingerprint out{{}, bits};
  if (bits == 64) set_bits<64>(features, out);
  if (bits == 128) set_bits<128>(features, out);
  if (bits == 256) set_bits<256>(features, out);
  return out;
}

std::array<std::uint64_t, slot_count / 64> slot_bits(const Slots& slots) noexcept { return lowest_bits<slot_count>(slots); }

double similarity_of_distance(unsigned distance) noexcept { return std::max(0.0, 1.0 - 2.0 * distance / slot_count); }

}  // namespace leitong::fingerprint
