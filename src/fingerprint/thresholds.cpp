#include "fingerprint/thresholds.h"

#include <algorithm>
#include <cmath>

namespace leitong::fingerprint {

double threshold_of(const Profile& profile, std::uint64_t tokens) {
  for (const auto& [limit, similarity] : profile.thresholds)
    if (tokens <= limit) return similarity;
  return profile.thresholds.empty() ? 0 : profile.thresholds.back().similarity;
}

bool templates_matter(const Profile& profile, double similarity) {
  return similarity < profile.sure_similarity && profile.template_similarity > 0;
}

bool order_matters(const Profile& profile, double similarity, std::uint64_t tokens_a, std::uint64_t tokens_b) {
  return similarity < profile.sure_similarity && std::min(tokens_a, tokens_b) > profile.order_tokens;
}

std::uint64_t least_common_order(const Profile& profile, std::uint64_t tokens_a, std::uint64_t tokens_b) {
  const auto a = static_cast<double>(tokens_a), b = static_cast<double>(tokens_b);
  const double least = std::min(profile.order_lcs * (a + b) / 2, profile.order_contained * std::min(a, b));
  return static_cast<std::uint64_t>(std::ceil(least - 1e-9));
}

}  // namespace leitong::fingerprint
