// A text as the characters that the character measures count, and their edits.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "leitong/similarity.h"

namespace leitong::similarity {

// Code points after NFKC_Casefold (traditional characters simplified if asked for), every run of white space as one space, none at either
// end; an invalid part of the UTF-8 is one U+FFFD. Linear time.
[[nodiscard]] std::vector<char32_t> characters(std::string_view utf8, bool fold_traditional);

// Throws Error(limit) for a text of 4 GiB or more.
void check_size(std::string_view text);

// exact if the distance is at most `bound`.
[[nodiscard]] CharacterEdits character_edits(std::span<const char32_t> a, std::span<const char32_t> b, std::uint32_t bound);

}  // namespace leitong::similarity
