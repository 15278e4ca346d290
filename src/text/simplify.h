// Traditional Chinese characters to simplified ones, one for one, by Unihan; the rules stand in generate_unicode.py and README.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong::text {

inline constexpr char32_t han_first = 0x4E00, han_last = 0x9FFF;  // the block that the fast path knows

// The simplified character, or `c` itself.
char32_t simplify(char32_t c);

// By c - han_first; 0 stands for a character that becomes one outside the block.
const std::uint16_t* simplified_han();

}  // namespace leitong::text
