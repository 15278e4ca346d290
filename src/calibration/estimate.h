// Labelled pairs to precision and recall with intervals.
//
// A label stands for as many pairs of the collection as its cell has, over the labels of that cell, so that a rare cell may be sampled
// densely and count for little. Cells that nobody labelled are spread over the labels of their own half of the band (taken or refused), and
// what even that does not reach is unknown: anything from none to all of it may be right. docs/calibration.md says it in words.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "calibration/interval.h"
#include "calibration/sample.h"

namespace leitong::calibration {

enum class Label : std::uint8_t { none, yes, no, unsure };

struct LabelledPair {
  std::uint32_t cell = 0;
  Label label = Label::none;
};

struct Study {
  std::vector<Cell> cells;
  std::vector<LabelledPair> pairs;
};

// A share of pairs that are right. `known`: there was a label to go by.
struct Estimate {
  double value = 0;
  Interval interval;
  bool known = false;
};

// What the labels say of a part of the collection, with unsure labels as no; and, as `if_unsure_right`, as yes.
struct Precision {
  std::uint64_t population = 0;
  std::uint32_t yes = 0, no = 0, unsure = 0;
  double effective = 0;  // labels of equal weight that would say as much
  Estimate right, if_unsure_right;
  [[nodiscard]] std::uint32_t labels() const { return yes + no + unsure; }
};
using Part = std::function<bool(const Cell&)>;
[[nodiscard]] Precision precision_of(const Study& study, const Part& part);

// The pairs that a threshold takes: those of at least its similarity that what the rule further asks for also takes.
struct Threshold {
  double similarity = 0;
  Precision precision;
  Estimate recall;         // of the right pairs among all that were sampled from (unsure: no)
  Estimate recall_of_all;  // also of those that were not nominated, as many as predicted
};
[[nodiscard]] Threshold threshold_of(const Study& study, double similarity, const Part& taken);
// Of every step that has pairs to take, ascending: a lower threshold between two of them would take no more.
[[nodiscard]] std::vector<Threshold> thresholds_of(const Study& study);

// The lowest threshold whose precision is at least `target` with confidence: the lower end of its interval reaches it.
struct Advice {
  std::optional<double> threshold;
  // If there is none: the threshold of which the fewest labels more would show it, were its estimate true, and the collection has so many.
  std::optional<double> nearest;
  std::uint64_t more_labels = 0;
  bool too_few_pairs = false;  // the estimate of some threshold reaches the target, but all of its pairs would be too few labels to show it
};
[[nodiscard]] Advice advise(std::span<const Threshold> thresholds, double target);

}  // namespace leitong::calibration
