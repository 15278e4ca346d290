// Rows that share a key, and short texts that share a feature, to pairs.

#include "candidates/groups.h"
#include "leitong/distributed.h"
#include "leitong/error.h"
#include "similarity/thresholds.h"

namespace leitong::distributed {

struct KeyGroups::Impl {
  candidates::KeyGroups groups;
};

KeyGroups::KeyGroups(Pair pair, Bounded bounded)
    : impl_(new Impl{candidates::KeyGroups({.pair = std::move(pair), .bounded = std::move(bounded)})}) {}
KeyGroups::~KeyGroups() = default;
void KeyGroups::add(std::uint64_t key, std::uint64_t row) { impl_->groups.add(key, row); }
void KeyGroups::finish() { impl_->groups.finish(); }

std::size_t short_counters(std::uint64_t features) { return std::size_t{1} << candidates::counter_bits(features); }

void count_short(std::span<const std::uint32_t> features, std::span<std::uint32_t> counters) {
  const auto bits = static_cast<unsigned>(std::bit_width(counters.size()) - 1);
  for (const std::uint32_t feature : features) ++counters[candidates::counter_of(feature, bits)];
}

double short_threshold(const Profile& profile, const Rule& rule, std::optional<double> threshold) {
  return threshold ? *threshold : similarity::least_threshold(rule, profile.short_tokens - 1);
}

void visit_short_prefix(std::span<const std::uint32_t> features, std::span<const std::uint32_t> counters, double threshold,
                        const std::function<void(std::uint32_t feature, bool in_short_prefix)>& visit) {
  if (!std::has_single_bit(counters.size()) || counters.size() < 2)
    throw Error(ErrorCode::usage, "the counters of short texts must be as many as short_counters() says");
  std::vector<std::uint64_t> scratch;
  candidates::visit_prefix(features, counters, threshold, scratch, visit);
}

struct ShortGroups::Impl {
  candidates::SetGroups groups;
};

ShortGroups::ShortGroups(double threshold, Pair pair, Bounded bounded)
    : impl_(new Impl{candidates::SetGroups(threshold, {.pair = std::move(pair), .bounded = std::move(bounded)})}) {}
ShortGroups::~ShortGroups() = default;
void ShortGroups::add(std::uint32_t feature, const Set& set) {
  impl_->groups.add(feature, {set.row, set.is_short, set.in_short_prefix, set.features});
}
void ShortGroups::finish() { impl_->groups.finish(); }

}  // namespace leitong::distributed
