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

// Ranges of numbers of features: 1, 2, ... 8 to 9, 10 to 11, 12 to 14, each a quarter longer than the one before. They are numbered from 0,
// and a class is such a number modulo store::classes: sizes of one class that are not of one range are far apart.
struct SizeRange {
  std::size_t first, end;
  std::uint32_t number;
};
SizeRange size_range(std::size_t size) {
  SizeRange range{1, 2, 0};
  for (; range.end <= size; ++range.number) {
    range.first = range.end;
    range.end = std::max(range.end + 1, range.end * 5 / 4);
  }
  return range;
}

}  // namespace

void band_keys(const fingerprint::Slots& slots, const candidates::BandPlan& plan, std::vector<std::uint32_t>& keys) {
  for (unsigned band = 0; band < plan.bands; ++band)
    keys.push_back(key_of(slots.data() + std::size_t{band} * plan.slots, plan.slots, band));
}

std::uint32_t size_class(std::size_t features) { return size_range(features).number % store::classes; }

void feature_keys(const std::vector<std::uint32_t>& features, std::vector<std::uint32_t>& keys) {
  const std::uint32_t of_size = size_class(features.size());
  for (const std::uint32_t feature : features) keys.push_back(store::group_of(key_of(&feature, sizeof feature, feature_seed)) | of_size);
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

namespace {

// If two texts with n and m features have |A and B| / |A or B| >= t, they share at least t / (1 + t) * (n + m) features, and m is within
// t * n ... n / t. So B holds one of any n - that + 1 features of A; the smaller a class, the more are needed.
void set_needed(std::size_t n, double t, std::array<std::uint32_t, store::classes>& needed) {
  constexpr double slack = 1e-9;  // rounding never costs a match
  const double size = static_cast<double>(n);
  const auto least = static_cast<std::size_t>(std::max(1.0, std::ceil(t * size - slack)));
  constexpr double largest = 1e6;  // no text that keeps its features has more
  const auto most = static_cast<std::size_t>(std::min(size / t + slack, largest));
  for (SizeRange range = size_range(least); range.first <= most; range = size_range(range.end)) {
    const double smallest = static_cast<double>(std::max(range.first, least));
    const auto shared = static_cast<std::size_t>(std::max(1.0, std::ceil(t / (1 + t) * (size + smallest) - slack)));
    std::uint32_t& of_class = needed[size_class(range.first)];
    of_class = std::max(of_class, static_cast<std::uint32_t>(n - std::min(shared, n) + 1));
  }
}

}  // namespace

// Texts with fewer than short_tokens tokens have no bands: this is how they find all texts that store their features, and how the longer
// ones of those find them.
KeysOfText wanted_keys(const fingerprint::Sketch& sketch, const Profile& profile, const Rule& rule, const candidates::BandPlan& plan) {
  KeysOfText wanted;
  if (sketch.has_slots) band_keys(sketch.slots, plan, wanted.bands);
  content_key(sketch, wanted.bands);
  if (sketch.short_features.empty()) return wanted;
  feature_keys(sketch.short_features, wanted.features);
  for (std::uint32_t& key : wanted.features) key = store::group_of(key);
  std::sort(wanted.features.begin(), wanted.features.end());
  wanted.features.erase(std::unique(wanted.features.begin(), wanted.features.end()), wanted.features.end());
  set_needed(sketch.short_features.size(), similarity::least_threshold(rule, profile.short_tokens - 1), wanted.needed);
  return wanted;
}

}  // namespace leitong::collection
