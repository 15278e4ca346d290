// Which features of a collection are those of its templates, learnt from the collection: the more records hold a feature, the less it says
// of two of them that both have it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "leitong/rule.h"
#include "similarity/feature_table.h"
#include "sketches/record_cursor.h"
#include "sketches/sketch_file.h"
#include "storage/table.h"

namespace leitong::stages {

// Counted are the records that some candidate pair of `pairs` names, without copies (equal texts, and those whose sketches already look
// alike: a hundred reprints are one text, not a template): of two copies the one whose content hash is less is counted. Of collections with
// more than about four million features in these records, as many as have no more than that, those of the least hash: what is learnt costs
// the same of a thousand records and of a thousand million. So it follows from the texts and the pairs, whatever their order. A feature
// that stands in more of these records than rule.template_records weighs template_records / that number, any other 1. A second count is
// made in which copies have their part, but for equal texts: is_template goes by that one.
class TemplateFeatures {
 public:
  static constexpr std::uint64_t usual_features = 1ULL << 22;
  // `stop` is called now and then and may throw. Memory: 4 bytes a row, and 4 a counted feature of either count.
  TemplateFeatures(const sketches::SketchSet& set, const Rule& rule, const storage::TableReader& pairs, const sketches::TextOfRow& text_of,
                   unsigned threads, const std::function<void()>& stop, std::uint64_t most_features = usual_features);

  // Of a feature as FeatureExtractor::keys gives it: above 0, at most 1.
  [[nodiscard]] double weight(std::uint32_t key) const;
  [[nodiscard]] double weight(std::span<const std::uint32_t> keys) const;  // of all of them
  // Weighted Jaccard similarity of `a` and of the set that `table` holds, whose weight is `of_b`. No features: 0.
  [[nodiscard]] double similarity(std::span<const std::uint32_t> a, double of_b, const similarity::FeatureTable& table) const;

  // Whether of the features that `keys` and `table` share rule.template_share and more are in more than template_records records, copies
  // counted too.
  [[nodiscard]] bool is_template(std::span<const std::uint32_t> keys, const similarity::FeatureTable& table) const;

  [[nodiscard]] std::uint64_t records() const { return records_; }  // that were read

 private:
  struct Heavy {
    std::uint32_t key = 0, records = 0;
  };

  // Features of more than a number of records, by key.
  class HeavyFeatures {
   public:
    // A key stands in `keys` as often as there are records that have it.
    void set(std::vector<std::uint32_t>& keys, std::uint32_t least);
    [[nodiscard]] std::uint32_t records(std::uint32_t key) const;  // 0: not more than the number

   private:
    std::vector<Heavy> heavy_;
    std::vector<std::uint32_t> begins_;  // of the keys of each upper half in `heavy_`
  };

  HeavyFeatures without_copies_, with_copies_;
  std::uint64_t records_ = 0;
  std::uint32_t least_;
  double share_;  // 0: none is asked for
};

}  // namespace leitong::stages
