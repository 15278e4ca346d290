#include "candidates/set_join.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

#include "candidates/set_order.h"
#include "candidates/signature_filter.h"
#include "hamming/hamming.h"
#include "hamming/ordered_sink.h"
#include "hamming/threads.h"
#include "leitong/error.h"
#include "storage/digit_sort.h"

namespace leitong::candidates {
namespace {

using hamming::Found;
using hamming::join_parts;

constexpr std::size_t postings_per_part = 1 << 14;  // what a thread takes at once

// How often each feature stands in a set, hashed: sometimes too high, never too low, so a count of 1 is certain.
class Frequencies {
 public:
  Frequencies(std::span<const std::uint32_t> features, unsigned threads) {
    const unsigned bits = counter_bits(features.size());
    shift_ = 64 - bits;
    std::vector<std::vector<std::uint32_t>> counts(threads);
    hamming::in_shares(threads, features.size(), [&](unsigned thread, std::size_t begin, std::size_t end) {
      counts[thread].resize(std::size_t{1} << bits);
      for (const std::uint32_t feature : features.subspan(begin, end - begin)) ++counts[thread][scrambled(feature) >> shift_];
    });
    counts_ = std::move(counts[0]);
    hamming::in_shares(threads, counts_.size(), [&](unsigned, std::size_t begin, std::size_t end) {
      for (unsigned thread = 1; thread < threads; ++thread)
        for (std::size_t i = begin; i < end; ++i) counts_[i] += counts[thread][i];
    });
  }
  // The global order of features: rarest first, then by number.
  [[nodiscard]] std::uint64_t order(std::uint32_t feature) const { return order_of(counts_[scrambled(feature) >> shift_], feature); }

 private:
  unsigned shift_ = 0;
  std::vector<std::uint32_t> counts_;
};

// A set that has a feature in its prefix: feature in the upper half; below it the set's place in the order of sizes, times two, plus one if
// the feature stands in the shorter prefix that suffices when the set is the smaller of a pair.
using Posting = std::uint64_t;
std::uint32_t feature_of(Posting posting) { return static_cast<std::uint32_t>(posting >> 32U); }
std::uint32_t place_of(Posting posting) { return static_cast<std::uint32_t>(posting) >> 1U; }
bool in_short_prefix(Posting posting) { return (posting & 1U) != 0; }

class Join {
 public:
  Join(const SetInput& input, const std::function<void(std::span<const SetPair>)>& sink, std::vector<std::uint8_t>& bounded)
      : input_(input), sink_(sink), bounded_(bounded), filter_(choose_signature_filter()), frequencies_(input.features, input.threads) {
    bounded_.assign(input.rows.size(), 0);
    order_by_size();
    make_postings();
  }

  void run() {
    find_bounded_groups();
    find_parts();
    join_parts<Worker>(input_.threads, parts_.size() - 1, sink_, [&](Worker& worker, std::size_t part) { join_part(worker, part); });
  }

 private:
  // Sets of a group so far that have the feature in their short prefix, smallest first. Those before `first` are too small for all that
  // follow.
  struct Smaller {
    std::vector<Signature> signatures;
    std::vector<std::uint32_t> places;
    std::size_t first = 0;
    void clear() { signatures.clear(), places.clear(), first = 0; }
    void add(const Signature& signature, std::uint32_t place) { signatures.push_back(signature), places.push_back(place); }
  };
  // What one thread needs.
  struct Worker {
    Found<SetPair> found;
    Smaller all{}, short_ones{};
    std::vector<std::uint32_t> hits{};
  };

  [[nodiscard]] std::span<const std::uint32_t> features(std::uint32_t set) const {
    return input_.features.subspan(input_.offsets[set], input_.offsets[set + 1] - input_.offsets[set]);
  }
  void order_by_size() {
    std::vector<std::uint64_t> sized;  // the size in the upper half, the set in the lower
    for (std::uint32_t set = 0; set < input_.rows.size(); ++set)
      if (const std::size_t size = features(set).size(); size != 0) sized.push_back(std::uint64_t{size} << 32U | set);
    storage::sort_by_digits(sized, 32);
    by_size_.reserve(sized.size());
    for (const std::uint64_t set : sized) by_size_.push_back(static_cast<std::uint32_t>(set));
  }

