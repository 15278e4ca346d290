// Candidate pairs group by group, for rows that come sorted by what they share: what band_join and set_join find, without holding all rows.
//
// Whoever sorts the rows (a cluster of machines, a file) may cut them anywhere between two groups: each group is a function of its own rows
// in their order. The same pair may come out of several groups; the caller drops the repeats.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "candidates/set_order.h"

namespace leitong::candidates {

// How large groups are bounded, as BandInput and SetInput say.
struct GroupLimits {
  std::uint32_t group_limit = 512, flood_limit = 0, pivots = 16, window = 48;
};
inline constexpr GroupLimits band_limits{};
inline constexpr GroupLimits set_limits{4096, 512, 16, 48};

// Rows with an equal key. Memory: at most GroupLimits::group_limit rows, whatever the group's size.
class KeyGroups {
 public:
  struct Sink {
    std::function<void(std::uint64_t a, std::uint64_t b)> pair;  // a < b
    std::function<void(std::uint64_t row)> bounded;              // a row of a group that met the limit
  };
  explicit KeyGroups(Sink sink, GroupLimits limits = band_limits) : sink_(std::move(sink)), limits_(limits) {}
  // Ascending by (key, row).
  void add(std::uint64_t key, std::uint64_t row);
  void finish();  // of the last group

 private:
  void pass(std::size_t j);

  Sink sink_;
  GroupLimits limits_;
  std::uint64_t key_ = 0;
  std::vector<std::uint64_t> rows_;  // of the group: all, or the pivots and the last of them
  bool bounded_ = false;
};

// Which features of a set stand in its prefix, given how often each stands in all sets (counters as Frequencies has them). `visit(feature,
// whether it stands in the short prefix)`; features of one set alone are left out. The set is sorted.
template <typename Visit>
void visit_prefix(std::span<const std::uint32_t> set, std::span<const std::uint32_t> counters, double threshold,
                  std::vector<std::uint64_t>& scratch, const Visit& visit) {
  const auto bits = static_cast<unsigned>(std::bit_width(counters.size()) - 1);
  scratch.clear();
  for (const std::uint32_t feature : set) scratch.push_back(order_of(counters[counter_of(feature, bits)], feature));
  std::sort(scratch.begin(), scratch.end());
  const std::size_t length = set.empty() ? 0 : prefix_length(set.size(), threshold);
  const std::size_t short_length = set.empty() ? 0 : short_prefix_length(set.size(), threshold);
  for (std::size_t i = 0; i < length; ++i)
    if (scratch[i] >> 32U > 1) visit(static_cast<std::uint32_t>(scratch[i]), i < short_length);
}

// Sets with a feature in common in their prefixes. Memory: at most GroupLimits::group_limit sets.
class SetGroups {
 public:
  struct Set {
    std::uint64_t row = 0;
    bool is_short = false, in_short_prefix = false;
    std::span<const std::uint32_t> features;  // sorted, distinct
  };
  struct Sink {
    std::function<void(std::uint64_t a, std::uint64_t b, float similarity)> pair;  // a < b
    std::function<void(std::uint64_t row)> bounded;
  };
  SetGroups(double threshold, Sink sink, GroupLimits limits = set_limits);
  // Ascending by (feature, number of features, row).
  void add(std::uint32_t feature, const Set& set);
  void finish();

 private:
  struct Held {
    std::uint64_t row = 0;
    bool is_short = false, in_short_prefix = false;
    Signature signature{};
    std::vector<std::uint32_t> features;
  };
  void meet_all();
  void meet_bounded(std::size_t j);
  void meet(const Held& x, const Held& y);
  [[nodiscard]] bool are_similar(const Held& x, const Held& y) const;

  double threshold_;
  Sink sink_;
  GroupLimits limits_;
  SignatureFilter filter_;
  std::uint32_t feature_ = 0;
  std::vector<Held> sets_;  // of the group, as KeyGroups::rows_
  bool bounded_ = false;
};

}  // namespace leitong::candidates
