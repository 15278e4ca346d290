#include "stages/template_features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <future>
#include <numeric>
#include <string>

#include "fingerprint/features.h"
#include "job/ordered_pipeline.h"
#include "stages/pair_reader.h"
#include "storage/digit_sort.h"

namespace leitong::stages {
namespace {

constexpr unsigned most_parts = 4;  // of what is sorted; all of them are gone over side by side

bool is_copy(const PairRow& pair) {
  // Between fingerprints a value of 0 means that there was nothing to estimate the similarity by; such pairs are close.
  return pair.kind == PairKind::equal || (pair.kind == PairKind::hamming && pair.value == 0) ||
         pair.value >= TemplateFeatures::copy_estimate;
}

// A counted record: in the count without copies, in the one with copies, or in both.
struct Counted {
  std::uint32_t row = 0;
  bool without_copies = false, with_copies = false;
};

struct Batch {
  std::vector<Counted> rows;
  std::vector<std::size_t> ends;  // end of each text in `bytes`
  std::string bytes;
  std::vector<std::uint32_t> keys;  // of all texts
  std::vector<std::size_t> key_ends;
};

// Chooses which records are counted. One half of the content hash decides which of several copies is counted, the other half which records
// are sampled; with one hash for both, the chosen copy of a large group would be sampled more often than other records.
class Choice {
 public:
  Choice(const sketches::SketchSet& set, const std::function<void()>& stop) : set_(set), stop_(stop) {}

  // The chosen rows, ascending.
  std::vector<Counted> choose(const storage::TableReader& pairs, std::uint64_t most_features) {
    leave_copies_out(pairs);
    const std::vector<std::uint32_t> without = draw(most_features);
    counted_ = with_copies_;
    const std::vector<std::uint32_t> with = draw(most_features);
    std::vector<Counted> both;
    for (std::size_t i = 0, j = 0; i < without.size() || j < with.size();) {
      const std::uint32_t row = j == with.size() || (i < without.size() && without[i] < with[j]) ? without[i] : with[j];
      Counted& one = both.emplace_back(Counted{row});
      if (i < without.size() && without[i] == row) one.without_copies = true, ++i;
      if (j < with.size() && with[j] == row) one.with_copies = true, ++j;
    }
    return both;
  }

 private:
  struct Drawn {
    std::uint64_t hash = 0;
    std::uint32_t row = 0, features = 0;
  };

