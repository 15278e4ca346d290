#include "fingerprint/occurrences.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "processor/instruction_set.h"

namespace leitong::fingerprint {
namespace {

constexpr std::uint32_t sparse_below = 1U << 16;  // fewer keys get twice the slots: the table is small anyway

NumberingFunction choose() noexcept {
#if defined(__x86_64__)
  if (processor::use_avx512()) return number_avx512;
  if (processor::use_avx2()) return number_avx2;
#endif
  return number_portable;
}

void grow(std::vector<std::uint32_t>& array, std::size_t size) {
  if (array.size() < size) array.resize(std::max(size, 2 * array.size()));
}

// One to one, so that equal keys stay equal and others stay apart; the lower bits come to depend on the upper ones.
std::uint32_t mix(std::uint32_t key) { return std::rotl(key * 0x9e3779b1U, 16); }

}  // namespace

Occurrences::Occurrences() {
  static const NumberingFunction chosen = choose();
  round_ = chosen;
}

void Occurrences::operator()(std::span<const std::uint64_t> features, const Hasher& hasher, std::uint64_t* out) {
  const std::size_t n = features.size();
  for (auto* array : {&keys_, &indices_, &repeats_, &copies_}) grow(*array, n + NumberingRound::slack);
  NumberingRound round{features.data(), keys_.data(), indices_.data(), n, nullptr, 0, 0, repeats_.data(), copies_.data(), 0};
  while (round.count > 0) {
    const auto count = static_cast<std::uint32_t>(round.count);
    const std::size_t slots = std::size_t{1} << (std::bit_width(count) + (count < sparse_below ? 1 : 0));
    grow(table_, slots);
    std::memset(table_.data(), 0, slots * sizeof table_[0]);
    round.table = table_.data();
    round.mask = static_cast<std::uint32_t>(slots - 1);
    round.left = 0;
    round_(round);
    round.features = nullptr;
    round.count = round.left;
    for (std::size_t i = 0; i < round.count; ++i) keys_[i] = mix(keys_[i]);
  }
  if (n != 0) std::memcpy(out, features.data(), n * sizeof(std::uint64_t));
  const Hasher local = hasher;  // in registers: no store can change it
  for (std::size_t r = 0; r < round.repeated; ++r) out[repeats_[r]] = local.other_copy(features[repeats_[r]], copies_[r]);
}

}  // namespace leitong::fingerprint
