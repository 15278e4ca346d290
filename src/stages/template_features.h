// Learns from a collection which features belong to its templates: the more records contain a feature, the less it says about two records
// that share it.
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

// Counted are the records that occur in some candidate pair of `pairs`, without copies. Copies are equal texts and texts whose sketches
// already look alike: a hundred reprints are one text, not a template. Of two copies the one with the smaller content hash is counted. If
// these records have more than about four million features, a sample of about that size is counted, those with the smallest content hashes;
// so the cost of learning is the same for a thousand records and for a thousand million. The result depends on the texts and the pairs
// only, not on their order. A feature that occurs in more than rule.template_records of the counted records weighs template_records divided
// by that number; any other feature weighs 1. is_template() uses a second count, which includes copies except equal texts.
class TemplateFeatures {
 public:
  static constexpr std::uint64_t usual_features = 1ULL << 22;
  // Two texts of such an estimated or exact similarity are copies. Estimates have an error of about .04, and a page of a template has many
  // estimates, one with each of the other pages. Below this value half of the pages of a template would be taken for copies.
  static constexpr float copy_estimate = 0.80F;
  // `stop` is called regularly and may throw. Memory: 4 bytes a row, and 4 bytes for each counted feature of either count.
  TemplateFeatures(const sketches::SketchSet& set, const Rule& rule, const storage::TableReader& pairs, const sketches::TextOfRow& text_of,
                   unsigned threads, const std::function<void()>& stop, std::uint64_t most_features = usual_features);

  // From counts that were made elsewhere: of each key how many counted records have it, without copies and with them. Keys need not be
  // sorted, each stands there once; those in no more than rule.template_records records may be missing.
  struct KeyCount {
    std::uint32_t key = 0, without_copies = 0, with_copies = 0;
  };
  TemplateFeatures(const Rule& rule, std::span<const KeyCount> counts);

  // The weight of a feature (as given by FeatureExtractor::keys): above 0, at most 1.
  [[nodiscard]] double weight(std::uint32_t key) const;

  // What is known of the features of one text, so that most pairs of it are decided without looking at each feature again.
  struct Weight {
    double sum = 0;           // of the weights of all features
    std::uint32_t heavy = 0;  // features in more than template_records records, with copies counted
  };
  [[nodiscard]] Weight weigh(std::span<const std::uint32_t> keys) const;

  // Two texts: the features of `a`, those of b in `table`, the weights of both, and how many features they have in common.
  struct Both {
    std::span<const std::uint32_t> a;
    const similarity::FeatureTable& table;
    Weight of_a, of_b;
    std::uint64_t common = 0;
  };
  // Weighted Jaccard similarity. 0 if there are no features.
  [[nodiscard]] double similarity(const Both& both) const;
  // similarity(both) < least, mostly by bounds.
  [[nodiscard]] bool is_below(const Both& both, double least) const;
  // Whether at least the share rule.template_share of the features that the two have in common occur in more than template_records
  // records, with copies counted.
  [[nodiscard]] bool is_template(const Both& both) const;

  [[nodiscard]] std::uint64_t records() const { return records_; }  // number of records that were counted

 private:
  // A feature that more than template_records of the counted records have, in either count. What is said of it: twice the number of
  // records without copies, if that is what makes it heavy, else 0; and one more if copies counted make it heavy. So never 0.
  struct Heavy {
    std::uint32_t key = 0, said = 0;  // said 0: a free place
  };
  static bool in_many(std::uint32_t said) { return (said & 1U) != 0; }
  [[nodiscard]] double weight_of(std::uint32_t said) const { return said < 2 ? 1 : static_cast<double>(least_) / (said >> 1); }

  // Keys of the counted records, each once for each record that has it: of records in both counts, and in one of them only. The first in
  // several parts, so that several threads sort them.
  struct Keys {
    std::vector<std::vector<std::uint32_t>> both;
    std::vector<std::uint32_t> without_copies, with_copies;
    std::size_t next_part = 0;
    [[nodiscard]] std::vector<std::uint32_t>& part() { return both[next_part++ % both.size()]; }
  };
  void learn(Keys& keys);
  void add_if_heavy(const KeyCount& count, std::vector<Heavy>& heavy) const;
  void make_table(std::span<const Heavy> heavy);
  // By how much what the two have in common weighs less than its number.
  [[nodiscard]] double lighter(const Both& both) const;
  // False: no heavy feature. One bit, in the processor's caches, tells nearly all of the others apart.
  [[nodiscard]] bool may_be_heavy(std::uint32_t key) const { return (filter_[key >> 18] >> (key >> 12 & 63U) & 1U) != 0; }
  [[nodiscard]] std::uint32_t find(std::uint32_t key) const;  // what is said of it; 0: neither count found it heavy
  // Calls visit(key, what is said of it) for the keys of which may_be_heavy says so, in order; before those of each part of the keys
  // others(number of the part's other keys).
  template <typename Others, typename Visit>
  void for_each_found(std::span<const std::uint32_t> keys, const Others& others, const Visit& visit) const;

  std::vector<std::uint64_t> filter_;  // a bit for the upper 20 bits of a key
  std::vector<Heavy> heavy_;           // a key stands at the place that its upper bits name or, if that is taken, behind it
  unsigned shift_ = 31;                // what remains of a key are these upper bits
  std::uint64_t records_ = 0;
  std::uint32_t least_;
  double share_;  // 0: not required
};

}  // namespace leitong::stages
