// Words and extended grapheme clusters of UAX #29, Unicode 15.0, default rules without tailoring.
#pragma once

#include <cstddef>
#include <span>

namespace leitong::text {

// The end of the word that begins at `begin` (a word boundary, < points.size()). Calling it from end to end is linear in all.
std::size_t word_end(std::span<const char32_t> points, std::size_t begin);

// The end of the cluster that begins at `begin`; the text is taken to end where `points` ends.
std::size_t grapheme_end(std::span<const char32_t> points, std::size_t begin);

}  // namespace leitong::text
