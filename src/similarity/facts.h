// Whether two short texts state other facts. Notices that one template makes share their words; what tells them apart are a few numbers,
// dates, and words such as "raises" and "lowers". docs/accuracy.md says how the limits were found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fingerprint/features.h"
#include "leitong/rule.h"

namespace leitong::similarity {

// One token, as far as facts are concerned: two 32-bit words, so that a text's facts can wait beside its features.
struct FactToken {
  std::uint32_t token = 0;  // of a number word that of its digits: "seven" is 7
  std::uint32_t kind = 0;   // facts.cpp
  friend bool operator==(const FactToken&, const FactToken&) = default;
};

// Of the text that the extractor was given last. Appends one FactToken a token.
void read_facts(const fingerprint::FeatureExtractor& extractor, std::vector<FactToken>& out);

// What two texts disagree in.
struct Disagreement {
  // Distinct facts (numbers, quantities, dates; a run of numbers such as "12-1/2" is one) that only one text has, counted where both have
  // such: the mean of the two counts. And how many they have in common where they stand.
  double other = 0, same = 0;
  unsigned opposites = 0;  // pairs of opposite words, "rose" here and "fell" there
  unsigned negations = 0;  // words that negate, in one of two passages that are otherwise the same
  double shared = 0;       // other words that both share, the mean of the two counts; a Han character counts .6
};

// Reuses its buffers: make one a thread.
class FactComparison {
 public:
  // O(n log n). Symmetric.
  [[nodiscard]] Disagreement operator()(std::span<const FactToken> a, std::span<const FactToken> b);
  // Whether they differ so much that the two are no near-duplicates.
  [[nodiscard]] bool differ(std::span<const FactToken> a, std::span<const FactToken> b, const Rule& rule);

 private:
  struct Bigram {
    std::uint64_t tokens;
    std::uint32_t at;
  };
  static void list_bigrams(std::span<const FactToken> text, std::vector<Bigram>& out);
  void find_shared(std::span<const FactToken> a, std::span<const FactToken> b);

  std::vector<Bigram> bigrams_[2];
  std::vector<bool> shared_[2];                  // of each token: it stands in a bigram that both have
  std::vector<std::uint32_t> loose_numbers_[2];  // tokens of numbers that do not, sorted
  std::vector<std::uint32_t> all_[2];            // all tokens, sorted
};

// Facts that differ, for each word that is shared: an opposite or a negation counts as two. 0 where fewer than `least_share` of the facts
// differ and nothing says the contrary.
[[nodiscard]] double weight_of(const Disagreement& found, double least_share);

}  // namespace leitong::similarity