  void make_postings() {
    const std::size_t count = by_size_.size();
    std::uint32_t first_fit = 0;
    places_.resize(count);
    last_.resize(count);
    last_short_.resize(count);
    for (std::uint32_t place = 0; place < count; ++place) {
      const std::size_t size = features(by_size_[place]).size();
      while (!fits(features(by_size_[first_fit]).size(), size, input_.threshold)) ++first_fit;
      places_[place].first_fit = first_fit;
    }
    std::vector<std::vector<Posting>> parts(input_.threads);
    hamming::in_shares(input_.threads, count, [&](unsigned thread, std::size_t begin, std::size_t end) {
      Ordering scratch;
      for (std::size_t place = begin; place < end; ++place) post(static_cast<std::uint32_t>(place), scratch, parts[thread]);
    });
    order_by_feature(parts);
  }

  // The postings of all threads, which have the sets in order, by feature and then by set: into buckets by the feature's first byte, and
  // each bucket by the others.
  void order_by_feature(std::vector<std::vector<Posting>>& parts) {
    constexpr std::size_t buckets = 256;
    const auto bucket = [](Posting posting) { return posting >> 56U; };
    std::vector<std::array<std::size_t, buckets>> next(parts.size());
    hamming::on_threads(input_.threads, [&](unsigned thread) {
      for (const Posting posting : parts[thread]) ++next[thread][bucket(posting)];
    });
    std::array<std::size_t, buckets + 1> begins{};
    for (std::size_t b = 0, at = 0; b < buckets; begins[++b] = at)
      for (auto& places : next) at += std::exchange(places[b], at);
    posting_memory_ = std::make_unique_for_overwrite<Posting[]>(begins[buckets]);
    postings_ = {posting_memory_.get(), begins[buckets]};
    hamming::on_threads(input_.threads, [&](unsigned thread) {
      for (const Posting posting : parts[thread]) postings_[next[thread][bucket(posting)]++] = posting;
      parts[thread] = {};
    });
    std::vector<std::vector<Posting>> others(input_.threads);
    hamming::run_items(input_.threads, buckets, [&](unsigned thread, std::size_t b) {
      const auto whole = postings_.subspan(begins[b], begins[b + 1] - begins[b]);
      others[thread].resize(std::max(others[thread].size(), whole.size()));
      const auto other = std::span(others[thread]).first(whole.size());
      std::ranges::copy(storage::sort_by_digits<8>(whole, other, 32, 3), whole.begin());  // from `other`, after three digits
    });
  }

  // What a thread needs to order the features of a set.
  struct Ordering {
    std::vector<std::uint64_t> given, ordered;
    std::array<std::uint32_t, 34> begins{};  // of the features in `ordered` whose frequency has as many bits, and the end
  };

  // The features of a set, ordered by the number of bits of their frequencies.
  void order_roughly(std::span<const std::uint32_t> set, Ordering& o) const {
    const auto bits = [](std::uint64_t order) { return static_cast<unsigned>(std::bit_width(order >> 32U)); };
    o.given.resize(set.size());
    o.ordered.resize(set.size());
    o.begins.fill(0);
    for (std::size_t i = 0; i < set.size(); ++i) {
      o.given[i] = frequencies_.order(set[i]);
      ++o.begins[bits(o.given[i]) + 1];
    }
    std::partial_sum(o.begins.begin(), o.begins.end(), o.begins.begin());
    auto next = o.begins;
    for (const std::uint64_t order : o.given) o.ordered[next[bits(order)]++] = order;
  }

  // Puts the i-th feature in its place, smaller ones before it, greater ones behind it, as std::nth_element does from `first` on.
  static std::uint64_t put_nth(Ordering& o, std::size_t first, std::size_t i) {
    const auto end = std::upper_bound(o.begins.begin(), o.begins.end(), i);  // only those of as many bits are not in order yet
    const auto at = [&](std::size_t index) { return o.ordered.begin() + static_cast<std::ptrdiff_t>(index); };
    if (i >= first) std::nth_element(at(std::max<std::size_t>(first, *(end - 1))), at(i), at(*end));
    return o.ordered[i];
  }

  // The signature of a set and the postings of its prefix.
  void post(std::uint32_t place, Ordering& o, std::vector<Posting>& postings) {
    const auto set = features(by_size_[place]);
    const double t = input_.threshold;
    places_[place].signature = signature_of(set);
    places_[place].most_different = most_different(set.size(), t);
    const std::size_t length = prefix_length(set.size(), t), short_length = short_prefix_length(set.size(), t);
    // Only the ends of the prefixes are wanted, not their order.
    order_roughly(set, o);
    last_short_[place] = put_nth(o, 0, short_length - 1);
    last_[place] = put_nth(o, short_length, length - 1);
    for (std::size_t i = o.begins[2]; i < length; ++i)  // a feature of one set makes no pair
      postings.push_back((o.ordered[i] & UINT32_MAX) << 32U | place << 1U | (i < short_length ? 1U : 0U));
  }

