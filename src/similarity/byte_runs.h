// Runs of tokens to runs of bytes that a reader can look at.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "leitong/similarity.h"
#include "similarity/measures.h"
#include "text/tokenize.h"

namespace leitong::similarity {

// Equal runs that are only a small part of the changes on both sides of them (a single 的 between two rewritten sentences) become part of
// one change. Runs stay in order, alternate and cover the same tokens.
[[nodiscard]] std::vector<TokenRun> without_islands(const std::vector<TokenRun>& runs);

// `a_tokens`, `b_tokens`: bytes of each token, in order. The runs returned cover both texts completely and alternate. Bytes between tokens:
// what is equal at a border of a change belongs to the equal run, the rest to the change. Linear time.
[[nodiscard]] std::vector<DiffRun> byte_runs(std::string_view a, std::span<const text::Range> a_tokens, std::string_view b,
                                             std::span<const text::Range> b_tokens, std::span<const TokenRun> runs);

}  // namespace leitong::similarity
