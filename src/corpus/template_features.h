// Which features of a collection are those of its templates, learnt from the collection: the more records hold a feature, the less it says
// of two of them that both have it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "corpus/record_cursor.h"
#include "corpus/sketch_file.h"
#include "leitong/rule.h"
#include "similarity/feature_table.h"
#include "storage/table.h"

namespace leitong::corpus {

// Of the records that some candidate pair of `pairs` names, without those that are copies of an earlier one (equal texts, and those whose
// sketches already look alike: a hundred reprints are one text, not a template), every so-manieth is read, so that about four million
// features are counted at most: what is learnt costs the same of a thousand records and of a thousand million. A feature that stands in
// more of these records than rule.template_records weighs template_records / that number, any other 1.
//
// Counting is approximate: eight mebibytes of counters, two for each feature, of which the lesser counts. Never too low; with as many
// features as are read at most, too high by more than one for one in a hundred. Deterministic.
class TemplateFeatures {
 public:
  // `stop` is called now and then and may throw.
  TemplateFeatures(const SketchSet& set, const Rule& rule, const storage::TableReader& pairs, const TextOfRow& text_of, unsigned threads,
                   const std::function<void()>& stop);

  // Of a feature as FeatureExtractor::keys gives it: above 0, at most 1.
  [[nodiscard]] double weight(std::uint32_t key) const;
  [[nodiscard]] double weight(std::span<const std::uint32_t> keys) const;  // of all of them
  // Weighted Jaccard similarity of `a` and of the set that `table` holds, whose weight is `of_b`. No features: 0.
  [[nodiscard]] double similarity(std::span<const std::uint32_t> a, double of_b, const similarity::FeatureTable& table) const;

  [[nodiscard]] std::uint64_t records() const { return records_; }  // that were read

 private:
  [[nodiscard]] std::vector<std::uint32_t> choose(const SketchSet& set, const storage::TableReader& pairs,
                                                  const std::function<void()>& stop) const;
  void count(std::uint32_t key);

  std::vector<std::uint16_t> counts_;
  std::vector<std::uint64_t> heavy_;  // a bit for each of them: more than least_. So most features cost one bit that is near at hand
  std::uint64_t records_ = 0;
  std::uint32_t least_;
};

}  // namespace leitong::corpus