  // What the scan of a group needs of a set.
  struct Place {
    Signature signature{};
    std::uint32_t first_fit = 0;       // place of the first set that is large enough to be similar to this one
    std::uint32_t most_different = 0;  // bits by which the signature of a smaller or equal set may differ
  };

  template <typename Visit>
  void for_each_group(std::size_t from, std::size_t to, const Visit& visit) const {
    for (std::size_t begin = from, end = 0; begin < to; begin = end) {
      for (end = begin + 1; end < to && feature_of(postings_[end]) == feature_of(postings_[begin]);) ++end;
      if (end - begin > 1) visit(std::span<const Posting>(postings_).subspan(begin, end - begin));
    }
  }

  [[nodiscard]] bool is_flood(std::span<const Posting> group) const {
    return candidates::is_flood(group.size(), input_.flood_limit, [&](std::size_t x, std::size_t y) {
      return are_similar(by_size_[place_of(group[x])], by_size_[place_of(group[y])]);
    });
  }

  [[nodiscard]] bool are_similar(std::uint32_t a, std::uint32_t b) const {
    const auto set_a = features(a), set_b = features(b);
    const std::size_t common = common_features(set_a, set_b);
    return static_cast<double>(common) >= input_.threshold * static_cast<double>(set_a.size() + set_b.size() - common);
  }

  // The bounded group of a feature, or none.
  [[nodiscard]] const std::span<const Posting>* bounded_group(std::uint32_t feature) const {
    const auto group = std::lower_bound(bounded_groups_.begin(), bounded_groups_.end(), feature,
                                        [](std::span<const Posting> g, std::uint32_t f) { return feature_of(g.front()) < f; });
    return group != bounded_groups_.end() && feature_of(group->front()) == feature ? &*group : nullptr;
  }

  void find_bounded_groups() {
    for_each_group(0, postings_.size(), [&](std::span<const Posting> group) {
      if (group.size() <= input_.group_limit && !is_flood(group)) return;
      check_stop();
      bounded_groups_.push_back(group);
      for (const Posting posting : group) bounded_[by_size_[place_of(posting)]] = 1;
    });
  }

  // Cuts the postings where a feature ends.
  void find_parts() {
    parts_.assign(1, 0);
    while (parts_.back() < postings_.size()) {
      std::size_t end = std::min(parts_.back() + postings_per_part, postings_.size());
      while (end < postings_.size() && feature_of(postings_[end]) == feature_of(postings_[end - 1])) ++end;
      parts_.push_back(end);
    }
  }

  void join_part(Worker& worker, std::size_t part) {
    for_each_group(parts_[part], parts_[part + 1], [&](std::span<const Posting> group) {
      check_stop();
      bounded_group(feature_of(group.front())) != nullptr ? join_bounded(worker, group) : join_group(worker, group);
    });
  }

  void join_group(Worker& worker, std::span<const Posting> group) {
    worker.all.clear();
    worker.short_ones.clear();
    worker.hits.resize(group.size());
    for (const Posting posting : group) {
      const std::uint32_t y = place_of(posting);
      const Place& place = places_[y];
      const bool is_short = input_.is_short[by_size_[y]] != 0;
      Smaller& smaller = is_short ? worker.all : worker.short_ones;  // a pair is wanted if one side is short
      std::size_t& first = smaller.first;
      while (first < smaller.places.size() && smaller.places[first] < place.first_fit) ++first;
      const std::size_t hits = filter_(smaller.signatures.data() + first, smaller.places.size() - first, place.signature,
                                       place.most_different, worker.hits.data());
      for (std::size_t h = 0; h < hits; ++h) verify(worker, smaller.places[first + worker.hits[h]], y, feature_of(posting));
      if (!in_short_prefix(posting)) continue;
      worker.all.add(place.signature, y);
      if (is_short) worker.short_ones.add(place.signature, y);
    }
  }

  void join_bounded(Worker& worker, std::span<const Posting> group) {
    for (std::size_t j = 1; j < group.size(); ++j) {
      const std::uint32_t y = place_of(group[j]), feature = feature_of(group[j]);
      const std::size_t pivots = std::min<std::size_t>(input_.pivots, j);
      const std::size_t nearest = std::max(pivots, j - std::min<std::size_t>(j, input_.window));
      const std::uint32_t least = places_[y].first_fit;
      for (std::size_t i = j; i-- > nearest && place_of(group[i]) >= least;) meet_bounded(worker, place_of(group[i]), y, feature);
      for (std::size_t i = pivots; i-- > 0 && place_of(group[i]) >= least;) meet_bounded(worker, place_of(group[i]), y, feature);
    }
  }

