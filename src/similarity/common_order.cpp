#include "similarity/common_order.h"

#include <algorithm>
#include <bit>

#include "similarity/measures.h"

namespace leitong::similarity {
namespace {

constexpr std::size_t most_tokens = 1 << 16;

bool reaches_by_differences(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::uint64_t needed) {
  const std::vector<std::uint64_t> left(a.begin(), a.end()), right(b.begin(), b.end());
  const std::uint64_t total = a.size() + b.size();
  return lcs_length(left, right, static_cast<std::uint32_t>(total - 2 * needed)).has_value();
}

}  // namespace

// Tokens of a as numbers from 1, those of b likewise. Returns how many tokens the two share in any order.
std::uint64_t CommonOrder::number_tokens(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  const auto log_size = static_cast<unsigned>(std::bit_width(a.size())) + 1;
  const std::size_t mask = (std::size_t{1} << log_size) - 1;
  slots_.assign(mask + 1, {});
  const auto find = [&](std::uint32_t token) -> Slot& {
    std::size_t slot = (token * 0x9e3779b1U) >> (32 - log_size);
    while (slots_[slot].number != 0 && slots_[slot].token != token) slot = (slot + 1) & mask;
    return slots_[slot];
  };
  a_numbers_.clear(), b_numbers_.clear();
  unmatched_.assign(1, 0);
  for (const std::uint32_t token : a) {
    Slot& slot = find(token);
    if (slot.number == 0) {
      slot = {token, static_cast<std::uint32_t>(unmatched_.size())};
      unmatched_.push_back(0);
    }
    ++unmatched_[slot.number];
    a_numbers_.push_back(slot.number);
  }
  std::uint64_t common = 0;
  for (const std::uint32_t token : b) {
    const std::uint32_t number = find(token).number;
    b_numbers_.push_back(number);
    if (number != 0 && unmatched_[number] > 0) --unmatched_[number], ++common;
  }
  return common;
}

std::uint64_t CommonOrder::length(std::size_t columns) {
  const std::size_t words = (columns + 63) / 64;
  masks_.assign(unmatched_.size() * words, 0);
  for (std::size_t i = 0; i < columns; ++i) masks_[a_numbers_[i] * words + i / 64] |= std::uint64_t{1} << (i % 64);
  // A bit of the row is 0 where the length grows by one with that token of a.
  row_.assign(words, ~std::uint64_t{0});
  for (const std::uint32_t number : b_numbers_) {
    if (number == 0) continue;
    const std::uint64_t* const matches = &masks_[number * words];
    unsigned char carry = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t row = row_[w], match = row & matches[w];
      const std::uint64_t sum = row + match;
      const std::uint64_t with_carry = sum + carry;
      carry = static_cast<unsigned char>((sum < row ? 1 : 0) | (with_carry < sum ? 1 : 0));
      row_[w] = with_carry | (row - match);
    }
  }
  std::uint64_t ones = 0;
  for (const std::uint64_t word : row_) ones += static_cast<std::uint64_t>(std::popcount(word));
  return words * 64 - ones;  // bits beyond the last column stay set
}

bool CommonOrder::reaches(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::uint64_t needed) {
  if (needed > std::min(a.size(), b.size())) return false;
  while (!a.empty() && !b.empty() && needed > 0 && a.front() == b.front()) a = a.subspan(1), b = b.subspan(1), --needed;
  while (!a.empty() && !b.empty() && needed > 0 && a.back() == b.back()) a = a.first(a.size() - 1), b = b.first(b.size() - 1), --needed;
  if (needed == 0) return true;
  if (a.size() > b.size()) std::swap(a, b);
  if (needed > a.size()) return false;
  if (a.size() > most_tokens) return reaches_by_differences(a, b, needed);
  if (number_tokens(a, b) < needed) return false;
  return length(a.size()) >= needed;
}

}  // namespace leitong::similarity
