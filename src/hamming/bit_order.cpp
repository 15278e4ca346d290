#include "hamming/bit_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace leitong::hamming {
namespace {

constexpr std::size_t sample_size = 1024;
constexpr double uneven = 4;  // times the agreement of random blocks: from here on another order is tried

using Sample = std::vector<std::uint64_t>;

// The word of rows of which no two are equal.
Sample take_sample(std::span<const std::uint64_t> values, unsigned words, unsigned word) {
  const std::size_t n = values.size() / words, count = std::min(sample_size, n);
  std::vector<std::span<const std::uint64_t>> rows;
  for (std::size_t i = 0; i < count; ++i) {
    // Evenly, but not at a fixed stride: data may have a period.
    const std::size_t width = n / count;
    rows.push_back(values.subspan((width * i + (i * 0x9e3779b97f4a7c15U >> 32) % width) * words, words));
  }
  std::sort(rows.begin(), rows.end(), [](auto a, auto b) { return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()); });
  rows.erase(std::unique(rows.begin(), rows.end(), [](auto a, auto b) { return std::equal(a.begin(), a.end(), b.begin()); }), rows.end());
  Sample sample;
  for (const auto row : rows) sample.push_back(row[word]);
  return sample;
}

double agreement_of_block(const Sample& sample, unsigned block) {
  std::vector<std::uint16_t> blocks;
  for (const std::uint64_t v : sample) blocks.push_back(static_cast<std::uint16_t>(v >> (16 * block)));
  std::sort(blocks.begin(), blocks.end());
  double pairs = 0, run = 0;
  for (std::size_t i = 1; i < blocks.size(); ++i) pairs += run = blocks[i] == blocks[i - 1] ? run + 1 : 0;
  const auto n = static_cast<double>(blocks.size());
  return std::max(pairs / (n * (n - 1) / 2), 1.0 / 65536);
}

Spread spread_of(const Sample& sample) {
  Spread spread;
  if (sample.size() < 2) return {1.0 / 65536, 0};
  std::uint64_t varying = 0;
  for (const std::uint64_t v : sample) varying |= v ^ sample[0];
  for (unsigned b = 0; b < 4; ++b) {
    spread.agreement = std::max(spread.agreement, agreement_of_block(sample, b));
    const auto bits = static_cast<std::uint16_t>(varying >> (16 * b));
    spread.constant_bits = std::max(spread.constant_bits, static_cast<unsigned>(std::min(16, std::countr_zero(bits))));
  }
  return spread;
}

// Bits dealt out to the blocks, the most even first and to the top of each block.
std::array<std::uint8_t, 64> dealt(const Sample& sample) {
  std::array<double, 64> lean{};
  for (unsigned b = 0; b < 64; ++b) {
    double ones = 0;
    for (const std::uint64_t v : sample) ones += static_cast<double>(v >> b & 1);
    // Rounded: bits that lean about as little as chance does keep their order, so that neighbours go to different blocks.
    lean[b] = std::round(std::abs(ones / static_cast<double>(sample.size()) - 0.5) * 8);
  }
  std::array<std::uint8_t, 64> by_lean{};
  std::iota(by_lean.begin(), by_lean.end(), std::uint8_t{0});
  std::stable_sort(by_lean.begin(), by_lean.end(), [&](std::uint8_t a, std::uint8_t b) { return lean[a] < lean[b]; });
  std::array<std::uint8_t, 64> order{};
  for (std::size_t i = 0; i < 64; ++i) order[16 * (i % 4) + 15 - i / 4] = by_lean[i];
  return order;
}

}  // namespace

BitOrder::BitOrder(const std::array<std::uint8_t, 64>& order) : table_{} {
  for (unsigned b = 0; b < 64; ++b) {
    const unsigned from = order[b];
    for (std::size_t byte = 0; byte < 256; ++byte) {
      if (byte >> (from % 8) & 1) table_[from / 8][byte] |= std::uint64_t{1} << b;
    }
  }
}

ChosenOrder choose_bit_order(std::span<const std::uint64_t> values, unsigned words, unsigned word) {
  ChosenOrder chosen;
  Sample sample = take_sample(values, words, word);
  chosen.spread = spread_of(sample);
  if (chosen.spread.agreement < uneven / 65536) return chosen;
  BitOrder order(dealt(sample));
  for (auto& v : sample) v = order.of(v);
  const Spread spread = spread_of(sample);
  if (spread.agreement > chosen.spread.agreement / 2) return chosen;
  chosen.spread = spread;
  chosen.order.push_back(order);
  return chosen;
}

}  // namespace leitong::hamming
