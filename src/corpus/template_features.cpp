#include "corpus/template_features.h"

#include <algorithm>
#include <array>
#include <string>

#include "corpus/ordered_pipeline.h"
#include "corpus/pair_reader.h"
#include "fingerprint/features.h"

namespace leitong::corpus {
namespace {

constexpr std::uint64_t most_features = 1ULL << 22;
constexpr unsigned cell_bits = 22;
constexpr std::uint16_t full = 0xffff;
// Estimates are .04 off on average, and a page of a template has one with each of the others: below this, half of the template would be
// taken for copies.
constexpr float copy_estimate = 0.80F;

// Keys are upper halves of hashes: their own bits will do for the first place.
std::array<std::size_t, 2> places(std::uint32_t key) { return {key >> (32 - cell_bits), (key * 0x9e3779b1U) >> (32 - cell_bits)}; }

bool is_copy(const PairRow& pair) {
  // A value of 0 between fingerprints: they are close, and there was nothing to estimate by.
  return pair.kind == PairKind::equal || (pair.kind == PairKind::hamming && pair.value == 0) || pair.value >= copy_estimate;
}

struct Batch {
  std::vector<std::size_t> ends;  // of each text in `bytes`
  std::string bytes;
  std::vector<std::uint32_t> keys;  // of all texts
};

}  // namespace

TemplateFeatures::TemplateFeatures(const SketchSet& set, const Rule& rule, const storage::TableReader& pairs, const TextOfRow& text_of,
                                   unsigned threads, const std::function<void()>& stop)
    : counts_(std::size_t{1} << cell_bits, 0), least_(rule.template_records) {
  const std::vector<std::uint32_t> rows = choose(set, pairs, stop);
  records_ = rows.size();
  std::vector<fingerprint::FeatureExtractor> extractors;
  extractors.reserve(threads);
  for (unsigned worker = 0; worker < threads; ++worker) extractors.emplace_back(set.profile());
  std::vector<std::vector<std::uint32_t>> keys(threads);
  std::size_t next = 0;
  const auto fill = [&](Batch& batch) {
    batch.ends.clear(), batch.bytes.clear();
    for (; next < rows.size() && batch.bytes.size() < (1U << 18); ++next) {
      batch.bytes += text_of(rows[next]);
      batch.ends.push_back(batch.bytes.size());
    }
    return !batch.ends.empty();
  };
  const auto extract = [&](Batch& batch, unsigned worker) {
    batch.keys.clear();
    std::size_t begin = 0;
    for (const std::size_t end : batch.ends) {
      extractors[worker].set_text(std::string_view(batch.bytes).substr(begin, end - begin));
      extractors[worker].keys(keys[worker]);
      batch.keys.insert(batch.keys.end(), keys[worker].begin(), keys[worker].end());
      begin = end;
    }
  };
  const auto add = [&](Batch& batch) {
    stop();
    for (const std::uint32_t key : batch.keys) count(key);
  };
  const std::array<PipelineRound<Batch>, 1> rounds = {{{extract, add}}};
  ordered_pipeline<Batch>(threads, fill, std::span<const PipelineRound<Batch>>(rounds));
  heavy_.resize(counts_.size() / 64, 0);
  for (std::size_t place = 0; place < counts_.size(); ++place)
    heavy_[place / 64] |= std::uint64_t{counts_[place] > least_ ? 1U : 0U} << place % 64;
}

// The rows to read.
std::vector<std::uint32_t> TemplateFeatures::choose(const SketchSet& set, const storage::TableReader& pairs,
                                                    const std::function<void()>& stop) const {
  std::vector<bool> named(set.rows(), false), copy(set.rows(), false);
  for_each_pair(pairs, set.rows(), stop, [&](const PairRow& pair) {
    named[pair.a] = named[pair.b] = true;
    if (is_copy(pair)) copy[pair.b] = true;
  });
  const auto features = set.read_all<std::uint32_t>("features");
  std::vector<std::uint32_t> rows;
  std::uint64_t all = 0;
  for (std::uint32_t row = 0; row < set.rows(); ++row)
    if (named[row] && !copy[row]) rows.push_back(row), all += features[row];
  const std::uint64_t step = std::max<std::uint64_t>((all + most_features - 1) / most_features, 1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); i += step) rows[kept++] = rows[i];
  rows.resize(kept);
  return rows;
}

void TemplateFeatures::count(std::uint32_t key) {
  const auto [first, second] = places(key);
  const std::uint16_t less = std::min(counts_[first], counts_[second]);
  if (less == full) return;
  // Only what is not yet beyond the new number grows (Estan, Varghese 2002).
  for (const std::size_t place : {first, second}) counts_[place] = std::max<std::uint16_t>(counts_[place], less + 1);
}

double TemplateFeatures::weight(std::uint32_t key) const {
  const auto [first, second] = places(key);
  if ((heavy_[first / 64] >> first % 64 & 1) == 0) return 1;
  const std::uint32_t records = std::min(counts_[first], counts_[second]);
  return records <= least_ ? 1 : static_cast<double>(least_) / static_cast<double>(records);
}

double TemplateFeatures::weight(std::span<const std::uint32_t> keys) const {
  double sum = 0;
  for (const std::uint32_t key : keys) sum += weight(key);
  return sum;
}

double TemplateFeatures::similarity(std::span<const std::uint32_t> a, double of_b, const similarity::FeatureTable& table) const {
  double of_a = 0, common = 0;
  for (const std::uint32_t key : a) {
    const double w = weight(key);
    of_a += w;
    if (table.count({&key, 1}) > 0) common += w;
  }
  const double all = of_a + of_b - common;
  return all > 0 ? common / all : 0;
}

}  // namespace leitong::corpus
