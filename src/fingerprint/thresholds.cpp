#include "fingerprint/thresholds.h"

#include <algorithm>
#include <cmath>

namespace leitong::fingerprint {

double threshold_of(const Profile& profile, std::uint64_t tokens) {
  for (const auto& [limit, similarity] : profile.thresholds)
    if (tokens <= limit) return similarity;
  return profile.thresholds.empty() ? 0 : profile.thresholds.back().similarity;
}

bool order_matters(const Profile& profile, double similarity, std::uint64_t tokens_a, std::uint64_t tokens_b) {
  return similarity < profile.order_similarity && std::min(tokens_a, tokens_b) > profile.order_tokens;
}

std::uint64_t least_common_order(const Profile& profile, std::uint64_t tokens_a, std::uint64_t tokens_b) {
  return static_cast<std::uint64_t>(
      std::ceil(profile.order_lcs * (static_cast<double>(tokens_a) + static_cast<double>(tokens_b)) / 2 - 1e-9));
}

}  // namespace leitong::fingerprint
