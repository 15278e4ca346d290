// The longest sentences of a text.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "leitong/similarity.h"
#include "text/range.h"

namespace leitong::similarity {

// Whether a sentence ends between two tokens. `text[begin, end)` is what stands between them; `text` around it is looked at too.
[[nodiscard]] bool ends_sentence(std::string_view text, std::uint32_t begin, std::uint32_t end);

// Of a text whose tokens have these hashes and stand at these bytes. O(n) time, O(sentences) memory.
[[nodiscard]] SentenceSignature longest_sentences(std::string_view text, std::span<const std::uint64_t> tokens,
                                                  std::span<const text::Range> source, unsigned most);

[[nodiscard]] SentenceOverlap sentence_overlap(const SentenceSignature& a, const SentenceSignature& b);

}  // namespace leitong::similarity
