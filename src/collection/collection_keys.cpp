#include "collection/collection_keys.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>

#include "collection/collection_row.h"
#include "similarity/thresholds.h"

namespace leitong::collection {
namespace {

constexpr std::uint64_t feature_seed = 1U << 16U;        // of feature keys; the seed of band b is b
constexpr std::uint64_t content_seed = (1U << 16U) + 1;  // of the key of a whole text

std::uint32_t key_of(const void* data, std::size_t size, std::uint64_t seed) {
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(data, size, seed) >> 32U);
}

}  // namespace

void band_keys(const fingerprint::Slots& slots, const candidates::BandPlan& plan, std::vector<std::uint32_t>& keys) {
  for (unsigned band = 0; band < plan.bands; ++band)
    keys.push_back(key_of(slots.data() + std::size_t{band} * plan.slots, plan.slots, band));
}

void feature_keys(const std::vector<std::uint32_t>& features, std::vector<std::uint32_t>& keys) {
  for (const std::uint32_t feature : features) keys.push_back(key_of(&feature, sizeof feature, feature_seed));
}

void content_key(const fingerprint::Sketch& sketch, std::vector<std::uint32_t>& keys) {
  const bool blank = (sketch.content[0] | sketch.content[1]) == 0;
  if (!blank && !sketch.has_slots && sketch.short_features.empty())
    keys.push_back(key_of(sketch.content.data(), sizeof sketch.content, content_seed));
}

store::KeysOf keys_of_documents(const candidates::BandPlan& plan) {
  return [plan](const store::Row& row, std::vector<std::uint32_t>& keys) {
    const fingerprint::Sketch sketch = unpacked_sketch(row.sketch, row.id);
    if (sketch.has_slots) band_keys(sketch.slots, plan, keys);
    feature_keys(sketch.short_features, keys);
    content_key(sketch, keys);
  };
}

// If two texts with n and m features have |A and B| / |A or B| >= t, they share at least t * n features, so B holds one of any n - ceil(t *
// n) + 1 features of A. Texts with fewer than short_tokens tokens have no bands: this is how they find all texts that store their features,
// and how the longer ones of those find them.
WantedKeys wanted_keys(const fingerprint::Sketch& sketch, const Profile& profile, const Rule& rule, const candidates::BandPlan& plan) {
  WantedKeys wanted;
  if (sketch.has_slots) band_keys(sketch.slots, plan, wanted.bands);
  content_key(sketch, wanted.bands);
  if (sketch.short_features.empty()) return wanted;
  feature_keys(sketch.short_features, wanted.features);
  const double n = static_cast<double>(sketch.short_features.size()), t = similarity::least_threshold(rule, profile.short_tokens - 1);
  wanted.needed = sketch.short_features.size() - static_cast<std::size_t>(std::ceil(t * n - 1e-9)) + 1;
  wanted.needed = std::min(wanted.needed, sketch.short_features.size());
  return wanted;
}

}  // namespace leitong::collection
