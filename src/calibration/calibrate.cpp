// A sample and its labels to estimates, their report, and a rule with the threshold to take.

#include "leitong/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "calibration/calibration_files.h"
#include "calibration/estimate.h"
#include "leitong/error.h"
#include "leitong/version.h"
#include "outputs/output_file.h"
#include "outputs/results_directory.h"
#include "records/json_object.h"
#include "report/calibration_page.h"
#include "report/numbers.h"
#include "storage/vfs.h"

namespace leitong {
namespace {

using calibration::Cell;
using calibration::Estimate;

calibration::Label label_of(PairLabel label) {
  switch (label) {
    case PairLabel::yes:
      return calibration::Label::yes;
    case PairLabel::no:
      return calibration::Label::no;
    case PairLabel::unsure:
      return calibration::Label::unsure;
    case PairLabel::none:
      break;
  }
  return calibration::Label::none;
}

Share share_of(const Estimate& estimate) { return {estimate.known, estimate.value, estimate.interval.low, estimate.interval.high}; }

LabelledPart part_of(const calibration::Precision& p) {
  return {p.population, p.yes, p.no, p.unsure, share_of(p.right), share_of(p.if_unsure_right)};
}

CalibratedThreshold threshold_of(const calibration::Threshold& t) {
  return {t.similarity, part_of(t.precision), share_of(t.recall), share_of(t.recall_of_all)};
}

// 95 %, 97.3 %, > 99.9 %: never more than is known.
std::string percent(double share) {
  if (share > 0.999 && share < 1) return "> 99.9 %";
  if (share < 0.001 && share > 0) return "< 0.1 %";
  const std::string text = fmt::format("{:.1f}", 100 * share);
  return (text.ends_with(".0") ? text.substr(0, text.size() - 2) : text) + " %";
}

std::string with_interval(const Share& share) {
  if (!share.known) return "unknown";
  return fmt::format("{} (95 % interval {} to {})", percent(share.value), percent(share.low), percent(share.high));
}

using report::counted;

class Calibrator {
 public:
  Calibrator(const CalibrateOptions& options, const calibration::Sample& sample, const std::vector<PairLabel>& labels)
      : options_(options), sample_(sample) {
    study_.cells = sample.cells;
    for (std::size_t i = 0; i < sample.pairs.size(); ++i) study_.pairs.push_back({sample.pairs[i].cell, label_of(labels.at(i))});
  }

  Calibration run() {
    describe();
    bands();
    distances();
    const std::vector<calibration::Threshold> thresholds = calibration::thresholds_of(study_);
    for (const auto& threshold : thresholds) result_.thresholds.push_back(threshold_of(threshold));
    result_.current = threshold_of(calibration::threshold_of(study_, 0, [](const Cell& cell) { return cell.current; }));
    advice_ = calibration::advise(thresholds, options_.precision);
    result_.recommended = advice_.threshold;
    result_.more_labels = advice_.more_labels;
    say_what_it_means();
    return result_;
  }

 private:
  void describe() {
    Calibration& r = result_;
    r.title = sample_.title, r.sample = sample_.id, r.version = version();
    r.profile = sample_.profile.name, r.profile_id = sample_.profile_id;
    r.rule = sample_.rule.name, r.rule_id = sample_.rule_id;
    r.records = sample_.records, r.equal = sample_.equal, r.pairs = sample_.pairs.size();
    r.least_similarity = sample_.least_similarity, r.target = options_.precision, r.predicts_recall = sample_.predicts_recall;
    for (const Cell& cell : study_.cells) {
      r.population += cell.population;
      r.has_further_rules = r.has_further_rules || !cell.taken;
    }
    for (const auto& pair : study_.pairs) {
      r.labelled += static_cast<std::uint64_t>(pair.label != calibration::Label::none);
      r.unsure += static_cast<std::uint64_t>(pair.label == calibration::Label::unsure);
    }
  }

  void bands() {
    std::set<unsigned> found;
    for (const Cell& cell : study_.cells) found.insert(calibration::band_of(cell.step));
    for (const unsigned band : found) {
      const auto part = [&](auto taken) {
        return part_of(calibration::precision_of(
            study_, [&](const Cell& cell) { return calibration::band_of(cell.step) == band && (!taken || cell.taken == *taken); }));
      };
      const double from = calibration::least_of(2 * band);
      result_.bands.push_back({std::max(from, sample_.least_similarity), std::min(from + 0.1, 1.0), part(std::optional<bool>()),
                               part(std::optional(true)), part(std::optional(false))});
    }
  }

  void distances() {
    const unsigned bits = sample_.profile.bits, last = calibration::distance_bands - 1;
    for (unsigned band = 0; band <= last; ++band) {
      CalibratedDistance distance;
      distance.all = part_of(calibration::precision_of(study_, [&](const Cell& cell) { return cell.distance == band; }));
      if (distance.all.population == 0) continue;
      if (band < last) distance.from = band == 0 ? 0 : calibration::greatest_of(band - 1, bits) + 1;
      if (band + 1 < last) distance.to = calibration::greatest_of(band, bits);
      result_.distances.push_back(distance);
    }
  }

