// Two texts to measures. A feature multiset is a sorted array of distinct 64-bit numbers (numbered occurrences make it a set).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "leitong/similarity.h"

namespace leitong::similarity {

struct Overlap {
  std::uint64_t common = 0, a = 0, b = 0;
  [[nodiscard]] double jaccard() const;      // common / (a + b - common); two empty sets: 0
  [[nodiscard]] double containment() const;  // common / min(a, b); 0 if one is empty
};
// Of sorted, distinct numbers.
[[nodiscard]] Overlap overlap(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);
[[nodiscard]] Overlap overlap(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

// Tokens as numbers (equal number, equal token): longest common subsequence and edit distance, exact while the number of differences is at
// most `bound`; nullopt beyond. Differences: of lcs_length insertions and deletions (n + m - 2·LCS), of edit_distance its own value. O((n +
// m) + differences²) for similar sequences (Myers 1986, Ukkonen 1985), never more than some O(n / 64 · min(m, 2·bound + 64)) whatever they
// hold; O(n + m) memory. Fewer than 2^31 tokens each.
[[nodiscard]] std::optional<std::uint32_t> lcs_length(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                                      std::uint32_t bound);
[[nodiscard]] std::optional<std::uint32_t> edit_distance(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                                         std::uint32_t bound);
// The same of characters.
[[nodiscard]] std::optional<std::uint32_t> edit_distance(std::span<const char32_t> a, std::span<const char32_t> b, std::uint32_t bound);
// The greatest bound whose search keeps within the allowance: about a second; 1,000 at least.
[[nodiscard]] std::uint32_t affordable_bound(std::size_t a, std::size_t b);

// Alignment over tokens: runs of token indices [a_begin, a_end) ~ [b_begin, b_end), in order, alternately same and changed, covering both.
// The number of equal tokens is the greatest possible while the two differ in some thousand places. Work is bounded (512 steps a token):
// very different long inputs are cut by unique common tokens (patience) first and aligned coarsely where the bound is met.
struct TokenRun {
  bool same = true;
  std::uint32_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;
};
[[nodiscard]] std::vector<TokenRun> align(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

}  // namespace leitong::similarity
