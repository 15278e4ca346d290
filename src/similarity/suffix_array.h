// The suffix array of a sequence of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace leitong::similarity {

// The positions of `text` in the order of the suffixes that begin there; a suffix that is the beginning of another stands before it. Every
// symbol is below `alphabet`. Induced sorting (Nong, Zhang, Chan 2009): O(|text| + alphabet) time whatever the text holds, at most
// some 9 bytes a symbol of memory besides text and result. |text| < 2^31.
[[nodiscard]] std::vector<std::uint32_t> suffix_array(std::span<const std::uint32_t> text, std::uint32_t alphabet);

}  // namespace leitong::similarity