  void say(std::string sentence) { result_.findings.push_back(std::move(sentence)); }

  void say_what_it_means() {
    say_of_current();
    if (result_.recommended)
      say_of_recommended();
    else
      say_why_none();
    if (result_.labelled < result_.pairs)
      say(fmt::format("{} of the {} pairs are labelled; what has no label near it widens the intervals", result_.labelled, result_.pairs));
    if (result_.unsure > 0) say_of_unsure();
    if (sample_.bounded > 0)
      say(fmt::format("{} records resemble so many others that not all of their pairs were looked at; of those nothing is known",
                      sample_.bounded));
  }

  void say_of_current() {
    const CalibratedThreshold& now = result_.current;
    if (now.taken.population == 0) {
      say("the rule as it is takes no pair of different texts of this collection");
      return;
    }
    if (!now.taken.precision.known) {
      say(fmt::format("the rule as it is takes {} of different texts; none of them is labelled", pairs(now.taken.population)));
      return;
    }
    say(fmt::format("the rule as it is takes {} of different texts, of which {} are right{}", pairs(now.taken.population),
                    with_interval(now.taken.precision), recall_clause(now)));
  }

  [[nodiscard]] static std::string pairs(std::uint64_t n) { return counted(n, "pair", "pairs"); }

  [[nodiscard]] static std::string recall_clause(const CalibratedThreshold& threshold) {
    return threshold.recall.known ? fmt::format("; it finds {} of the right pairs", with_interval(threshold.recall)) : "";
  }

  [[nodiscard]] const CalibratedThreshold& recommended() const {
    return *std::find_if(result_.thresholds.begin(), result_.thresholds.end(),
                         [&](const CalibratedThreshold& t) { return t.threshold == *result_.recommended; });
  }

  void say_of_recommended() {
    const CalibratedThreshold& best = recommended();
    say(
        fmt::format("the threshold to take is {:.2f}: the lowest whose pairs are, with 95 % confidence, right in {} or more; of its {} {} "
                    "are right{}",
                    best.threshold, percent(options_.precision), pairs(best.taken.population), with_interval(best.taken.precision),
                    recall_clause(best)));
    if (best.threshold < sample_.least_similarity + 0.049)
      say("that is the lowest similarity that was looked at: draw again with a lower --least-similarity to see whether less would do");
    const Share lowest = lowest_step(best.threshold);
    if (lowest.known && lowest.value < 0.5)
      say(fmt::format(
          "the pairs that just reach it ({:.2f} to {:.2f}) are right in {} only: the many better ones above them make up for it",
          best.threshold, best.threshold + 0.05, percent(lowest.value)));
  }

  [[nodiscard]] Share lowest_step(double threshold) const {
    const unsigned step = calibration::step_of(threshold);
    return share_of(calibration::precision_of(study_, [&](const Cell& cell) { return cell.taken && cell.step == step; }).right);
  }

  void say_why_none() {
    const std::string goal = percent(options_.precision);
    if (result_.labelled == 0) {
      say("there are no labels yet, so nothing can be recommended");
    } else if (advice_.nearest) {
      say(fmt::format(
          "too few labels to recommend a threshold: none shows, with 95 % confidence, a precision of {}; the nearest is {:.2f}, "
          "and about {} of the pairs that it takes would show it, if they are as right as those so far",
          goal, *advice_.nearest, counted(advice_.more_labels, "label more", "labels more")));
      if (result_.labelled == result_.pairs) say("all pairs that were drawn are labelled: draw more, with a greater --per-band");
    } else if (advice_.too_few_pairs) {
      say(fmt::format(
          "no threshold can be recommended: this collection has too few pairs to show, with 95 % confidence, a precision of {}, even "
          "if all were labelled and as right as those so far; ask for less (--precision), or draw from more texts",
          goal));
    } else {
      const CalibratedThreshold* best = nullptr;
      for (const CalibratedThreshold& t : result_.thresholds)
        if (t.taken.precision.known && (best == nullptr || t.taken.precision.value >= best->taken.precision.value)) best = &t;
      say(best == nullptr
              ? fmt::format("no threshold reaches a precision of {}: no pair that a threshold takes is labelled", goal)
              : fmt::format("no threshold reaches a precision of {}: the best, {:.2f}, is right in {}; more labels would not change that",
                            goal, best->threshold, with_interval(best->taken.precision)));
    }
  }

  void say_of_unsure() {
    const CalibratedThreshold& t = result_.recommended ? recommended() : result_.current;
    std::string sentence = fmt::format("{} unsure, and counted as wrong",
                                       result_.unsure == 1 ? std::string("1 label is") : fmt::format("{} labels are", result_.unsure));
    if (t.taken.precision.known && t.taken.unsure > 0)
      sentence += fmt::format("; counted as right, {} of the pairs that {} takes would be right",
                              with_interval(t.taken.precision_if_unsure_right), result_.recommended ? "that threshold" : "the rule");
    say(sentence);
  }