  // Those rows of counted_ with the smallest hashes that together have at most `most_features` features, ascending.
  std::vector<std::uint32_t> draw(std::uint64_t most_features) const {
    std::uint64_t all = 0;
    for_each_counted([&](std::uint32_t, std::uint32_t features, std::uint64_t) { all += features; });
    // Reads about twice as many as fit, so that the rows with the smallest hashes are among them.
    const std::uint64_t limit = all <= most_features ? ~0ULL : most_of_hash(2 * most_features, all);
    std::vector<Drawn> drawn;
    for_each_counted([&](std::uint32_t row, std::uint32_t features, std::uint64_t hash) {
      if (hash <= limit) drawn.push_back({hash, row, features});
    });
    if (all > most_features) std::sort(drawn.begin(), drawn.end(), [](const Drawn& x, const Drawn& y) { return x.hash < y.hash; });
    std::vector<std::uint32_t> rows;
    std::uint64_t taken = 0;
    for (const Drawn& one : drawn)
      if (taken + one.features <= most_features) rows.push_back(one.row), taken += one.features;
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  static std::uint64_t most_of_hash(std::uint64_t part, std::uint64_t all) {
    return part >= all ? ~0ULL : static_cast<std::uint64_t>(static_cast<double>(part) / static_cast<double>(all) * 0x1p64);
  }

  void leave_copies_out(const storage::TableReader& pairs) {
    std::vector<std::uint32_t> ranks(set_.rows());
    set_.for_each_block({sketches::SketchColumns::content}, [&](std::uint64_t first, const storage::Block& block) {
      stop_();
      const auto words = block.column<std::uint64_t>(sketches::SketchColumns::content);
      for (std::size_t i = 0; i < words.size() / 2; ++i) ranks[first + i] = static_cast<std::uint32_t>(words[2 * i] >> 32);
    });
    counted_.assign(set_.rows(), false);
    std::vector<bool> copy(set_.rows(), false), equal(set_.rows(), false);
    for_each_pair(pairs, set_.rows(), stop_, [&](const PairRow& pair) {
      counted_[pair.a] = counted_[pair.b] = true;
      if (pair.kind == PairKind::equal) equal[pair.b] = true;
      if (!is_copy(pair)) return;
      if (pair.kind == PairKind::equal || ranks[pair.a] < ranks[pair.b]) copy[pair.b] = true;
      if (pair.kind != PairKind::equal && ranks[pair.b] < ranks[pair.a]) copy[pair.a] = true;
    });
    with_copies_ = counted_;
    for (std::size_t row = 0; row < copy.size(); ++row) {
      if (copy[row]) counted_[row] = false;
      if (equal[row]) with_copies_[row] = false;
    }
  }

  // visit(row, features, hash)
  template <typename Visit>
  void for_each_counted(const Visit& visit) const {
    set_.for_each_block({sketches::SketchColumns::content, sketches::SketchColumns::features},
                        [&](std::uint64_t first, const storage::Block& block) {
                          stop_();
                          const auto words = block.column<std::uint64_t>(sketches::SketchColumns::content);
                          const auto features = block.column<std::uint32_t>(sketches::SketchColumns::features);
                          for (std::size_t i = 0; i < features.size(); ++i)
                            if (counted_[first + i]) visit(static_cast<std::uint32_t>(first + i), features[i], words[2 * i + 1]);
                        });
  }

  const sketches::SketchSet& set_;
  const std::function<void()>& stop_;
  std::vector<bool> counted_, with_copies_;
};

// Each part by a thread of its own, if there are several.
void sort_parts(std::vector<std::vector<std::uint32_t>>& parts, std::vector<std::uint32_t>& one, std::vector<std::uint32_t>& other) {
  std::vector<std::future<void>> sorts;
  for (std::size_t i = 1; i < parts.size(); ++i)
    sorts.push_back(std::async(std::launch::async, [&part = parts[i]] { storage::sort_by_digits(part, 0); }));
  for (auto* const keys : {&parts[0], &one, &other}) storage::sort_by_digits(*keys, 0);
  for (auto& sort : sorts) sort.get();
}

// Goes over sorted keys, each with how often it stands there.
class Tally {
 public:
  explicit Tally(const std::vector<std::uint32_t>& sorted) : sorted_(sorted) {}
  [[nodiscard]] std::uint64_t head() const { return at_ < sorted_.size() ? sorted_[at_] : ~0ULL; }
  // How often `key` stands there; no smaller one is left.
  std::uint32_t take(std::uint32_t key) {
    const std::size_t begin = at_;
    while (at_ < sorted_.size() && sorted_[at_] == key) ++at_;
    return static_cast<std::uint32_t>(at_ - begin);
  }

