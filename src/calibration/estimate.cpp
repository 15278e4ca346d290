#include "calibration/estimate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace leitong::calibration {
namespace {

using Half = std::pair<unsigned, bool>;  // a band, and whether its pairs are taken

Half half_of(const Cell& cell) { return {band_of(cell.step), cell.taken}; }

// A part of the collection as a weighted sum of labels: what each label stands for, in pairs.
struct Weights {
  std::vector<double> of;  // each pair of the study
  double known = 0, unknown = 0;
};

// `factor`: how many pairs one pair of a cell stands for.
template <typename Factor>
Weights weigh(const Study& study, const Part& part, const Factor& factor) {
  const auto counts = [&](std::size_t i) { return study.pairs[i].label != Label::none; };
  std::vector<std::uint32_t> labels(study.cells.size(), 0);
  for (std::size_t i = 0; i < study.pairs.size(); ++i)
    if (counts(i)) ++labels[study.pairs[i].cell];
  // Pairs of cells without a label, by where they look for donors.
  std::map<Half, double> orphans;
  Weights weights{std::vector<double>(study.pairs.size(), 0), 0, 0};
  std::vector<double> each(study.cells.size(), 0);
  for (std::size_t c = 0; c < study.cells.size(); ++c) {
    if (!part(study.cells[c])) continue;
    const double size = static_cast<double>(study.cells[c].population) * factor(study.cells[c]);
    if (labels[c] > 0)
      each[c] = size / labels[c];
    else
      orphans[half_of(study.cells[c])] += size;
  }
  for (const auto& [half, size] : orphans) {
    // First those inside the part, then those of the same half anywhere; as they weigh already, or by their populations.
    double inside = 0, outside = 0;
    const auto belongs = [&](std::size_t c) { return labels[c] > 0 && half_of(study.cells[c]) == half; };
    for (std::size_t c = 0; c < study.cells.size(); ++c) {
      if (!belongs(c)) continue;
      inside += each[c] * labels[c];
      outside += static_cast<double>(study.cells[c].population);
    }
    if (inside == 0 && outside == 0) {
      weights.unknown += size;
      continue;
    }
    for (std::size_t c = 0; c < study.cells.size(); ++c) {
      if (!belongs(c)) continue;
      if (inside > 0)
        each[c] += each[c] * size / inside;
      else
        each[c] = static_cast<double>(study.cells[c].population) / outside * size / labels[c];
    }
  }
  for (std::size_t i = 0; i < study.pairs.size(); ++i) {
    if (!counts(i)) continue;
    weights.of[i] = each[study.pairs[i].cell];
    weights.known += weights.of[i];
  }
  return weights;
}

bool right(Label label, bool unsure_is_right) { return label == Label::yes || (unsure_is_right && label == Label::unsure); }

// Kish's number: labels of equal weight whose mean varies as much.
double effective_number(const Weights& weights) {
  double squares = 0;
  for (const double w : weights.of) squares += w * w;
  return squares == 0 ? 0 : weights.known * weights.known / squares;
}

// The share of right ones among the pairs that a sum of labels stands for.
Estimate share_of(const Study& study, const Weights& weights, bool unsure_is_right) {
  Estimate estimate;
  if (weights.known == 0) return estimate;
  double yes = 0;
  for (std::size_t i = 0; i < study.pairs.size(); ++i)
    if (right(study.pairs[i].label, unsure_is_right)) yes += weights.of[i];
  estimate.known = true;
  estimate.value = yes / weights.known;
  const double n = effective_number(weights);
  const Interval known = exact_interval(estimate.value * n, n);
  const double all = weights.known + weights.unknown;
  estimate.interval = {known.low * weights.known / all, (known.high * weights.known + weights.unknown) / all};
  return estimate;
}

double one(const Cell&) { return 1; }
double nominated(const Cell& cell) { return 1 / std::clamp(cell.nominated, 0.01, 1.0); }

// A number of right pairs, and how far it may be off.
struct Amount {
  double value = 0, low = 0, high = 0;
};

template <typename Factor>
Amount amount_of(const Study& study, const Part& part, const Factor& factor) {
  const Weights weights = weigh(study, part, factor);
  const double all = weights.known + weights.unknown;
  const Estimate share = share_of(study, weights, false);
  if (!share.known) return {0, 0, all};
  return {share.value * weights.known, share.interval.low * all, share.interval.high * all};
}

// The interval of b / a of two independent amounts from the intervals of each (Donner and Zou 2012).
Interval ratio_interval(const Amount& b, const Amount& a) {
  const double product = a.value * b.value;
  const auto root = [&](double x) { return std::sqrt(std::max(product * product - x, 0.0)); };
  const double low_below = a.high * (2 * a.value - a.high), high_below = a.low * (2 * a.value - a.low);
  const double low_term = b.low * (2 * b.value - b.low), high_term = b.high * (2 * b.value - b.high);
  Interval ratio{0, HUGE_VAL};
  if (b.low > 0) {
    const double r = root(low_term * low_below);
    ratio.low = std::abs(low_below) < 1e-9 * product ? low_term / (2 * product) : (product - r) / low_below;
  }
  if (high_below > 0) ratio.high = (product + root(high_term * high_below)) / high_below;
  return ratio;
}

// found / (found · scale + missed).
Estimate share_of_found(const Amount& found, const Amount& missed, double scale) {
  Estimate estimate;
  if (found.value <= 0) return estimate;
  estimate.known = true;
  estimate.value = 1 / (scale + missed.value / found.value);
  const Interval ratio = ratio_interval(missed, found);
  estimate.interval = {1 / (scale + ratio.high), 1 / (scale + std::max(ratio.low, 0.0))};
  return estimate;
}

Estimate recall_of(const Study& study, const Part& part) {
  const auto rest = [&](const Cell& cell) { return !part(cell); };
  return share_of_found(amount_of(study, part, one), amount_of(study, rest, one), 1);
}

Estimate recall_of_all(const Study& study, const Part& part) {
  const auto rest = [&](const Cell& cell) { return !part(cell); };
  const Amount found = amount_of(study, part, one), there = amount_of(study, part, nominated);
  const double scale = found.value > 0 ? there.value / found.value : 1;
  return share_of_found(found, amount_of(study, rest, nominated), scale);
}

// So many labels of equal weight, of which `share` are right, would show `target`; 0: none would.
double labels_to_show(double share, double target) {
  constexpr double most = 1e6;
  if (share <= target) return 0;
  double low = 0, high = 1;
  const auto shows = [&](double n) { return exact_interval(share * n, n).low >= target; };
  while (!shows(high)) {
    low = high, high *= 2;
    if (high > most) return 0;
  }
  while (high - low > 0.5) {
    const double middle = (low + high) / 2;
    (shows(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

Precision precision_of(const Study& study, const Part& part) {
  Precision precision;
  for (const Cell& cell : study.cells)
    if (part(cell)) precision.population += cell.population;
  for (const LabelledPair& pair : study.pairs) {
    if (!part(study.cells[pair.cell])) continue;
    precision.yes += static_cast<std::uint32_t>(pair.label == Label::yes);
    precision.no += static_cast<std::uint32_t>(pair.label == Label::no);
    precision.unsure += static_cast<std::uint32_t>(pair.label == Label::unsure);
  }
  const Weights weights = weigh(study, part, one);
  precision.effective = effective_number(weights);
  precision.right = share_of(study, weights, false);
  precision.if_unsure_right = precision.unsure > 0 || !precision.right.known ? share_of(study, weights, true) : precision.right;
  return precision;
}

Threshold threshold_of(const Study& study, double similarity, const Part& taken) {
  Threshold threshold;
  threshold.similarity = similarity;
  threshold.precision = precision_of(study, taken);
  threshold.recall = recall_of(study, taken);
  threshold.recall_of_all = recall_of_all(study, taken);
  return threshold;
}

std::vector<Threshold> thresholds_of(const Study& study) {
  std::set<unsigned> found;
  for (const Cell& cell : study.cells)
    if (cell.taken && cell.population > 0) found.insert(cell.step);
  std::vector<Threshold> thresholds;
  for (const unsigned step : found)
    thresholds.push_back(threshold_of(study, least_of(step), [&](const Cell& cell) { return cell.taken && cell.step >= step; }));
  return thresholds;
}

Advice advise(std::span<const Threshold> thresholds, double target) {
  Advice advice;
  for (const Threshold& threshold : thresholds) {
    const Precision& precision = threshold.precision;
    if (!precision.right.known) continue;
    if (precision.right.interval.low >= target) return {threshold.similarity, std::nullopt, 0, false};
    const double needed = labels_to_show(precision.right.value, target);
    if (needed == 0) continue;
    const double more = precision.labels() * (needed / precision.effective - 1);
    const auto labels = static_cast<std::uint64_t>(std::ceil(std::max(more, 1.0)));
    if (precision.labels() + labels > precision.population) {
      advice.too_few_pairs = true;
      continue;
    }
    if (advice.nearest && labels >= advice.more_labels) continue;
    advice.nearest = threshold.similarity;
    advice.more_labels = labels;
  }
  return advice;
}

}  // namespace leitong::calibration
