#include "candidates/band_join.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>

#include "candidates/key_partition.h"
#include "candidates/pair_distance.h"
#include "hamming/hamming.h"
#include "hamming/ordered_sink.h"
#include "leitong/error.h"
#include "processor/instruction_set.h"

namespace leitong::candidates {
namespace {

using hamming::Found;
using hamming::join_parts;

constexpr std::size_t history = 4;           // bands whose keys are kept to see repeats
constexpr std::size_t pairs_at_once = 2048;  // compared in one call of the kernel
constexpr std::uint32_t unbounded = UINT32_MAX;

PairDistances choose_kernel() {
#if defined(__x86_64__)
  const auto set = processor::instruction_set();
  if (set == processor::InstructionSet::avx512) return pair_distances_avx512;
  if (set == processor::InstructionSet::avx2) return pair_distances_avx2;
#endif
  return pair_distances_portable;
}

// One band, and what must be known of it later: the keys, and the place of each row in its group where that group was bounded.
struct Band {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint32_t> places;  // empty if no group was bounded
};

class Join {
 public:
  Join(const BandInput& input, std::vector<std::uint8_t>& bounded)
      : input_(input),
        rows_(input.active.size()),
        old_(static_cast<std::size_t>(std::ranges::lower_bound(input.active, input.old_rows) - input.active.begin())),
        bounded_(bounded),
        kernel_(choose_kernel()),
        partition_(rows_, input.threads) {
    bounded_.assign(rows_, 0);
    for (Band& band : bands_) band.keys.resize(rows_);
  }

  void run(const std::function<void(std::span<const Candidate>)>& sink) {
    for (unsigned band = 0; band < input_.bands; ++band) {
      current_ = band % bands_.size();
      earlier_ = std::min<std::size_t>(band, history);
      bands_[current_].places.clear();
      input_.keys(band, bands_[current_].keys);
      partition_.build(bands_[current_].keys);
      join_buckets(sink);
    }
  }

 private:
  // What one thread needs.
  struct Worker {
    Found<Candidate> found;
    GroupFinder finder{};
    std::vector<RowPair> pairs{};
    std::array<std::uint32_t, pairs_at_once> distances{};
  };

  void join_buckets(const std::function<void(std::span<const Candidate>)>& sink) {
    join_parts<Worker>(input_.threads, partition_.buckets(), sink,
                       [&](Worker& worker, std::size_t bucket) { join_bucket(worker, partition_.bucket(bucket)); });
  }

  void join_bucket(Worker& worker, std::span<KeyedPosition> bucket) {
    const std::size_t count = worker.finder.gather(bucket, partition_.bucket_bits());
    const auto entries = bucket.first(count);
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
      for (end = begin + 1; end < count && entries[end] >> 32U == entries[begin] >> 32U;) ++end;
      if (end - begin > 1) join_group(worker, entries.subspan(begin, end - begin));
    }
    compare(worker);
  }

  void join_group(Worker& worker, std::span<const KeyedPosition> group) {
    const auto position = [&](std::size_t i) { return static_cast<std::uint32_t>(group[i]); };
    // Positions ascend in a group: the old ones come first.
    const auto first_new = static_cast<std::size_t>(
        std::ranges::partition_point(group, [&](KeyedPosition entry) { return static_cast<std::uint32_t>(entry) < old_; }) - group.begin());
    const bool is_bounded = group.size() > input_.group_limit && first_new < group.size();
    if (is_bounded) note_bounded(group);
    for (std::size_t j = std::max<std::size_t>(first_new, 1); j < group.size(); ++j) {
      const std::size_t pivots = is_bounded ? std::min<std::size_t>(input_.pivots, j) : j;
      for (std::size_t i = 0; i < pivots; ++i) meet(worker, position(i), position(j));
      for (std::size_t i = std::max(pivots, j - std::min<std::size_t>(j, input_.window)); i < j; ++i)
        meet(worker, position(i), position(j));
    }
  }

  void note_bounded(std::span<const KeyedPosition> group) {
    auto& places = bands_[current_].places;
    {
      const std::lock_guard lock(places_mutex_);
      if (places.empty()) places.assign(rows_, unbounded);
    }
    std::uint32_t place = 0;
    for (const KeyedPosition entry : group) {
      bounded_[static_cast<std::uint32_t>(entry)] = 1;
      places[static_cast<std::uint32_t>(entry)] = place++;
    }
  }

  void meet(Worker& worker, std::uint32_t a, std::uint32_t b) {
    worker.pairs.push_back({a, b});
    if (worker.pairs.size() == pairs_at_once) compare(worker);
  }

  void compare(Worker& worker) {
    kernel_(input_.bits.data(), input_.words, worker.pairs.data(), worker.pairs.size(), worker.distances.data());
    for (std::size_t i = 0; i < worker.pairs.size(); ++i) {
      const auto [a, b] = worker.pairs[i];
      if (worker.distances[i] <= input_.max_distance && !given_before(a, b))
        worker.found.add({input_.active[a], input_.active[b], worker.distances[i]});
    }
    worker.pairs.clear();
    worker.found.flush_if_full();
  }

  // Whether one of the last bands compared the pair already; in a bounded group that a band had, not all pairs met.
  [[nodiscard]] bool given_before(std::uint32_t a, std::uint32_t b) const {
    for (std::size_t back = 1; back <= earlier_; ++back) {
      const Band& band = bands_[(current_ + bands_.size() - back) % bands_.size()];
      if (band.keys[a] != band.keys[b]) continue;
      if (band.places.empty() || band.places[a] == unbounded) return true;
      if (band.places[a] < input_.pivots || band.places[b] - band.places[a] <= input_.window) return true;
    }
    return false;
  }

  const BandInput& input_;
  std::size_t rows_, old_;  // of `active`
  std::vector<std::uint8_t>& bounded_;
  PairDistances kernel_;
  KeyPartition partition_;
  std::array<Band, history + 1> bands_;
  std::size_t current_ = 0, earlier_ = 0;
  std::mutex places_mutex_;
};

}  // namespace

void band_join(const BandInput& input, const std::function<void(std::span<const Candidate>)>& sink, std::vector<std::uint8_t>& bounded) {
  if (input.words == 0 || input.bits.size() / input.words != input.active.size() || input.bits.size() % input.words != 0)
    throw Error(ErrorCode::usage, "band_join: the bit sketches do not have `words` words for each active row");
  if (input.rows >= UINT32_MAX || (!input.active.empty() && input.active.back() >= input.rows))
    throw Error(ErrorCode::usage, "band_join: an active row is beyond the rows, or there are more than 2^32 - 2; join fewer at a time");
  Join(input, bounded).run(sink);
}

}  // namespace leitong::candidates
