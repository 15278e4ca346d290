// Text to tokens, as docs/fingerprint-spec.md fixes them: NFKC_Casefold (Unicode 15.0), then UAX #29 words that hold a letter or digit;
// one token a Han character, Kana or Hangul syllable; one a grapheme cluster in Thai, Lao, Khmer and Burmese.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/range.h"

namespace leitong::text {

struct TokenizeOptions {
  bool fold_traditional = false;  // traditional Chinese characters become simplified ones, one for one
  bool with_source = false;       // also fill Tokens::source (slower)
};

// The tokens of one text. `bytes` is normalised text and may hold bytes between tokens that belong to none; at least
// `padding` bytes past the last token are readable (so a hash may load whole vectors).
struct Tokens {
  static constexpr std::size_t padding = 64;
  std::vector<char> bytes;
  std::vector<Range> tokens;  // into bytes, in order, none empty
  std::vector<Range> source;  // with_source: the input bytes that each token came from; same length as tokens

  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    return {bytes.data() + tokens[i].begin, tokens[i].end - tokens[i].begin};
  }
  [[nodiscard]] std::size_t size() const { return tokens.size(); }
};

// Replaces the content of `out` (its buffers are reused). `utf8` shorter than 4 GiB - 64; every maximal invalid part (WHATWG's rule)
// counts as one U+FFFD, which is no token and breaks words. Linear time. Thread-safe
// for different `out`. Throws Error (limit) if the normalised text passes 4 GiB.
void tokenize(std::string_view utf8, const TokenizeOptions& options, Tokens& out);

// The same by the plain path, character by character: what the fast path is tested against.
void tokenize_plain(std::string_view utf8, const TokenizeOptions& options, Tokens& out);

}  // namespace leitong::text