 private:
  std::span<const std::uint32_t> sorted_;
  std::size_t at_ = 0;
};

// The similarity where what two texts have in common weighs so much.
double jaccard(const TemplateFeatures::Both& both, double common) {
  const double all = both.of_a.sum + both.of_b.sum - common;
  return all > 0 ? common / all : 0;
}

}  // namespace

TemplateFeatures::TemplateFeatures(const sketches::SketchSet& set, const Rule& rule, const storage::TableReader& pairs,
                                   const sketches::TextOfRow& text_of, unsigned threads, const std::function<void()>& stop,
                                   std::uint64_t most_features)
    : least_(rule.template_records), share_(rule.template_share) {
  const std::vector<Counted> rows = Choice(set, stop).choose(pairs, most_features);
  std::vector<fingerprint::FeatureExtractor> extractors;
  extractors.reserve(threads);
  for (unsigned worker = 0; worker < threads; ++worker) extractors.emplace_back(set.profile());
  std::vector<std::vector<std::uint32_t>> scratch(threads);
  Keys counted;
  counted.both.resize(std::min(threads, most_parts));
  std::size_t next = 0;
  const auto fill = [&](Batch& batch) {
    batch.rows.clear(), batch.ends.clear(), batch.bytes.clear();
    for (; next < rows.size() && batch.bytes.size() < (1U << 18); ++next) {
      batch.rows.push_back(rows[next]);
      batch.bytes += text_of(rows[next].row);
      batch.ends.push_back(batch.bytes.size());
    }
    return !batch.ends.empty();
  };
  const auto extract = [&](Batch& batch, unsigned worker) {
    batch.keys.clear(), batch.key_ends.clear();
    std::size_t begin = 0;
    for (const std::size_t end : batch.ends) {
      extractors[worker].set_text(std::string_view(batch.bytes).substr(begin, end - begin));
      extractors[worker].keys(scratch[worker]);
      batch.keys.insert(batch.keys.end(), scratch[worker].begin(), scratch[worker].end());
      batch.key_ends.push_back(batch.keys.size());
      begin = end;
    }
  };
  const auto add = [&](Batch& batch) {
    stop();
    for (std::size_t i = 0, begin = 0; i < batch.rows.size(); begin = batch.key_ends[i], ++i) {
      const auto keys = std::span(batch.keys).subspan(begin, batch.key_ends[i] - begin);
      const Counted& row = batch.rows[i];
      auto& all = row.without_copies && row.with_copies ? counted.part() : row.with_copies ? counted.with_copies : counted.without_copies;
      all.insert(all.end(), keys.begin(), keys.end());
      records_ += row.without_copies ? 1 : 0;
    }
  };
  const std::array<job::PipelineRound<Batch>, 1> rounds = {{{extract, add}}};
  job::ordered_pipeline<Batch>(threads, fill, std::span<const job::PipelineRound<Batch>>(rounds));
  learn(counted);
}

void TemplateFeatures::learn(Keys& keys) {
  sort_parts(keys.both, keys.without_copies, keys.with_copies);
  std::vector<Tally> both(keys.both.begin(), keys.both.end());
  Tally without(keys.without_copies), with(keys.with_copies);
  std::vector<Heavy> heavy;
  for (;;) {
    std::uint64_t next = std::min(without.head(), with.head());
    for (const Tally& part : both) next = std::min(next, part.head());
    if (next == ~0ULL) break;
    const auto key = static_cast<std::uint32_t>(next);
    std::uint32_t shared = 0;
    for (Tally& part : both) shared += part.take(key);
    const std::uint32_t without_copies = shared + without.take(key), with_copies = shared + with.take(key);
    add_if_heavy({key, without_copies, with_copies}, heavy);
  }
  make_table(heavy);
}

TemplateFeatures::TemplateFeatures(const Rule& rule, std::span<const KeyCount> counts)
    : least_(rule.template_records), share_(rule.template_share) {
  std::vector<Heavy> heavy;
  for (const KeyCount& count : counts) add_if_heavy(count, heavy);
  make_table(heavy);
}

void TemplateFeatures::add_if_heavy(const KeyCount& count, std::vector<Heavy>& heavy) const {
  if (std::max(count.without_copies, count.with_copies) <= least_) return;
  heavy.push_back({count.key, (count.without_copies > least_ ? count.without_copies << 1 : 0) | (count.with_copies > least_ ? 1U : 0U)});
}

void TemplateFeatures::make_table(std::span<const Heavy> heavy) {
  const unsigned bits = std::clamp(static_cast<unsigned>(std::bit_width(heavy.size())) + 1, 8U, 31U);
  shift_ = 32 - bits;
  heavy_.assign(std::size_t{1} << bits, {});
  filter_.assign(std::size_t{1} << 14, 0);
  for (const Heavy& one : heavy) {
    std::size_t at = one.key >> shift_;
    while (heavy_[at].said != 0) at = (at + 1) & (heavy_.size() - 1);
    heavy_[at] = one;
    filter_[one.key >> 18] |= std::uint64_t{1} << (one.key >> 12 & 63U);
  }
}

std::uint32_t TemplateFeatures::find(std::uint32_t key) const {
  std::size_t at = key >> shift_;
  while (heavy_[at].said != 0 && heavy_[at].key != key) at = (at + 1) & (heavy_.size() - 1);
  return heavy_[at].said;
}

double TemplateFeatures::weight(std::uint32_t key) const { return may_be_heavy(key) ? weight_of(find(key)) : 1; }

// Which are looked up is not to be guessed, so that they are picked without a branch, some at a time; and their places are not in the
// processor's nearest caches, so that they are asked for ahead.
template <typename Others, typename Visit>
void TemplateFeatures::for_each_found(std::span<const std::uint32_t> keys, const Others& others, const Visit& visit) const {
  constexpr std::size_t ahead = 16;
  std::array<std::uint32_t, 512 + ahead> picked;
  for (std::size_t begin = 0; begin < keys.size(); begin += 512) {
    const auto part = keys.subspan(begin, std::min<std::size_t>(512, keys.size() - begin));
    std::size_t count = 0;
    for (const std::uint32_t key : part) {
      picked[count] = key;
      count += may_be_heavy(key) ? 1 : 0;
    }
    others(part.size() - count);
    std::fill_n(picked.begin() + static_cast<std::ptrdiff_t>(count), ahead, 0);
    for (std::size_t i = 0; i < std::min(ahead, count); ++i) __builtin_prefetch(&heavy_[picked[i] >> shift_]);
    for (std::size_t i = 0; i < count; ++i) {
      __builtin_prefetch(&heavy_[picked[i + ahead] >> shift_]);
      visit(picked[i], find(picked[i]));
    }
  }
}

TemplateFeatures::Weight TemplateFeatures::weigh(std::span<const std::uint32_t> keys) const {
  Weight all;
  for_each_found(
      keys, [&](std::size_t others) { all.sum += static_cast<double>(others); },
      [&](std::uint32_t, std::uint32_t said) {
        all.sum += weight_of(said);
        all.heavy += in_many(said) ? 1 : 0;
      });
  return all;
}

bool TemplateFeatures::is_template(const Both& both) const {
  const double needed = share_ * static_cast<double>(both.common);
  if (both.common == 0 || std::min(both.of_a.heavy, both.of_b.heavy) < needed) return false;
  std::uint64_t common = 0;
  for_each_found(
      both.a, [](std::size_t) {},
      [&](std::uint32_t key, std::uint32_t said) {
        if (in_many(said) && both.table.count({&key, 1}) > 0) ++common;
      });
  return static_cast<double>(common) >= needed;
}

double TemplateFeatures::similarity(const Both& both) const {
  double common = 0;
  for (const std::uint32_t key : both.a)
    if (both.table.count({&key, 1}) > 0) common += weight(key);
  return jaccard(both, common);
}

double TemplateFeatures::lighter(const Both& both) const {
  double lacks = 0;
  for_each_found(
      both.a, [](std::size_t) {},
      [&](std::uint32_t key, std::uint32_t said) {
        if (said >= 2 && both.table.count({&key, 1}) > 0) lacks += 1 - weight_of(said);
      });
  return lacks;
}

bool TemplateFeatures::is_below(const Both& both, double least) const {
  // What is in common weighs at most its number, as no feature weighs more than 1, and at most as much as either text. Sums are inexact:
  // a margin.
  const auto common = static_cast<double>(both.common);
  const double margin = 1e-6 * static_cast<double>(both.a.size() + both.common + 1);
  if (jaccard(both, std::min({common, both.of_a.sum + margin, both.of_b.sum + margin})) < least) return true;
  // And it lacks at most as much of its number as all features of `a` lack of theirs.
  const double lacks = static_cast<double>(both.a.size()) - both.of_a.sum;
  if (jaccard(both, common - lacks - margin) >= least) return false;
  // What it lacks, so added up that only few features are looked up.
  const double rest = common - lighter(both), limit = least / (1 + least) * (both.of_a.sum + both.of_b.sum);
  if (rest + margin < limit) return true;
  if (rest - margin > limit) return false;
  return similarity(both) < least;
}

}  // namespace leitong::stages
