#include "java/java_simhash.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace leitong::java {
namespace {

using Row = std::array<std::uint64_t, 8>;

// For every byte, the sign bits that its bits give to eight doubles: none for 1, a minus for 0.
constexpr std::array<Row, 256> make_signs() {
  std::array<Row, 256> signs{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (std::size_t bit = 0; bit < 8; ++bit) signs[byte][bit] = (byte >> bit & 1) != 0 ? 0 : std::uint64_t{1} << 63;
  }
  return signs;
}

alignas(64) constexpr std::array<Row, 256> signs = make_signs();

}  // namespace

void LengthSimHash::add(std::u16string_view word) {
  const std::uint32_t weight = length_profile_weight(word);
  if (weight == 0) return;
  sum_ += weight;
  largest_ = std::max(largest_, weight);
  counts_[static_cast<std::size_t>(std::countr_zero(weight))].add(length_profile_hash(word));
}

std::uint64_t LengthSimHash::fingerprint() const {
  BitCounts<std::uint64_t> all;
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i].add_to(all, i);
  return all.at_least(all.total() / 2 + 1);
}

bool LengthSimHash::too_short() const { return static_cast<std::int32_t>(3 * largest_) >= sum() || sum() < 20; }

// Sixteen sums at a time stay in registers while all ballots pass. x - w is x + (-w) exactly, so both votes are one addition.
void DoubleVote::add(std::span<const Ballot> ballots) {
  using Pair = double __attribute__((vector_size(16)));
  using Bits = std::uint64_t __attribute__((vector_size(16)));
  for (std::size_t byte = 0; byte < 8; byte += 2) {
    double* const to = sums_.data() + 8 * byte;
    std::array<Pair, 8> sums;
    std::memcpy(sums.data(), to, sizeof sums);
    for (const Ballot& ballot : ballots) {
      const auto weight = std::bit_cast<std::uint64_t>(ballot.weight);
      const Bits weights = {weight, weight};
      for (std::size_t half = 0; half < 2; ++half) {
        const Row& row = signs[ballot.hash >> (8 * (byte + half)) & 0xFF];
        for (std::size_t i = 0; i < 4; ++i) {
          Bits sign;
          std::memcpy(&sign, row.data() + 2 * i, sizeof sign);
          sums[4 * half + i] += reinterpret_cast<Pair>(weights ^ sign);
        }
      }
    }
    std::memcpy(to, sums.data(), sizeof sums);
  }
}

std::uint64_t DoubleVote::fingerprint() const {
  std::uint64_t out = 0;
  for (std::size_t bit = 0; bit < 64; ++bit) out |= std::uint64_t{sums_[bit] >= 0} << bit;
  return out;
}

std::string bit_string(Uint128 value, std::size_t bits, BitOrder order) {
  std::string out(bits, '0');
  for (std::size_t i = 0; i < bits; ++i) {
    const std::size_t bit = order == BitOrder::least_first ? i : bits - 1 - i;
    if ((value >> bit & 1) != 0) out[i] = '1';
  }
  return out;
}

std::string decimal_string(Uint128 value) {
  std::string out;
  do {
    out.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  std::reverse(out.begin(), out.end());
  return out;
}

std::string hex_string(Uint128 value, std::size_t bits) {
  std::string out;
  for (std::size_t digit = (bits + 3) / 4; digit-- > 0;)
    out.push_back("0123456789abcdef"[static_cast<unsigned>(value >> (4 * digit)) & 15]);
  return out;
}

std::optional<Uint128> parse_bit_string(std::u16string_view bits, BitOrder order) {
  if (bits.size() > 128) return std::nullopt;
  Uint128 value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::size_t bit = order == BitOrder::least_first ? i : bits.size() - 1 - i;
    if (bits[i] == u'1') value |= Uint128{1} << bit;
  }
  return value;
}

}  // namespace leitong::java
