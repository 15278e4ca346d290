#include <algorithm>
#include <cstddef>
#include <string>

#include "fingerprint/features.h"
#include "fingerprint/sketcher.h"
#include "fingerprint/thresholds.h"
#include "leitong/error.h"
#include "leitong/similarity.h"
#include "similarity/byte_runs.h"
#include "similarity/measures.h"

namespace leitong {
namespace {

// Words of 64 table cells that one exact measure may cost: about a second.
constexpr std::uint64_t table_words = 400'000'000;
constexpr std::uint64_t least_bound = 1000;

struct Analysed {
  std::optional<Fingerprint> fingerprint;
  bool blank = false;  // nothing but white space: equal to no text
  std::vector<std::uint64_t> features, tokens;
  std::vector<text::Range> source;
};

Analysed analyse(std::string_view text, fingerprint::Sketcher& sketcher, fingerprint::Sketch& sketch) {
  if (text.size() >= 0xffffffffU - text::Tokens::padding) {
    throw Error(ErrorCode::limit, "compare: a text of " + std::to_string(text.size()) + " bytes is too long; the limit is 4 GiB");
  }
  Analysed result;
  sketcher(text, sketch);
  if (sketch.has_fingerprint) result.fingerprint = sketch.fingerprint;
  result.blank = (sketch.content[0] | sketch.content[1]) == 0;
  fingerprint::FeatureExtractor& extractor = sketcher.extractor();
  extractor.set_text(text, true);
  result.tokens.assign(extractor.token_hashes().begin(), extractor.token_hashes().end());
  result.source = extractor.tokens().source;
  extractor.sorted_features(result.features);
  return result;
}

// The greatest number of differences that can be searched for within the allowance of work.
std::uint32_t difference_bound(std::size_t a, std::size_t b) {
  const std::uint64_t strips = std::min(a, b) / 64 + 1;
  const std::uint64_t columns = table_words / strips;
  if (columns >= std::max(a, b)) return 0xffffffffU;
  return static_cast<std::uint32_t>(std::max(least_bound, columns / 2));
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

}  // namespace

Comparison compare(std::string_view a_text, std::string_view b_text, const Profile& profile) {
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
  result.threshold = fingerprint::threshold_of(profile, std::min(a.tokens.size(), b.tokens.size()));

  const std::vector<similarity::TokenRun> runs = similarity::align(a.tokens, b.tokens);
  const std::uint32_t bound = difference_bound(a.tokens.size(), b.tokens.size());
  if (a.tokens.empty() && b.tokens.empty()) {
    result.lcs = equal ? 1 : 0;
  } else {
    result.lcs = common_share(a, b, bound, runs);
  }
  const bool ordered =
      !fingerprint::order_matters(profile, result.jaccard, a.tokens.size(), b.tokens.size()) || result.lcs >= profile.order_lcs;
  result.near_duplicate = result.jaccard >= result.threshold && ordered;
  if (featureless) result.near_duplicate = equal && !a.blank;
  const auto edits = similarity::edit_distance(a.tokens, b.tokens, bound);
  result.edit_distance = edits.value_or(bound);
  result.edit_distance_exact = edits.has_value();
  result.diff = similarity::byte_runs(a_text, a.source, b_text, b.source, similarity::without_islands(runs));
  return result;
}

}  // namespace leitong
