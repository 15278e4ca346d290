#include "similarity/shared_runs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

namespace leitong::similarity {
namespace {

constexpr std::uint32_t shortest_text = 8;     // tokens; less is said by chance
constexpr std::size_t most_runs = 10'000;      // of a pair of texts
constexpr std::uint64_t most_work = 64;        // tokens of runs to each token of the two texts
constexpr std::uint64_t free_work = 1U << 20;  // and so many more
constexpr std::size_t block = 256;             // positions whose table entries are fetched together

// A polynomial of the last n tokens modulo 2^64; tokens are hashes already.
class RollingHash {
 public:
  explicit RollingHash(std::uint32_t n) : n_(n) {
    for (std::uint32_t i = 0; i < n; ++i) leaving_ *= base;
  }
  // The gram that begins at tokens[i], after the one before it (or from its own tokens).
  std::uint64_t first(const std::uint64_t* tokens) {
    hash_ = 0;
    for (std::uint32_t i = 0; i < n_; ++i) hash_ = hash_ * base + tokens[i];
    return hash_;
  }
  std::uint64_t next(std::uint64_t left, std::uint64_t entered) {
    hash_ = hash_ * base + (entered - left * leaving_);
    return hash_;
  }

 private:
  static constexpr std::uint64_t base = 0x9e3779b97f4a7c15ULL;
  std::uint32_t n_;
  std::uint64_t leaving_ = 1, hash_ = 0;
};

void gram_hashes(std::span<const std::uint64_t> tokens, std::uint32_t gram, std::vector<std::uint64_t>& out) {
  out.resize(tokens.size() - gram + 1);
  RollingHash rolling(gram);
  out[0] = rolling.first(tokens.data());
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = rolling.next(tokens[i - 1], tokens[i + gram - 1]);
}

// The last of the least in [begin, end).
std::uint32_t least(const std::vector<std::uint64_t>& hashes, std::size_t begin, std::size_t end) {
  std::size_t best = begin;
  for (std::size_t i = begin + 1; i < end; ++i)
    if (hashes[i] <= hashes[best]) best = i;
  return static_cast<std::uint32_t>(best);
}

// Tokens in a set of ranges.
class Cover {
 public:
  // Whether the range held anything new.
  bool add(std::uint32_t begin, std::uint32_t end) {
    auto next = parts_.upper_bound(begin);
    if (next != parts_.begin()) {
      const auto before = std::prev(next);
      if (before->second >= end) return false;
      if (before->second >= begin) begin = before->first, next = before;
    }
    while (next != parts_.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = parts_.erase(next);
    }
    parts_.emplace_hint(next, begin, end);
    return true;
  }
  [[nodiscard]] std::uint32_t size() const {
    std::uint32_t sum = 0;
    for (const auto& [begin, end] : parts_) sum += end - begin;
    return sum;
  }

