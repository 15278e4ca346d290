// Whether texts are near-duplicates of one text, as a rule says: what compare() decides, without all that it tells.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fingerprint/features.h"
#include "leitong/rule.h"
#include "similarity/common_order.h"
#include "similarity/facts.h"
#include "similarity/feature_table.h"

namespace leitong::similarity {

// One text is set, then others are asked about. Make one a thread. The order of tokens is only looked at where it can still decide.
class NearCheck {
 public:
  NearCheck(const Profile& profile, const Rule& rule) : rule_(rule), extractor_(profile) {}

  void set(std::string_view text);
  struct Answer {
    double jaccard = 0;  // of the multisets of features, by their 32-bit keys, as dedup counts it
    bool near = false;
  };
  [[nodiscard]] Answer ask(std::string_view other);

 private:
  struct Text {
    std::vector<std::uint32_t> keys, tokens;
    std::vector<FactToken> facts;  // where they may matter
  };
  void read(std::string_view text, Text& into);

  const Rule& rule_;
  fingerprint::FeatureExtractor extractor_;
  Text own_, other_;
  FeatureTable table_;
  CommonOrder order_;
  FactComparison facts_;
};

}  // namespace leitong::similarity
