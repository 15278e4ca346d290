// The three-byte characters that the fast path of the tokeniser knows besides Han: punctuation of Chinese and English typography.
// Whatever is not named here goes the plain way.
#pragma once

#include <cstdint>

namespace leitong::text {

enum class Wide : std::uint8_t {
  hard,       // not known here
  separator,  // no token, joins nothing, composes with nothing before it; so the text can be cut before it
  mid,        // U+2018 and U+2019, MidNumLet: between two letters or two digits they belong to the word
  fold_mid,   // full-width ' , . : ; become ASCII that may join
};

// static: the kernels for different instruction sets each have their own copy.
static constexpr Wide wide_class(unsigned b0, unsigned b1, unsigned b2) {
  if (b0 == 0xE3 && b1 == 0x80) {  // U+3000 (a space), 3001..3003, 3008..301F
    return (b2 >= 0x80 && b2 <= 0x83) || (b2 >= 0x88 && b2 <= 0x9F) ? Wide::separator : Wide::hard;
  }
  if (b0 == 0xEF && b1 == 0xBC) {  // U+FF01..FF0F, FF1A..FF20 without the double quote
    if (b2 == 0x87 || b2 == 0x8C || b2 == 0x8E || b2 == 0x9A || b2 == 0x9B) return Wide::fold_mid;
    return (b2 >= 0x81 && b2 <= 0x8F && b2 != 0x82) || (b2 >= 0x9C && b2 <= 0xA0) ? Wide::separator : Wide::hard;
  }
  if (b0 == 0xE2 && b1 == 0x80) {  // U+2000..200A (spaces), 2010..2016, 2018..2023, 2026
    if (b2 == 0x98 || b2 == 0x99) return Wide::mid;
    const bool known = (b2 >= 0x80 && b2 <= 0x8A) || (b2 >= 0x90 && b2 <= 0x96) || (b2 >= 0x9A && b2 <= 0xA3) || b2 == 0xA6;
    return known ? Wide::separator : Wide::hard;
  }
  return Wide::hard;
}

}  // namespace leitong::text
