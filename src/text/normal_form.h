// NFKC_Casefold on code points, for the tokeniser: every output code point can carry the input bytes that it came from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokenize.h"

namespace leitong::text {

// Reused from text to text, so that small texts allocate nothing.
struct NormalText {
  std::vector<char32_t> points;  // the normalised text
  std::vector<Range> sources;    // one a point if asked for: the input bytes of its normalisation run
  // Scratch of one call.
  std::vector<char32_t> raw, run;
  std::vector<std::uint32_t> raw_begin;
};

// Invalid parts become U+FFFD. Linear time, also in a text of nothing but marks.
void normalize(std::string_view utf8, bool with_sources, NormalText& text);

}  // namespace leitong::text
