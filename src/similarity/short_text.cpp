// Short texts: the fingerprint nominates, edit distance or cosine decides.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "fingerprint/features.h"
#include "leitong/error.h"
#include "leitong/similarity.h"
#include "similarity/characters.h"
#include "similarity/term_vectors.h"

namespace leitong {

namespace {

// As wide as nominates few pairs by chance (docs/measures.md); at 64 bits, as wide as the join reaches.
unsigned widest_distance(unsigned bits) { return bits == 64 ? 12 : bits == 128 ? 40 : 88; }

}  // namespace

struct ShortTextJudge::Impl {
  Impl(const Profile& p, const ShortTextRule& r) : profile(p), rule(r), fingerprinter(p), extractor(p) {}

  Profile profile;
  ShortTextRule rule;
  Fingerprinter fingerprinter;
  fingerprint::FeatureExtractor extractor;

  std::vector<std::uint64_t> tokens(std::string_view text) {
    extractor.set_text(text);
    return {extractor.token_hashes().begin(), extractor.token_hashes().end()};
  }

  double cosine(std::string_view a, std::string_view b) {
    std::vector<std::uint64_t> of_a = tokens(a);
    return similarity::term_measures(std::move(of_a), tokens(b)).cosine;
  }

  // Only as many edits are looked for as the limit allows: most pairs that fail it cost little.
  [[nodiscard]] double edit_similarity(std::string_view a, std::string_view b) const {
    const std::vector<char32_t> of_a = similarity::characters(a, profile.fold_traditional);
    const std::vector<char32_t> of_b = similarity::characters(b, profile.fold_traditional);
    const double longer = static_cast<double>(std::max(of_a.size(), of_b.size()));
    const auto bound = static_cast<std::uint32_t>(std::ceil((1 - rule.edit_similarity) * longer));  // one too many does no harm
    return similarity::character_edits(of_a, of_b, bound).similarity;
  }
};

ShortTextJudge::ShortTextJudge(const Profile& profile, const ShortTextRule& rule) : impl_(std::make_unique<Impl>(profile, rule)) {
  const auto is_share = [](double limit) { return limit >= 0 && limit <= 1; };
  if (!is_share(rule.edit_similarity) || !is_share(rule.cosine))
    throw Error(ErrorCode::usage, "short texts: the limits of edit similarity and cosine must lie between 0 and 1");
  if (profile.bits < 64 && !rule.k)
    throw Error(ErrorCode::usage, "short texts: fingerprints of 32 bits have no measured distance; give one");
}

ShortTextJudge::~ShortTextJudge() = default;
ShortTextJudge::ShortTextJudge(ShortTextJudge&&) noexcept = default;
ShortTextJudge& ShortTextJudge::operator=(ShortTextJudge&&) noexcept = default;

bool ShortTextJudge::nominates(const Fingerprint& a, const Fingerprint& b) const {
  return leitong::distance(a, b) <= impl_->rule.k.value_or(widest_distance(a.bits));
}

ShortTextJudge::Decision ShortTextJudge::decide(std::string_view a, std::string_view b) {
  similarity::check_size(a);
  similarity::check_size(b);
  const bool by_cosine = impl_->rule.by == ShortTextRule::By::cosine;
  const double similarity = by_cosine ? impl_->cosine(a, b) : impl_->edit_similarity(a, b);
  return {similarity, similarity >= (by_cosine ? impl_->rule.cosine : impl_->rule.edit_similarity)};
}

ShortTextJudge::Verdict ShortTextJudge::operator()(std::string_view a, std::string_view b) {
  similarity::check_size(a);
  similarity::check_size(b);
  Verdict verdict;
  const auto of_a = impl_->fingerprinter(a).fingerprint;
  const auto of_b = impl_->fingerprinter(b).fingerprint;
  if (!of_a || !of_b) return verdict;
  verdict.distance = leitong::distance(*of_a, *of_b);
  verdict.nominated = nominates(*of_a, *of_b);
  if (!verdict.nominated) return verdict;
  const Decision decision = decide(a, b);
  verdict.similarity = decision.similarity;
  verdict.near_duplicate = decision.near_duplicate;
  return verdict;
}

}  // namespace leitong
