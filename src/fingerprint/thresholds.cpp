#include "fingerprint/thresholds.h"

namespace leitong::fingerprint {

double threshold_of(const Profile& profile, std::uint64_t tokens) {
  for (const auto& [limit, similarity] : profile.thresholds)
    if (tokens <= limit) return similarity;
  return profile.thresholds.empty() ? 0 : profile.thresholds.back().similarity;
}

}  // namespace leitong::fingerprint