  const CalibrateOptions& options_;
  const calibration::Sample& sample_;
  calibration::Study study_;
  calibration::Advice advice_;
  Calibration result_;
};

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

std::string share_json(const Share& share) {
  if (!share.known) return "null";
  records::JsonObject object;
  return object.real("value", rounded(share.value)).real("low", rounded(share.low)).real("high", rounded(share.high)).str();
}

records::JsonObject& put_part(records::JsonObject& object, const LabelledPart& part) {
  object.number("population", part.population).number("yes", part.yes).number("no", part.no).number("unsure", part.unsure);
  return object.raw("precision", share_json(part.precision)).raw("precision_if_unsure_right", share_json(part.precision_if_unsure_right));
}

std::string part_json(const LabelledPart& part) {
  records::JsonObject object;
  return put_part(object, part).str();
}

std::string threshold_json(const CalibratedThreshold& t) {
  records::JsonObject object;
  if (t.threshold > 0)
    object.real("threshold", t.threshold);
  else
    object.null("threshold");
  return put_part(object, t.taken).raw("recall", share_json(t.recall)).raw("recall_of_all", share_json(t.recall_of_all)).str();
}

template <typename Range, typename ToJson>
std::string list_json(const Range& range, const ToJson& to_json) {
  std::vector<std::string> entries;
  for (const auto& entry : range) entries.push_back(to_json(entry));
  return fmt::format("[\n{}\n]", fmt::join(entries, ",\n"));
}

std::string band_json(const CalibratedBand& band) {
  records::JsonObject object;
  put_part(object.real("from", band.from).real("to", band.to), band.all);
  return object.raw("taken", part_json(band.taken)).raw("refused", part_json(band.refused)).str();
}

std::string distance_json(const CalibratedDistance& distance) {
  records::JsonObject object;
  for (const auto& [key, bits] : {std::pair("from", distance.from), std::pair("to", distance.to)})
    bits ? object.number(key, *bits) : object.null(key);
  return put_part(object, distance.all).str();
}

std::string to_json(const Calibration& c) {
  records::JsonObject object;
  object.text("leitong", c.version).text("sample", c.sample).text("profile", c.profile).text("profile_id", c.profile_id);
  object.text("rule", c.rule).text("rule_id", c.rule_id);
  object.number("records", c.records).number("equal_pairs", c.equal).number("population", c.population).number("pairs", c.pairs);
  object.number("labelled", c.labelled).number("unsure", c.unsure).real("least_similarity", c.least_similarity).real("target", c.target);
  c.recommended ? object.real("recommended", *c.recommended) : object.null("recommended");
  object.number("more_labels", c.more_labels).texts("findings", c.findings).raw("current", threshold_json(c.current));
  object.raw("bands", list_json(c.bands, band_json)).raw("distances", list_json(c.distances, distance_json));
  return object.raw("thresholds", list_json(c.thresholds, threshold_json)).str() + "\n";
}

std::string rule_toml(const Calibration& c, Rule rule) {
  rule.thresholds = {{0xffffffffU, *c.recommended}};
  rule.name += "-calibrated";
  std::string inputs = c.title;
  std::replace_if(inputs.begin(), inputs.end(), [](unsigned char byte) { return byte < 0x20 || byte == 0x7f; }, ' ');
  return fmt::format("# Made by leitong calibrate {} from {} labels; sample {} of {}.\n# leitong dedup --rule takes this file.\n",
                     c.version, c.labelled, c.sample, inputs) +
         to_toml(rule);
}

}  // namespace

Calibration calibrate(const CalibrateOptions& options) {
  if (!(options.precision > 0 && options.precision < 1))
    throw Error(ErrorCode::usage, "the precision to reach must be above 0 and below 1");
  const calibration::Sample sample = calibration::read_sample(options.directory);
  const std::vector<PairLabel> labels = calibration::read_labels(options.labels, sample.id, sample.pairs.size());
  Calibration result = Calibrator(options, sample, labels).run();
  outputs::OutputRule rule;
  rule.reads({options.labels, calibration::CalibrationPaths(options.directory).sample});
  const std::vector<std::string> names = {"calibration.json", "calibration.html", "rule.toml"};
  outputs::ResultsDirectory results(options.directory, rule, names);
  results.begin();
  const calibration::CalibrationPaths paths(results.unfinished());
  outputs::write_file(paths.result, to_json(result));
  outputs::write_file(paths.report, report::render_calibration(result));
  if (result.recommended) outputs::write_file(paths.rule, rule_toml(result, sample.rule));
  results.publish([&](const std::string& name) { return std::ranges::count(names, name) > 0; });
  return result;
}

}  // namespace leitong
