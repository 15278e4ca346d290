// The public compare(): every measure of two texts.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "fingerprint/features.h"
#include "fingerprint/sketcher.h"
#include "leitong/similarity.h"
#include "similarity/byte_runs.h"
#include "similarity/characters.h"
#include "similarity/common_substring.h"
#include "similarity/facts.h"
#include "similarity/measures.h"
#include "similarity/sentences.h"
#include "similarity/term_vectors.h"
#include "similarity/thresholds.h"

namespace leitong {
namespace {

struct Analysed {
  std::optional<Fingerprint> fingerprint;
  bool blank = false;  // nothing but white space: equal to no text
  std::vector<std::uint64_t> features, tokens;
  std::vector<text::Range> source;
  SentenceSignature sentences;
  std::vector<similarity::FactToken> facts;
};

Analysed analyse(std::string_view text, fingerprint::Sketcher& sketcher, fingerprint::Sketch& sketch) {
  similarity::check_size(text);
  Analysed result;
  sketcher(text, sketch);
  if (sketch.has_fingerprint) result.fingerprint = sketch.fingerprint;
  result.blank = (sketch.content[0] | sketch.content[1]) == 0;
  fingerprint::FeatureExtractor& extractor = sketcher.extractor();
  extractor.set_text(text, true);
  result.tokens.assign(extractor.token_hashes().begin(), extractor.token_hashes().end());
  result.source = extractor.tokens().source;
  extractor.sorted_features(result.features);
  similarity::read_facts(extractor, result.facts);
  result.sentences = similarity::longest_sentences(text, result.tokens, result.source, SentenceOverlap::most);
  return result;
}

double common_share(const Analysed& a, const Analysed& b, std::uint32_t bound, const std::vector<similarity::TokenRun>& runs) {
  const std::size_t total = a.tokens.size() + b.tokens.size();
  std::uint64_t common = 0;
  if (const auto exact = similarity::lcs_length(a.tokens, b.tokens, bound)) {
    common = *exact;
  } else {
    for (const similarity::TokenRun& run : runs) common += run.same ? run.a_end - run.a_begin : 0;
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(total);
}

struct Tokens {
  std::vector<std::uint64_t> hashes;
  std::vector<text::Range> source;
};

Tokens tokens_of(std::string_view text, fingerprint::FeatureExtractor& extractor) {
  similarity::check_size(text);
  extractor.set_text(text, true);
  return {{extractor.token_hashes().begin(), extractor.token_hashes().end()}, extractor.tokens().source};
}

}  // namespace

std::vector<DiffRun> difference(std::string_view a_text, std::string_view b_text, const Profile& profile) {
  fingerprint::FeatureExtractor extractor(profile);
  const Tokens a = tokens_of(a_text, extractor), b = tokens_of(b_text, extractor);
  return similarity::byte_runs(a_text, a.source, b_text, b.source, similarity::without_islands(similarity::align(a.hashes, b.hashes)));
}

Comparison compare(std::string_view a_text, std::string_view b_text, const Profile& profile, const Rule& rule) {
  fingerprint::Sketcher sketcher(profile);
  fingerprint::Sketch sketch;
  const Analysed a = analyse(a_text, sketcher, sketch);
  const Analysed b = analyse(b_text, sketcher, sketch);
  Comparison result;
  result.a = a.fingerprint;
  result.b = b.fingerprint;
  if (a.fingerprint && b.fingerprint) result.distance = distance(*a.fingerprint, *b.fingerprint);

  const bool equal = a_text == b_text || (!a.tokens.empty() && a.tokens == b.tokens);
  const similarity::Overlap overlap = similarity::overlap(a.features, b.features);
  const bool featureless = a.features.empty() && b.features.empty();
  result.jaccard = featureless ? (equal ? 1 : 0) : overlap.jaccard();
  result.containment = featureless ? (equal ? 1 : 0) : overlap.containment();
  result.threshold = similarity::threshold_of(rule, std::min(a.tokens.size(), b.tokens.size()));

  const std::vector<similarity::TokenRun> runs = similarity::align(a.tokens, b.tokens);
  const std::uint32_t bound = similarity::affordable_bound(a.tokens.size(), b.tokens.size());
  if (a.tokens.empty() && b.tokens.empty()) {
    result.lcs = equal ? 1 : 0;
  } else {
    result.lcs = common_share(a, b, bound, runs);
  }
  const double common = result.lcs * static_cast<double>(a.tokens.size() + b.tokens.size()) / 2;
  const bool ordered = !similarity::order_matters(rule, result.jaccard, a.tokens.size(), b.tokens.size()) ||
                       common + 1e-6 >= static_cast<double>(similarity::least_common_order(rule, a.tokens.size(), b.tokens.size()));
  result.near_duplicate = result.jaccard >= result.threshold && ordered;
  result.other_facts = result.near_duplicate && similarity::facts_matter(rule, result.jaccard, a.tokens.size(), b.tokens.size()) &&
                       similarity::FactComparison().differ(a.facts, b.facts, rule);
  if (result.other_facts) result.near_duplicate = false;
  if (featureless) result.near_duplicate = equal && !a.blank;
  const auto edits = similarity::edit_distance(a.tokens, b.tokens, bound);
  result.edit_distance = edits.value_or(bound);
  result.edit_distance_exact = edits.has_value();
  result.diff = similarity::byte_runs(a_text, a.source, b_text, b.source, similarity::without_islands(runs));
  result.terms = similarity::term_measures(a.tokens, b.tokens);
  result.sentences = similarity::sentence_overlap(a.sentences, b.sentences);
  const std::vector<char32_t> a_characters = similarity::characters(a_text, profile.fold_traditional);
  const std::vector<char32_t> b_characters = similarity::characters(b_text, profile.fold_traditional);
  result.substring = similarity::common_substring(a_characters, b_characters);
  result.characters =
      similarity::character_edits(a_characters, b_characters, similarity::affordable_bound(a_characters.size(), b_characters.size()));
  return result;
}

}  // namespace leitong
