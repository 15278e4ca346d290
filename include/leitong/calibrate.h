// calibrate: how right dedup is on a collection of one's own, by labelled pairs, and which threshold to take.
//
//     draw_pairs        inputs  -> DIR          pairs of every similarity, drawn at random, for a person to label
//     read_pairs, ...   DIR     <-> labels      yes, no or unsure for each pair
//     calibrate         DIR, labels -> DIR      precision and recall with intervals, a report, a rule with the threshold to take
//
// docs/calibration.md says how to read the numbers. Same inputs, options and labels: the same bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/recall.h"
#include "leitong/similarity.h"
#include "leitong/stages.h"

namespace leitong {

struct DrawOptions {
  InputOptions input;
  Profile profile;
  Rule rule;
  JobOptions job;
  std::string output_dir;
  std::optional<unsigned> k;       // candidates by distance of the fingerprints, instead of the profile's own method
  std::optional<RecallGoal> goal;  // what the candidate stage is to find; not together with k
  double least_similarity = 0.4;   // pairs below are not looked at; rounded down to a twentieth
  std::uint32_t per_band = 40;     // pairs drawn of each tenth of similarity, if there are as many
  std::uint64_t seed = 1;
  bool overwrite =
      false;  // pairs drawn before in output_dir are an error without it; of those drawn again it keeps the labels in labels.json
};

// Units: pairs of different texts, unless said.
struct Drawn {
  Counts counts;                 // of the records, and of pairs: candidates; edges are all pairs of the least similarity
  std::uint64_t equal = 0;       // pairs of equal texts: right by definition, not drawn
  std::uint64_t population = 0;  // pairs of the least similarity and more
  std::uint64_t drawn = 0;
  std::uint64_t labelled = 0;  // of them before, and again in labels.json
};
// Leaves in output_dir: pairs.jsonl (what to label, without a hint of the similarity), label.html (a page to label them in a browser),
// sample.json (what the pairs stand for), rejected.jsonl and stages/. Memory and disk as dedup; of the edges a block at a time is held, and
// of every record its fingerprint.
Drawn draw_pairs(const DrawOptions& options);

enum class PairLabel : std::uint8_t { none, yes, no, unsure };

struct PairText {
  std::string id;  // for showing; "null" if the record has none
  std::string source, text;
  bool cut = false;  // the text goes on
};
struct PairToLabel {
  PairText a, b;
};

// What a calibration's directory holds. Not thread-safe.
class LabelSession {
 public:
  // Reads pairs.jsonl and the labels that there are in labels.json. Throws Error(usage) if `directory` is none of draw_pairs.
  explicit LabelSession(const std::string& directory);
  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  [[nodiscard]] const PairToLabel& pair(std::size_t i) const { return pairs_.at(i); }
  [[nodiscard]] PairLabel label(std::size_t i) const { return labels_.at(i); }
  void set_label(std::size_t i, PairLabel label) { labels_.at(i) = label; }
  [[nodiscard]] std::size_t labelled() const;
  [[nodiscard]] std::vector<DiffRun> difference(std::size_t i) const;
  // To labels.json, which appears whole or not at all.
  void save() const;

 private:
  std::string directory_, sample_;
  Profile profile_;
  std::vector<PairToLabel> pairs_;
  std::vector<PairLabel> labels_;
};

struct CalibrateOptions {
  std::string directory;    // of draw_pairs
  std::string labels;       // a labels file: {"sample":"..","labels":[{"pair":1,"label":"yes"},..]}, or such pairs one a line
  double precision = 0.95;  // what to reach, with 95 % confidence
};

// A share, and the 95 % interval that holds it. Not known: there are no labels to go by.
struct Share {
  bool known = false;
  double value = 0, low = 0, high = 1;
};
// Pairs of the collection of a kind, and what the labels say of them. Unsure labels count as no, except in the second share.
struct LabelledPart {
  std::uint64_t population = 0;
  std::uint64_t yes = 0, no = 0, unsure = 0;
  Share precision, precision_if_unsure_right;
  [[nodiscard]] std::uint64_t labels() const { return yes + no + unsure; }
};
struct CalibratedBand {
  double from = 0, to = 0;  // similarity; 1 and 1 is a band
  LabelledPart all;
  LabelledPart taken, refused;  // by what the rule asks for beside a similarity (tokens in the same order)
};
struct CalibratedDistance {
  std::optional<unsigned> from, to;  // bits; the last has no end; none at all: pairs without a distance
  LabelledPart all;
};
struct CalibratedThreshold {
  double threshold = 0;  // 0: as the rule has them
  LabelledPart taken;
  Share recall;         // of the right pairs of at least the least similarity that were candidates
  Share recall_of_all;  // also of those that the candidate stage does not nominate, as many as predicted
};
struct Calibration {
  std::string title, sample, version, profile, profile_id;  // of what, for people; profile: its name
  std::string rule, rule_id;                                // that it was drawn by; rule: its name
  std::uint64_t records = 0, equal = 0, population = 0;     // records; pairs of equal texts; pairs sampled from
  std::uint64_t pairs = 0, labelled = 0, unsure = 0;        // of the sample
  double least_similarity = 0, target = 0;
  bool has_further_rules = false;  // some pairs are refused whatever the threshold
  bool predicts_recall = false;
  std::vector<CalibratedBand> bands;            // ascending
  std::vector<CalibratedDistance> distances;    // ascending
  std::vector<CalibratedThreshold> thresholds;  // ascending
  CalibratedThreshold current;                  // what the rule as it is takes
  std::optional<double> recommended;            // the lowest threshold whose precision reaches the target with confidence
  std::uint64_t more_labels = 0;                // if there is none: about so many more might show one; 0: more would not help
  std::vector<std::string> findings;            // what all this means, a sentence each, the most important first, without full stop
};
// Leaves in the directory: calibration.json, calibration.html and, if there is a threshold to recommend, rule.toml, the rule with it.
// An older rule.toml is removed.
[[nodiscard]] Calibration calibrate(const CalibrateOptions& options);

}  // namespace leitong
