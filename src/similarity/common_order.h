// Whether two token sequences share at least so many tokens in the same order (the length of their longest common subsequence).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "similarity/anchored_order.h"
#include "similarity/order_rows.h"

namespace leitong::similarity {

// One sequence is set, then others are asked about it. Reuses its buffers: make one a thread.
class CommonOrder {
 public:
  // Words of 64 table cells that an exact answer may cost: a tenth of a second or two. Two texts of 65,000 tokens stay below it.
  static constexpr std::uint64_t most_exact_words = 1ULL << 26;

  // `stop`, if there is one, is called many times a second and may throw.
  explicit CommonOrder(std::function<void()> stop = {}, std::uint64_t exact_words = most_exact_words);
  // With the rows of one instruction set, for tests.
  explicit CommonOrder(OrderRowsFunction rows, std::function<void()> stop = {}, std::uint64_t exact_words = most_exact_words)
      : order_rows_(rows), anchored_(std::move(stop)), exact_words_(exact_words) {}
  // `sequence` must live until the last question about it.
  void set(std::span<const std::uint32_t> sequence);
  // LCS(sequence, other) >= needed. Exact where the band that a subsequence of that length cannot leave has at most `exact_words`:
  // bit-parallel (Hyyrö 2004) inside the band, and ends as soon as the answer is certain; memory distinct tokens · |sequence| / 8 bytes,
  // and where that would be more than 8 MiB, lcs_length decides, whose time depends on the differences instead. Longer texts are cut at
  // what they share first (anchored_order.h): true is then certain, and false wrong where the length is within a few per cent above
  // `needed`.
  [[nodiscard]] bool reaches(std::span<const std::uint32_t> other, std::uint64_t needed);

 private:
  void number_tokens();
  void make_masks();
  [[nodiscard]] std::uint64_t number_other(std::span<const std::uint32_t> other);
  [[nodiscard]] std::uint32_t number_of(std::uint32_t token) const;
  [[nodiscard]] bool reaches_in_band(std::uint64_t needed);
  [[nodiscard]] std::uint64_t band_words(std::size_t other, std::uint64_t needed) const;

  struct Slot {
    std::uint32_t token = 0, number = 0;  // number 0: free
  };
  OrderRowsFunction order_rows_;
  AnchoredOrder anchored_;
  std::uint64_t exact_words_;
  std::span<const std::uint32_t> sequence_;
  bool numbered_ = false, masked_ = false;
  unsigned slot_shift_ = 31;
  std::size_t words_ = 0;                      // of a row: a bit a token of the sequence
  std::vector<Slot> slots_;                    // tokens of the sequence -> numbers from 1
  std::vector<std::uint32_t> copies_, unmet_;  // of each number: in the sequence; of them not met in the other yet
  std::vector<std::uint32_t> numbers_, other_;
  std::vector<std::uint32_t> rest_;  // for each 64 tokens of the other: how many the sequence shares with it from there on, in any order
  std::vector<std::uint64_t> masks_, row_;  // masks_: a row for each number
};

}  // namespace leitong::similarity
