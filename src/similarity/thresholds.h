// Which similarity, and how much of the order, a rule asks for.
#pragma once

#include <cstdint>
#include <string>

#include "leitong/rule.h"

namespace leitong::similarity {

// Of two texts, the shorter of which has `tokens` tokens.
[[nodiscard]] double threshold_of(const Rule& rule, std::uint64_t tokens);
// The least of texts of up to so many tokens.
[[nodiscard]] double least_threshold(const Rule& rule, std::uint32_t tokens);

// Whether the record's collection decides too, of two texts of that similarity: then their similarity without what is common in it must
// reach rule.template_similarity.
[[nodiscard]] bool templates_matter(const Rule& rule, double similarity);
// Whether it matters then, too, how what each has for itself stands (own_passages.h).
[[nodiscard]] bool passages_matter(const Rule& rule, double similarity, std::uint64_t tokens_a, std::uint64_t tokens_b);

// Whether tokens in the same order decide too, of two texts of that similarity: then 2 · LCS / (n + m) must reach rule.order_lcs,
// or LCS / min(n, m) rule.order_contained.
[[nodiscard]] bool order_matters(const Rule& rule, double similarity, std::uint64_t tokens_a, std::uint64_t tokens_b);
// The least LCS that does.
[[nodiscard]] std::uint64_t least_common_order(const Rule& rule, std::uint64_t tokens_a, std::uint64_t tokens_b);

// Whether their facts decide too (facts.h); and whether they may, of a text of so many tokens and some other.
[[nodiscard]] bool facts_matter(const Rule& rule, double similarity, std::uint64_t tokens_a, std::uint64_t tokens_b);
[[nodiscard]] bool facts_may_matter(const Rule& rule, std::uint64_t tokens);

// As TOML and the id write them.
[[nodiscard]] std::string thresholds_text(const Rule& rule);

}  // namespace leitong::similarity
