#include "fingerprint/minhash.h"

#include <algorithm>
#include <utility>

namespace leitong::fingerprint {
namespace {

constexpr std::uint32_t empty = 0xffffffffU;

// Where an empty slot looks for a value: donor t of slot i, t = 0, 1, 2, ... A fixed sequence, the same for every text. Four donors of one
// slot stand side by side.
constexpr unsigned donors = 16, together = 4;
using Donors = std::array<std::uint16_t, together>;
constexpr std::array<std::array<Donors, slot_count>, donors / together> make_donors() {
  std::array<std::array<Donors, slot_count>, donors / together> table{};
  std::uint64_t state = 0x6a09e667f3bcc908ULL;
  for (unsigned t = 0; t < donors; ++t)
    for (unsigned i = 0; i < slot_count; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      table[t / together][i][t % together] = static_cast<std::uint16_t>(((state >> 32) * slot_count) >> 32);
    }
  return table;
}
constexpr auto donor_table = make_donors();

// The slots that are still empty, and what is to be kept of each slot.
class Densify {
 public:
  // Returns whether any slot is not empty.
  bool start(const std::array<std::uint32_t, slot_count>& least, Slots& slots) {
    count_ = 0;
    for (unsigned i = 0; i < slot_count; ++i) slots[i] = static_cast<std::uint8_t>(least[i]);
    for (std::uint16_t i = 0; i < slot_count; ++i) keep_if_empty(i, least[i]);
    return count_ < slot_count;
  }
  // Asks the first donors of every empty slot, then the next ones of those still empty, and so on: no branch depends on a single slot, for
  // nobody could predict it. After the table's donors are used up the search goes on around the ring, from the last donor.
  void fill(const std::array<std::uint32_t, slot_count>& least, Slots& slots) {
    for (const auto& row : donor_table) {
      const unsigned asking = std::exchange(count_, 0);
      for (unsigned e = 0; e < asking; ++e) {
        const std::uint16_t i = empty_[e];
        const Donors& donor = row[i];
        std::uint32_t value = least[donor[together - 1]];
        for (unsigned t = together - 1; t-- > 0;) value = sooner(least[donor[t]], value);
        slots[i] = static_cast<std::uint8_t>(value);
        keep_if_empty(i, value);
      }
    }
    for (unsigned e = 0; e < count_; ++e) {
      unsigned donor = donor_table.back()[empty_[e]].back();
      while (least[donor] == empty) donor = donor + 1 == slot_count ? 0 : donor + 1;
      slots[empty_[e]] = static_cast<std::uint8_t>(least[donor]);
    }
  }

 private:
  // As a mask, lest the compiler make it a jump.
  static std::uint32_t sooner(std::uint32_t first, std::uint32_t second) { return first & (second | (0 - std::uint32_t{first != empty})); }
  void keep_if_empty(std::uint16_t slot, std::uint32_t value) {
    empty_[count_] = slot;
    count_ += static_cast<unsigned>(value == empty);
  }
  std::array<std::uint16_t, slot_count> empty_;
  unsigned count_ = 0;
};

}  // namespace

MinHash::MinHash(const Hasher& hasher) : common_(1024, 0) {
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
  std::array<std::uint32_t, slot_count> least;
  least.fill(empty);
  const std::uint64_t* const common = common_.data();
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t top = bigrams.plain[i] >> 48;
    const auto dropped = static_cast<std::uint32_t>(common[top >> 6] >> (top & 63) & 1);
    const std::uint64_t h = bigrams.numbered[i];
    const auto slot = static_cast<std::uint32_t>(((h >> 32) * slot_count) >> 32);
    const std::uint32_t value = static_cast<std::uint32_t>(h) | (0 - dropped);  // a value of all ones counts as dropped
    least[slot] = std::min(least[slot], value);
  }
  Densify densify;
  if (!densify.start(least, slots)) {
    // Nothing but common bigrams: they are better than no sketch.
    for (const std::uint64_t h : bigrams.numbered) {
      const auto slot = static_cast<std::uint32_t>(((h >> 32) * slot_count) >> 32);
      least[slot] = std::min(least[slot], std::min(static_cast<std::uint32_t>(h), empty - 1));
    }
    (void)densify.start(least, slots);
  }
  densify.fill(least, slots);
  return true;
}

std::array<std::uint64_t, slot_count / 64> slot_bits(const Slots& slots) noexcept {
  std::array<std::uint64_t, slot_count / 64> bits{};
  for (unsigned i = 0; i < slot_count; i += 8) {
    std::uint64_t eight = 0;  // slot i + k in byte k
    for (unsigned k = 0; k < 8; ++k) eight |= static_cast<std::uint64_t>(slots[i + k]) << 8 * k;
    eight = (eight & 0x0101010101010101U) * 0x0102040810204080U >> 56;
    bits[i / 64] |= eight << i % 64;
  }
  return bits;
}

double similarity_of_distance(unsigned distance) noexcept { return std::max(0.0, 1.0 - 2.0 * distance / slot_count); }

}  // namespace leitong::fingerprint