 private:
  std::map<std::uint32_t, std::uint32_t> parts_;  // disjoint
};

// Leaves the first most_repeats of equal grams, of those from `begin` on.
std::uint64_t drop_repeats(std::vector<Gram>& grams, std::size_t begin) {
  if (grams.size() - begin <= most_repeats) return 0;
  std::unordered_map<std::uint64_t, std::uint32_t> copies;
  const auto rest = std::remove_if(grams.begin() + static_cast<std::ptrdiff_t>(begin), grams.end(),
                                   [&](const Gram& gram) { return ++copies[gram.hash] > most_repeats; });
  const auto dropped = static_cast<std::uint64_t>(grams.end() - rest);
  grams.erase(rest, grams.end());
  if (dropped > 0)
    for (auto gram = grams.begin() + static_cast<std::ptrdiff_t>(begin); gram != grams.end(); ++gram)
      gram->repeats = copies[gram->hash] > most_repeats;
  return dropped;
}

std::uint32_t covered(std::span<const SharedRun> runs, std::uint32_t SharedRun::* begin) {
  if (runs.size() == 1) return runs[0].length;
  Cover cover;
  for (const SharedRun& run : runs) cover.add(run.*begin, run.*begin + run.length);
  return cover.size();
}

}  // namespace

RunShape run_shape(std::uint32_t span) {
  RunShape shape;
  shape.span = span;
  shape.gram = (2 * span + 2) / 3;
  shape.window = span - shape.gram + 1;
  shape.shortest = std::min(span, shortest_text);
  return shape;
}

std::uint64_t choose_grams(std::span<const std::uint64_t> tokens, const RunShape& shape, std::vector<Gram>& out) {
  if (tokens.size() < shape.shortest) return 0;
  const std::size_t first = out.size();
  thread_local std::vector<std::uint64_t> hashes;
  gram_hashes(tokens, tokens.size() < shape.gram ? shape.shortest : shape.gram, hashes);
  // Among equal hashes the one chosen already stays as long as the window holds it: "0 0 0 0" is not chosen at every position.
  std::uint32_t chosen = least(hashes, 0, std::min<std::size_t>(tokens.size() < shape.span ? hashes.size() : shape.window, hashes.size()));
  out.push_back({hashes[chosen], chosen, false});
  if (tokens.size() < shape.span) return 0;  // is held whole, or not at all
  for (std::size_t i = shape.window; i < hashes.size(); ++i) {
    if (hashes[i] < hashes[chosen]) {
      chosen = static_cast<std::uint32_t>(i);
    } else if (chosen + shape.window <= i) {
      chosen = least(hashes, i + 1 - shape.window, i + 1);
    } else {
      continue;
    }
    out.push_back({hashes[chosen], chosen, false});
  }
  return drop_repeats(out, first);
}

void CommonGrams::add(std::uint64_t hash, std::uint64_t place) {
  if (current_.places > 0 && hash != current_.hash) close();
  if (current_.places == 0) current_.hash = hash, current_.first = place;
  if (++current_.places == most_places) current_.last = place;
}

void CommonGrams::close() {
  if (current_.places > most_places) common_.push_back(current_);
  current_ = {};
}

std::vector<CommonGram> CommonGrams::take() {
  close();
  return std::move(common_);
}

void GramTable::sort() {
  std::sort(places_.begin(), places_.end(),
            [](const Place& x, const Place& y) { return std::tie(x.hash, x.position) < std::tie(y.hash, y.position); });
}

void GramTable::finish(std::span<const CommonGram> common, std::uint64_t base) {
  auto next = common.begin();
  std::erase_if(places_, [&](Place& place) {
    while (next != common.end() && next->hash < place.hash) ++next;
    if (next == common.end() || next->hash != place.hash) return false;
    if (base + place.position == next->first) place.text |= common_bit;
    return base + place.position > next->last;
  });
  const auto bits = static_cast<unsigned>(std::bit_width(places_.size()));  // 2^bits > places
  directory_shift_ = 64 - std::max(bits, 1U);
  directory_.assign((std::size_t{1} << (64 - directory_shift_)) + 1, 0);
  for (const Place& place : places_) ++directory_[(place.hash >> directory_shift_) + 1];
  for (std::size_t i = 1; i < directory_.size(); ++i) directory_[i] += directory_[i - 1];
  filter_shift_ = 64 - std::clamp(bits, 3U, 40U) + 2;  // words of 64 bits: 16 bits or more a place
  bit_shift_ = filter_shift_ - 6;
  filter_.assign(std::size_t{1} << (64 - filter_shift_), 0);
  for (const Place& place : places_) filter_[place.hash >> filter_shift_] |= 1ULL << (place.hash >> bit_shift_ & 63);
}

std::span<const GramTable::Place> GramTable::find(std::uint64_t hash) const {
  const std::size_t bucket = hash >> directory_shift_;
  std::size_t begin = directory_[bucket];
  const std::size_t bucket_end = directory_[bucket + 1];
  while (begin < bucket_end && places_[begin].hash < hash) ++begin;
  std::size_t end = begin;
  while (end < bucket_end && places_[end].hash == hash) ++end;
  return std::span(places_).subspan(begin, end - begin);
}

void RunIndex::reserve(std::uint64_t tokens) {
  tokens_.reserve(tokens);
  grams_.reserve(tokens * 9 / (4 * (shape_.window + std::uint64_t{1})));  // 2 / (window + 1) are expected
}

void RunIndex::add(std::span<const std::uint64_t> tokens, std::span<const Gram> grams) {
  const auto begin = static_cast<std::uint32_t>(tokens_.size());
  const auto text = static_cast<std::uint32_t>(ends_.size());
  tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
  ends_.push_back(static_cast<std::uint32_t>(tokens_.size()));
  GramTable& table = tokens.size() < shape_.gram ? short_grams_ : grams_;
  for (const Gram& gram : grams) table.add({gram.hash, begin + gram.position, gram.repeats ? text | GramTable::repeat_bit : text});
}

void RunIndex::finish(const std::vector<CommonGram>* common) {
  grams_.sort();
  short_grams_.sort();
  if (common != nullptr) {
    common_ = *common;
  } else {
    // Both lengths in one sequence: what hashes tell apart, they tell apart across lengths too.
    CommonGrams collected;
    const auto &x = grams_.places(), &y = short_grams_.places();
    for (std::size_t i = 0, j = 0; i < x.size() || j < y.size();) {
      const bool take_x = j == y.size() || (i < x.size() && std::tie(x[i].hash, x[i].position) < std::tie(y[j].hash, y[j].position));
      const GramTable::Place& place = take_x ? x[i++] : y[j++];
      collected.add(place.hash, base_ + place.position);
    }
    common_ = collected.take();
  }
  grams_.finish(common_, base_);
  short_grams_.finish(common_, base_);
}

std::pair<std::uint32_t, std::uint32_t> RunIndex::text_at(std::uint32_t token) const {
  const auto text = std::upper_bound(ends_.begin(), ends_.end(), token);
  return {static_cast<std::uint32_t>(text - ends_.begin()), text == ends_.begin() ? 0 : *std::prev(text)};
}

std::uint64_t RunIndex::bytes_of(std::size_t tokens, std::size_t grams) {
  return 8 * tokens + 4 + (sizeof(GramTable::Place) + 12) * grams;  // filter and directory: up to 4 and 8 bytes
}

void keep_covering(std::vector<SharedRun>& runs) {
  const auto by_b = [](const SharedRun& x, const SharedRun& y) { return std::tie(x.b, x.a) < std::tie(y.b, y.a); };
  if (runs.size() > 1) {
    std::sort(runs.begin(), runs.end(),
              [&](const SharedRun& x, const SharedRun& y) { return x.length != y.length ? x.length > y.length : by_b(x, y); });
    Cover a, b;
    std::erase_if(runs, [&](const SharedRun& run) {
      const bool new_in_a = a.add(run.a, run.a + run.length), new_in_b = b.add(run.b, run.b + run.length);
      return !new_in_a && !new_in_b;
    });
    std::sort(runs.begin(), runs.end(), by_b);
  }
}

std::uint32_t covered_a(std::span<const SharedRun> runs) { return covered(runs, &SharedRun::a); }
std::uint32_t covered_b(std::span<const SharedRun> runs) { return covered(runs, &SharedRun::b); }

std::span<const TextRuns> RunFinder::find(std::span<const std::uint64_t> tokens) {
  tokens_ = tokens;
  work_.clear();
  found_.clear();
  repeating_.clear();
  for (const auto& [table, gram] :
       {std::pair(&index_.grams_, index_.shape_.gram), std::pair(&index_.short_grams_, index_.shape_.shortest)}) {
    ends_.clear();  // positions ascend in one scan only
    scan(*table, gram);
  }
  for (TextRuns& text : found_) {
    keep_covering(text.runs);
    text.bounded = text.bounded || repeating_.contains(text.text);
  }
  std::sort(found_.begin(), found_.end(), [](const TextRuns& x, const TextRuns& y) { return x.text < y.text; });
  return found_;
}

void RunFinder::scan(const GramTable& table, std::uint32_t gram) {
  if (table.places().empty() || tokens_.size() < gram) return;
  RollingHash rolling(gram);
  std::array<std::uint64_t, block> hashes;
  const std::size_t count = tokens_.size() - gram + 1;
  for (std::size_t begin = 0; begin < count; begin += block) {
    const std::size_t n = std::min(block, count - begin);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = begin + i;
      hashes[i] = at == 0 ? rolling.first(tokens_.data()) : rolling.next(tokens_[at - 1], tokens_[at + gram - 1]);
      table.prefetch(hashes[i]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (!table.may_hold(hashes[i])) continue;
      for (const GramTable::Place& place : table.find(hashes[i])) visit(static_cast<std::uint32_t>(begin + i), place, gram);
    }
  }
}

bool RunFinder::is_bounded(std::uint32_t text) const {
  if (work_.empty()) return false;
  const auto work = work_.find(text);
  return work != work_.end() && found_[work->second.slot].bounded;
}

// A gram of the searched text at `at` is one of the indexed texts at `place`: the maximal run that holds both, unless it is known.
void RunFinder::visit(std::uint32_t at, const GramTable::Place& place, std::uint32_t gram) {
  const std::uint32_t text = place.text & GramTable::text_bits;
  if ((place.text & GramTable::repeat_bit) != 0) repeating_.insert(text);
  if ((place.text & GramTable::common_bit) != 0) {
    const auto& common = index_.common_;
    const auto found =
        std::lower_bound(common.begin(), common.end(), place.hash, [](const CommonGram& x, std::uint64_t hash) { return x.hash < hash; });
    ++met_[static_cast<std::size_t>(found - common.begin())];
  }
  std::uint32_t& known = ends_[(std::uint64_t{1} << 32) + place.position - at];
  if (at < known || is_bounded(text)) return;
  const std::uint64_t* b = index_.tokens_.data();
  const std::uint32_t begin = text == 0 ? 0 : index_.ends_[text - 1], end = index_.ends_[text];
  const std::size_t room = std::min<std::size_t>(tokens_.size() - at, end - place.position);
  const std::uint64_t *x = tokens_.data() + at, *y = b + place.position;
  const auto forward = static_cast<std::uint32_t>(std::mismatch(x, x + room, y).first - x);
  if (forward < gram) return;  // different grams of one hash
  known = at + forward;
  const std::uint32_t room_before = std::min(at, place.position - begin);
  std::uint32_t before = 0;
  while (before < room_before && x[-1 - std::ptrdiff_t{before}] == y[-1 - std::ptrdiff_t{before}]) ++before;
  const SharedRun run{at - before, place.position - begin - before, before + forward};
  if (run.length >= std::min(index_.shape_.span, end - begin)) keep(text, end - begin, run);
}

void RunFinder::keep(std::uint32_t text, std::uint32_t text_tokens, const SharedRun& run) {
  const auto [at, is_new] = work_.try_emplace(text, Work{found_.size(), 0});
  if (is_new) found_.push_back({text, false, {}});
  TextRuns& found = found_[at->second.slot];
  found.runs.push_back(run);
  at->second.tokens += run.length;
  found.bounded = found.runs.size() >= most_runs || at->second.tokens > most_work * (tokens_.size() + text_tokens) + free_work;
}

}  // namespace leitong::similarity
