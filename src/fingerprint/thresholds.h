// Which similarity, and how much of the order, a profile asks for.
#pragma once

#include <cstdint>

#include "leitong/profile.h"

namespace leitong::fingerprint {

// Of two texts, the shorter of which has `tokens` tokens.
[[nodiscard]] double threshold_of(const Profile& profile, std::uint64_t tokens);

// Whether tokens in the same order decide too, of two texts of that similarity: then 2 · LCS / (n + m) must reach profile.order_lcs.
[[nodiscard]] bool order_matters(const Profile& profile, double similarity, std::uint64_t tokens_a, std::uint64_t tokens_b);
// The least LCS that does.
[[nodiscard]] std::uint64_t least_common_order(const Profile& profile, std::uint64_t tokens_a, std::uint64_t tokens_b);

}  // namespace leitong::fingerprint
