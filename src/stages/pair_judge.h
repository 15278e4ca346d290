// Whether two texts are near-duplicates by a rule: what their sizes already decide, and what their features, tokens and facts decide.
//
// Nothing here knows of rows or files, so that every job that compares two texts under a rule decides alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "leitong/rule.h"
#include "similarity/common_order.h"
#include "similarity/facts.h"
#include "similarity/feature_table.h"
#include "similarity/own_passages.h"
#include "similarity/thresholds.h"
#include "stages/template_features.h"

namespace leitong::stages {

class PairJudge {
 public:
  // Stand in the place of a similarity: the pair is refused; it is refused because the texts state other facts.
  static constexpr float refused = -1, other_facts = -2;

  // Of a text, as its sketch counts them.
  struct Size {
    std::uint32_t tokens = 0, features = 0;
  };
  // Of a text, what is compared: FeatureExtractor::keys; its tokens if it has more than rule.order_tokens; its facts if they may matter.
  struct Text {
    std::span<const std::uint32_t> keys, tokens;
    std::span<const similarity::FactToken> facts;
  };
  // The scratch memory of one thread; it holds the later text of the pairs that are compared next.
  struct Scratch {
    explicit Scratch(const std::function<void()>& stop) : order(stop) {}
    void set(const Text& later) {
      table.set(later.keys);
      order.set(later.tokens);
      passages.set(later.tokens);
    }
    similarity::FeatureTable table;
    similarity::CommonOrder order;
    similarity::FactComparison facts;
    similarity::OwnPassages passages;
  };

  // `threshold`, if given, replaces all that the rule asks for. `rule` must outlive the judge.
  PairJudge(const Rule& rule, std::optional<double> threshold) : rule_(rule), threshold_(threshold) {}

  // The least similarity of texts of so many tokens.
  [[nodiscard]] double threshold(std::uint32_t tokens_a, std::uint32_t tokens_b) const {
    return threshold_ ? *threshold_ : similarity::threshold_of(rule_, std::min(tokens_a, tokens_b));
  }
  [[nodiscard]] bool needs_order(double similarity, std::uint32_t tokens_a, std::uint32_t tokens_b) const {
    return !threshold_ && similarity::order_matters(rule_, similarity, tokens_a, tokens_b);
  }
  [[nodiscard]] bool needs_facts(double similarity, std::uint32_t tokens_a, std::uint32_t tokens_b) const {
    return !threshold_ && similarity::facts_matter(rule_, similarity, tokens_a, tokens_b);
  }
  // Whether a pair of that similarity must also pass other checks of the rule.
  [[nodiscard]] bool needs_more(double similarity, std::uint32_t tokens_a, std::uint32_t tokens_b) const {
    return needs_order(similarity, tokens_a, tokens_b) || needs_facts(similarity, tokens_a, tokens_b) ||
           (!threshold_ && similarity::templates_matter(rule_, similarity));
  }
  // Whether templates may decide any pair.
  [[nodiscard]] bool uses_templates() const { return !threshold_ && similarity::templates_matter(rule_, 0); }

  // Whether the sizes of the two texts permit what the rule requires: a similarity is at most the ratio of the numbers of features, a
  // common order at most the length of the shorter text.
  [[nodiscard]] bool can_be_similar(Size a, Size b) const;

  // The similarity of an earlier text and the one that `scratch` was set to, or `refused` or `other_facts`. `templates`: null if templates
  // do not matter. weight_of_earlier() and weight_of_later() are called at most once, and only then: TemplateFeatures::weigh of the keys.
  template <typename WeightOfEarlier, typename WeightOfLater>
  [[nodiscard]] float similarity_of(const Text& earlier, std::uint32_t tokens_a, const Text& later, std::uint32_t tokens_b,
                                    Scratch& scratch, const TemplateFeatures* templates, const WeightOfEarlier& weight_of_earlier,
                                    const WeightOfLater& weight_of_later) const {
    const std::uint64_t common = scratch.table.count(earlier.keys);
    const auto all = static_cast<double>(earlier.keys.size() + later.keys.size() - common);
    const double similarity = all == 0 ? 0 : static_cast<double>(common) / all;
    if (similarity < threshold(tokens_a, tokens_b)) return refused;
    if (needs_order(similarity, tokens_a, tokens_b) &&
        !scratch.order.reaches(earlier.tokens, similarity::least_common_order(rule_, tokens_a, tokens_b)))
      return refused;
    if (templates != nullptr && similarity::templates_matter(rule_, similarity)) {
      const TemplateFeatures::Both both{earlier.keys, scratch.table, weight_of_earlier(), weight_of_later(), common};
      if (templates->is_below(both, rule_.template_similarity)) return refused;
      if (similarity::passages_matter(rule_, similarity, tokens_a, tokens_b) && templates->is_template(both) &&
          scratch.passages.in_one_place(earlier.tokens, rule_.template_passage))
        return refused;
    }
    if (needs_facts(similarity, tokens_a, tokens_b) && scratch.facts.differ(earlier.facts, later.facts, rule_)) return other_facts;
    return static_cast<float>(similarity);
  }

 private:
  const Rule& rule_;
  std::optional<double> threshold_;
};

inline bool PairJudge::can_be_similar(Size a, Size b) const {
  const auto [fewer, more] = std::minmax(a.features, b.features);
  const double most = more == 0 ? 0 : static_cast<double>(fewer) / static_cast<double>(more);
  if (most < threshold(a.tokens, b.tokens)) return false;
  return !needs_order(most, a.tokens, b.tokens) ||
         std::min(a.tokens, b.tokens) >= similarity::least_common_order(rule_, a.tokens, b.tokens);
}

}  // namespace leitong::stages
