// What a calibration keeps in its directory: what was drawn (sample.json), the texts to label (pairs.jsonl), the labels.
// docs/calibration.md specifies them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "calibration/estimate.h"
#include "leitong/calibrate.h"

namespace leitong::calibration {

struct CalibrationPaths {
  explicit CalibrationPaths(const std::string& directory);
  std::string stages, sketch, pairs, edges, taken, spool, rejected;  // of drawing
  std::string sample, texts, page, labels, result, report, rule;     // to label, and what comes of it
};

struct DrawnPair {
  std::uint32_t cell = 0;
  double similarity = 0;
  int distance = -1;           // of the fingerprints; -1: none
  std::uint64_t a = 0, b = 0;  // record numbers
};

// Everything about the pairs but their texts.
struct Sample {
  std::string id;     // hash of what was drawn: labels say of which sample they are
  std::string title;  // the inputs, for people
  Profile profile;    // without its key
  std::string profile_id;
  Rule rule;
  std::string rule_id;
  double least_similarity = 0;
  std::uint32_t per_band = 0;
  std::uint64_t seed = 0, records = 0, equal = 0, candidates = 0, bounded = 0;
  std::string method;            // how candidates were found, for people
  bool predicts_recall = false;  // cells know their predicted recall
  std::vector<Cell> cells;
  std::vector<DrawnPair> pairs;  // in the order in which they are labelled: pair 1 first
};
[[nodiscard]] std::string to_json(const Sample& sample);
[[nodiscard]] Sample sample_from_json(const std::string& json, const std::string& path);

// The sample of a directory. Throws Error(usage) if it has none.
[[nodiscard]] Sample read_sample(const std::string& directory);

[[nodiscard]] std::string to_json_lines(const std::vector<PairToLabel>& pairs);
[[nodiscard]] std::vector<PairToLabel> read_pair_texts(const std::string& path);

// Labels of `count` pairs, pair 1 first. A pair that stands several times has its last label. Throws Error(format) that names the file and,
// where there is one, the line: for a pair that the sample has not, another word than yes, no, unsure, labels of another sample.
[[nodiscard]] std::vector<PairLabel> read_labels(const std::string& path, const std::string& sample, std::size_t count);
// The file is one that labels_json() or a page's "save" wrote: it says that its labels are of this sample.
[[nodiscard]] bool are_labels_of(const std::string& path, const std::string& sample);
[[nodiscard]] std::string labels_json(const std::string& sample, const std::vector<PairLabel>& labels);

[[nodiscard]] std::string read_small_file(const std::string& path);

}  // namespace leitong::calibration
