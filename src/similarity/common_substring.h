// The longest common substring of two sequences of characters.
#pragma once

#include <cstddef>
#include <span>

#include "leitong/similarity.h"

namespace leitong::similarity {

// Characters that may be sorted as suffixes: about a second, and 100 MB.
inline constexpr std::size_t sorted_characters = std::size_t{4} << 20;

// Up to `sorted` characters together: by their suffix array, O(n + m), some 25 bytes a character. Longer ones: a common run of L characters
// holds a whole block of (L + 1) / 2 characters of the shorter text, so places where such a block's rolling hash occurs are all that can
// hold one; L is halved until one is found. O((n + m)·log min(n, m)) time, at most 10 bytes a character of the shorter text. Where texts
// repeat themselves so much that runs cannot all be followed, what is left of them goes into a suffix array; and if that is more than
// `sorted` characters (which takes long texts whose common runs are short, or periods), the longest run seen is a lower bound. Fewer than
// 2^31 characters together.
[[nodiscard]] CommonSubstring common_substring(std::span<const char32_t> a, std::span<const char32_t> b,
                                               std::size_t sorted = sorted_characters);

}  // namespace leitong::similarity
