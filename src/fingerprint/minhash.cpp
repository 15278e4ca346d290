#include "fingerprint/minhash.h"

#include <algorithm>

namespace leitong::fingerprint {
namespace {

constexpr std::uint32_t empty = 0xffffffffU;

// Where an empty slot looks for a value: donor t of slot i, t = 0, 1, 2, ... A fixed sequence, the same for every text.
constexpr unsigned donors = 16;
constexpr std::array<std::array<std::uint16_t, donors>, slot_count> make_donors() {
  std::array<std::array<std::uint16_t, donors>, slot_count> table{};
  std::uint64_t state = 0x6a09e667f3bcc908ULL;
  for (unsigned t = 0; t < donors; ++t)
    for (unsigned i = 0; i < slot_count; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      table[i][t] = static_cast<std::uint16_t>(((state >> 32) * slot_count) >> 32);
    }
  return table;
}
constexpr auto donor_table = make_donors();

// The first value that is not empty among the donors of slot i. After the table's donors are used up the search goes on around the ring,
// from the last donor. Four donors at a time, without a branch for each: nobody could predict it.
std::uint32_t donated(const std::array<std::uint32_t, slot_count>& least, unsigned i) {
  std::uint32_t value = empty;
  for (unsigned t = 0; t < donors && value == empty; t += 4)
    for (unsigned k = t + 4; k-- > t;) {
      const std::uint32_t given = least[donor_table[i][k]];
      value = given & (value | (static_cast<std::uint32_t>(given == empty) - 1));  // given, or if it is empty, value
    }
  for (unsigned donor = donor_table[i][donors - 1]; value == empty; value = least[donor]) donor = donor + 1 == slot_count ? 0 : donor + 1;
  return value;
}

// Indices of empty slots; returns how many.
unsigned find_empty(const std::array<std::uint32_t, slot_count>& least, std::array<std::uint16_t, slot_count>& indices) {
  unsigned count = 0;
  for (unsigned i = 0; i < slot_count; ++i) {
    indices[count] = static_cast<std::uint16_t>(i);
    count += static_cast<unsigned>(least[i] == empty);
  }
  return count;
}

}  // namespace

MinHash::MinHash(const Hasher& hasher) : common_(1024, 0) {
  std::string_view rest = common_bigrams();
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) continue;
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
  std::array<std::uint16_t, slot_count> empties;
  unsigned empty_count = find_empty(least, empties);
  if (empty_count == slot_count) {
    // Nothing but common bigrams: they are better than no sketch.
    for (const std::uint64_t h : bigrams.numbered) {
      const auto slot = static_cast<std::uint32_t>(((h >> 32) * slot_count) >> 32);
      least[slot] = std::min(least[slot], std::min(static_cast<std::uint32_t>(h), empty - 1));
    }
    empty_count = find_empty(least, empties);
  }
  for (unsigned i = 0; i < slot_count; ++i) slots[i] = static_cast<std::uint8_t>(least[i]);
  for (unsigned e = 0; e < empty_count; ++e) slots[empties[e]] = static_cast<std::uint8_t>(donated(least, empties[e]));
  return true;
}

std::array<std::uint64_t, slot_count / 64> slot_bits(const Slots& slots) noexcept {
  std::array<std::uint64_t, slot_count / 64> bits{};
  for (unsigned i = 0; i < slot_count; ++i) bits[i / 64] |= static_cast<std::uint64_t>(slots[i] & 1) << (i % 64);
  return bits;
}

double similarity_of_distance(unsigned distance) noexcept { return std::max(0.0, 1.0 - 2.0 * distance / slot_count); }

}  // namespace leitong::fingerprint
