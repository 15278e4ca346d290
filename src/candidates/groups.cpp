#include "candidates/groups.h"

namespace leitong::candidates {
namespace {

// Calls meet(i) for the places that place j of a bounded group meets. Of a group whose head is gone but for the pivots and the last
// `window` + 1 places, these are the places that are held.
template <typename Meet>
void meet_in_bounded(std::size_t j, const GroupLimits& limits, const Meet& meet) {
  const std::size_t pivots = std::min<std::size_t>(limits.pivots, j);
  for (std::size_t i = 0; i < pivots; ++i) meet(i);
  for (std::size_t i = std::max(pivots, j - std::min<std::size_t>(j, limits.window)); i < j; ++i) meet(i);
}

// Drops what no later place of a bounded group meets. Cut rarely: moving what is held costs as much as holding twice the window.
template <typename T>
void cut(std::vector<T>& held, const GroupLimits& limits) {
  const std::size_t most = limits.pivots + limits.window;
  if (held.size() < limits.pivots + 4 * limits.window || held.size() <= most) return;
  const auto pivots = held.begin() + limits.pivots;
  held.erase(pivots, held.end() - limits.window);
}

}  // namespace

void KeyGroups::add(std::uint64_t key, std::uint64_t row) {
  if (!rows_.empty() && key != key_) finish();
  key_ = key;
  rows_.push_back(row);
  if (bounded_) {
    pass(rows_.size() - 1);
    cut(rows_, limits_);
  } else if (rows_.size() > limits_.group_limit) {
    bounded_ = true;
    for (std::size_t j = 0; j < rows_.size(); ++j) pass(j);
    cut(rows_, limits_);
  }
}

void KeyGroups::pass(std::size_t j) {
  sink_.bounded(rows_[j]);
  meet_in_bounded(j, limits_, [&](std::size_t i) { sink_.pair(rows_[i], rows_[j]); });
}

void KeyGroups::finish() {
  if (!bounded_)
    for (std::size_t j = 1; j < rows_.size(); ++j)
      for (std::size_t i = 0; i < j; ++i) sink_.pair(rows_[i], rows_[j]);
  rows_.clear();
  bounded_ = false;
}

SetGroups::SetGroups(double threshold, Sink sink, GroupLimits limits)
    : threshold_(threshold), sink_(std::move(sink)), limits_(limits), filter_(choose_signature_filter()) {}

void SetGroups::add(std::uint32_t feature, const Set& set) {
  if (!sets_.empty() && feature != feature_) finish();
  feature_ = feature;
  sets_.push_back({set.row, set.is_short, set.in_short_prefix, signature_of(set.features), {set.features.begin(), set.features.end()}});
  if (bounded_) {
    meet_bounded(sets_.size() - 1);
    cut(sets_, limits_);
  } else if (sets_.size() > limits_.group_limit) {
    bounded_ = true;
    for (std::size_t j = 0; j < sets_.size(); ++j) meet_bounded(j);
    cut(sets_, limits_);
  }
}

void SetGroups::finish() {
  const auto similar = [&](std::size_t x, std::size_t y) { return are_similar(sets_[x], sets_[y]); };
  if (!bounded_ && is_flood(sets_.size(), limits_.flood_limit, similar))
    for (std::size_t j = 0; j < sets_.size(); ++j) meet_bounded(j);
  else if (!bounded_)
    meet_all();
  sets_.clear();
  bounded_ = false;
}

// A pair meets if the smaller set has the feature in its short prefix; that it is wanted and similar is seen in meet().
void SetGroups::meet_all() {
  std::size_t first_fit = 0;
  for (std::size_t j = 1; j < sets_.size(); ++j) {
    while (!fits(sets_[first_fit].features.size(), sets_[j].features.size(), threshold_)) ++first_fit;
    for (std::size_t i = first_fit; i < j; ++i)
      if (sets_[i].in_short_prefix) meet(sets_[i], sets_[j]);
  }
}

void SetGroups::meet_bounded(std::size_t j) {
  sink_.bounded(sets_[j].row);
  meet_in_bounded(j, limits_, [&](std::size_t i) {
    if (fits(sets_[i].features.size(), sets_[j].features.size(), threshold_)) meet(sets_[i], sets_[j]);
  });
}

void SetGroups::meet(const Held& x, const Held& y) {
  if (!x.is_short && !y.is_short) return;
  std::uint32_t hit = 0;
  if (filter_(&x.signature, 1, y.signature, most_different(y.features.size(), threshold_), &hit) == 0) return;
  const std::size_t common = common_features(x.features, y.features);
  const double similarity =
      static_cast<double>(common) / (static_cast<double>(x.features.size() + y.features.size()) - static_cast<double>(common));
  if (similarity >= threshold_) sink_.pair(std::min(x.row, y.row), std::max(x.row, y.row), static_cast<float>(similarity));
}

bool SetGroups::are_similar(const Held& x, const Held& y) const {
  const std::size_t common = common_features(x.features, y.features);
  return static_cast<double>(common) >= threshold_ * static_cast<double>(x.features.size() + y.features.size() - common);
}

}  // namespace leitong::candidates
