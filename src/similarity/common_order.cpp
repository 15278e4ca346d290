#include "similarity/common_order.h"

#include <algorithm>
#include <bit>

#include "processor/instruction_set.h"
#include "similarity/measures.h"

namespace leitong::similarity {
namespace {

// From here on a common subsequence that is quickly found is worth looking for first: if it is long enough, so is the longest.
constexpr std::uint64_t anchored_first_words = 1U << 20;
constexpr std::uint64_t most_mask_words = (8U << 20) / sizeof(std::uint64_t);

// What a word of a row adds to the length. Bits beyond the last column stay set.
std::uint64_t length_of(std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(~word)); }

OrderRowsFunction choose_rows() noexcept {
#if defined(__x86_64__)
  if (processor::use_avx512()) return order_rows_avx512;
#endif
  return order_rows_portable;
}

bool reaches_by_differences(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::uint64_t needed) {
  const std::vector<std::uint64_t> left(a.begin(), a.end()), right(b.begin(), b.end());
  const std::uint64_t total = a.size() + b.size();
  const auto length = lcs_length(left, right, static_cast<std::uint32_t>(total - 2 * needed));
  return length && *length >= needed;
}

}  // namespace

CommonOrder::CommonOrder(std::function<void()> stop, std::uint64_t exact_words)
    : CommonOrder(choose_rows(), std::move(stop), exact_words) {}

void CommonOrder::set(std::span<const std::uint32_t> sequence) {
  sequence_ = sequence;
  numbered_ = masked_ = false;
}

void CommonOrder::number_tokens() {
  numbered_ = true;
  const auto log_size = static_cast<unsigned>(std::bit_width(sequence_.size())) + 1;
  const std::size_t mask = (std::size_t{1} << log_size) - 1;
  slot_shift_ = 32 - log_size;
  slots_.assign(mask + 1, {});
  copies_.assign(1, 0);
  numbers_.clear();
  for (const std::uint32_t token : sequence_) {
    std::size_t at = (token * 0x9e3779b1U) >> slot_shift_;
    while (slots_[at].number != 0 && slots_[at].token != token) at = (at + 1) & mask;
    if (slots_[at].number == 0) {
      slots_[at] = {token, static_cast<std::uint32_t>(copies_.size())};
      copies_.push_back(0);
    }
    ++copies_[slots_[at].number];
    numbers_.push_back(slots_[at].number);
  }
}

void CommonOrder::make_masks() {
  masked_ = true;
  masks_.assign(copies_.size() * words_ + OrderRows::padding, 0);
  for (std::size_t i = 0; i < numbers_.size(); ++i) masks_[numbers_[i] * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
}

std::uint32_t CommonOrder::number_of(std::uint32_t token) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (token * 0x9e3779b1U) >> slot_shift_;
  while (slots_[at].number != 0 && slots_[at].token != token) at = (at + 1) & mask;
  return slots_[at].number;
}

// Returns how many tokens the two share in any order. From the end, so that what is common so far bounds what the rest can add.
std::uint64_t CommonOrder::number_other(std::span<const std::uint32_t> other) {
  unmet_ = copies_;  // of number 0, a token that the sequence lacks, there is none
  other_.resize(other.size());
  rest_.resize(other.size() / 64 + 1);
  std::uint32_t common = 0;
  for (std::size_t i = other.size(); i-- > 0;) {
    const std::uint32_t number = number_of(other[i]);
    other_[i] = number;
    const std::uint32_t is_met = unmet_[number] != 0 ? 1 : 0;
    unmet_[number] -= is_met;
    common += is_met;
    if (i % 64 == 0) rest_[i / 64] = common;
  }
  return common;
}

// Rows are the other's tokens, columns the sequence's. A common subsequence of the needed length skips at most |other| - needed rows and
// |sequence| - needed columns, which bounds the band. Columns left of it keep their last value and those right of it have not begun: both
// mean paths that exist, so the row never promises too much. 64 rows are one step, in the widest band of them.
bool CommonOrder::reaches_in_band(std::uint64_t needed) {
  const std::uint64_t columns = sequence_.size(), rows = other_.size();
  row_.assign(words_ + OrderRows::padding, ~std::uint64_t{0});
  const std::uint64_t skipped_rows = rows - needed, skipped_columns = columns - needed;
  const auto end_of_band = [&](std::uint64_t row) -> std::size_t { return std::min(columns - 1, row + skipped_columns) / 64 + 1; };
  std::uint64_t left_of_band = 0;  // length reached by the words before `first`
  std::size_t first = 0;
  for (std::uint64_t begin = 0, end = 0; begin < rows; begin = end) {
    end = std::min(rows, begin + 64);
    order_rows_({row_.data(), first, end_of_band(end - 1), masks_.data(), words_, &other_[begin], end - begin});
    const std::size_t next = end > skipped_rows ? (end - skipped_rows) / 64 : 0;
    for (; first < next; ++first) left_of_band += length_of(row_[first]);
    // The most that a path through each word of the next row can reach.
    std::uint64_t length = left_of_band, most = left_of_band;
    const std::uint64_t rest = end < rows ? rest_[end / 64] : 0;
    for (std::size_t w = first; w < end_of_band(end); ++w) {
      length += length_of(row_[w]);
      most = std::max(most, length + std::min(rest, columns - 64 * w));
    }
    if (length >= needed) return true;
    if (most < needed) return false;
  }
  return false;
}

// The band has as many rows as the shorter side and is as wide as what may be skipped on both.
std::uint64_t CommonOrder::band_words(std::size_t other, std::uint64_t needed) const {
  const std::uint64_t skipped = sequence_.size() + other - 2 * needed;
  return (skipped / 64 + 2) * std::min(sequence_.size(), other);
}

bool CommonOrder::reaches(std::span<const std::uint32_t> other, std::uint64_t needed) {
  if (needed > std::min(sequence_.size(), other.size())) return false;
  if (needed == 0) return true;
  if (!numbered_) number_tokens();
  if (number_other(other) < needed) return false;
  const std::uint64_t words = band_words(other.size(), needed);
  if (words > std::min(anchored_first_words, exact_words_) && anchored_.length(sequence_, other) >= needed) return true;
  if (words > exact_words_) return false;
  words_ = (sequence_.size() + 63) / 64;
  if (copies_.size() * words_ > most_mask_words) return reaches_by_differences(sequence_, other, needed);
  if (!masked_) make_masks();
  return reaches_in_band(needed);
}

}  // namespace leitong::similarity