  void meet_bounded(Worker& worker, std::uint32_t x, std::uint32_t y, std::uint32_t feature) {
    std::uint32_t hit = 0;
    if (filter_(&places_[x].signature, 1, places_[y].signature, places_[y].most_different, &hit) == 1) verify(worker, x, y, feature);
  }

  // Gives the pair if it is similar and meets under `feature` for the first time: groups come in the order of their features, as do the
  // features of a set, so that a pair that has met before is known by its first common features.
  void verify(Worker& worker, std::uint32_t x, std::uint32_t y, std::uint32_t feature) {
    const std::uint32_t a = by_size_[x], b = by_size_[y];
    if (input_.is_short[a] == 0 && input_.is_short[b] == 0) return;
    const auto set_a = features(a), set_b = features(b);
    const double both = static_cast<double>(set_a.size() + set_b.size());
    const double needed = input_.threshold / (1 + input_.threshold) * both - slack;
    const auto least = static_cast<std::size_t>(std::max(0.0, std::ceil(needed)));
    std::size_t common = 0;
    for (std::size_t i = 0, j = 0; i < set_a.size() && j < set_b.size();) {
      if (common + std::min(set_a.size() - i, set_b.size() - j) < least) return;
      const std::uint32_t p = set_a[i], q = set_b[j];
      if (p == q) {
        if (p < feature && meet(x, y, p)) return;
        ++common;
      }
      i += p <= q ? 1 : 0;
      j += q <= p ? 1 : 0;
    }
    const double similarity = static_cast<double>(common) / (both - static_cast<double>(common));
    if (!(similarity >= input_.threshold)) return;
    give(worker, {input_.rows[std::min(a, b)], input_.rows[std::max(a, b)], static_cast<float>(similarity)});
  }

  // Whether two sets meet under a feature that both have.
  [[nodiscard]] bool meet(std::uint32_t x, std::uint32_t y, std::uint32_t feature) const {
    const std::uint64_t order = frequencies_.order(feature);
    if (order > last_[x] || order > last_[y]) return false;
    const auto* const group = bounded_group(feature);
    return group != nullptr ? meet_in_bounded(*group, x, y) : order <= last_short_[x];
  }

  [[nodiscard]] bool meet_in_bounded(std::span<const Posting> group, std::uint32_t x, std::uint32_t y) const {
    const auto rank = [&](std::uint32_t place) {
      return std::lower_bound(group.begin(), group.end(), place, [](Posting posting, std::uint32_t p) { return place_of(posting) < p; }) -
             group.begin();
    };
    const auto i = rank(x);
    return i < input_.pivots || rank(y) - i <= input_.window;
  }

  void check_stop() const {
    if (input_.stop) input_.stop();
  }

  void give(Worker& worker, const SetPair& pair) {
    worker.found.add(pair);
    worker.found.flush_if_full();
  }

  const SetInput& input_;
  const std::function<void(std::span<const SetPair>)>& sink_;
  std::vector<std::uint8_t>& bounded_;
  SignatureFilter filter_;
  Frequencies frequencies_;
  std::vector<std::uint32_t> by_size_;  // set at each place in the order of sizes
  std::vector<Place> places_;
  std::vector<std::uint64_t> last_, last_short_;  // by place: the last feature of the two prefixes in the global order
  std::unique_ptr<Posting[]> posting_memory_;
  std::span<Posting> postings_;                           // by feature, then by place
  std::vector<std::span<const Posting>> bounded_groups_;  // by feature
  std::vector<std::size_t> parts_;                        // where each part of the postings begins, and the end
};

}  // namespace

void set_join(const SetInput& input, const std::function<void(std::span<const SetPair>)>& sink, std::vector<std::uint8_t>& bounded) {
  const std::size_t sets = input.rows.size();
  if (input.offsets.size() != sets + 1 || input.is_short.size() != sets || input.offsets.back() > input.features.size())
    throw Error(ErrorCode::usage, "set_join: rows, offsets, features and is_short do not have matching lengths");
  if (!(input.threshold > 0 && input.threshold <= 1))
    throw Error(ErrorCode::usage, "set_join: the threshold must be above 0 and at most 1");
  if (sets > INT32_MAX) throw Error(ErrorCode::limit, "set_join: more than 2^31 - 1 sets; join fewer at a time");
  if (input.threads == 0) throw Error(ErrorCode::usage, "set_join: no threads");
  Join(input, sink, bounded).run();
}

}  // namespace leitong::candidates
