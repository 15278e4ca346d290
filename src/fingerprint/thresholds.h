// Which similarity, and how much of the order, a profile asks for.
#pragma once

#include <cstdint>

#include "leitong/profile.h"

namespace leitong::fingerprint {

// Of two texts, the shorter of which has `tokens` tokens.
[[nodiscard]] double threshold_of(const Profile& profile, std::uint64_t tokens);

// Whether the record's collection decides too, of two texts of that similarity: then their similarity without what is common in it must
// reach profile.template_similarity.
[[nodiscard]] bool templates_matter(const Profile& profile, double similarity);

// Whether tokens in the same order decide too, of two texts of that similarity: then 2 · LCS / (n + m) must reach profile.order_lcs,
// or LCS / min(n, m) profile.order_contained.
[[nodiscard]] bool order_matters(const Profile& profile, double similarity, std::uint64_t tokens_a, std::uint64_t tokens_b);
// The least LCS that does.
[[nodiscard]] std::uint64_t least_common_order(const Profile& profile, std::uint64_t tokens_a, std::uint64_t tokens_b);

}  // namespace leitong::fingerprint
