// Pairs to similarities, as the verify stage decides them, and what templates are learnt from.

#include "fingerprint/features.h"
#include "fingerprint/minhash.h"
#include "leitong/distributed.h"
#include "similarity/facts.h"
#include "stages/candidate_plan.h"
#include "stages/pair_judge.h"
#include "stages/template_features.h"

namespace leitong::distributed {

using stages::PairJudge;
using stages::TemplateFeatures;

static_assert(Judge::refused == PairJudge::refused && Judge::other_facts == PairJudge::other_facts);

struct TemplateKeys::Impl {
  explicit Impl(const Profile& profile) : extractor(profile) {}
  fingerprint::FeatureExtractor extractor;
  std::vector<std::uint32_t> keys;
};

TemplateKeys::TemplateKeys(const Profile& profile) : impl_(std::make_unique<Impl>(profile)) {}
TemplateKeys::~TemplateKeys() = default;
std::span<const std::uint32_t> TemplateKeys::operator()(std::string_view utf8) {
  impl_->extractor.set_text(utf8);
  impl_->extractor.keys(impl_->keys);
  return impl_->keys;
}

std::uint64_t template_features() { return TemplateFeatures::usual_features; }

namespace {

// A text as PairJudge compares it.
struct ReadText {
  std::vector<std::uint32_t> keys, tokens;
  std::vector<similarity::FactToken> facts;
  std::uint32_t count = 0;  // of tokens

  void read(std::string_view text, fingerprint::FeatureExtractor& extractor, const Rule& rule) {
    extractor.set_text(text);
    extractor.keys(keys);
    const auto hashes = extractor.token_hashes();
    count = static_cast<std::uint32_t>(hashes.size());
    tokens.clear();
    if (count > rule.order_tokens)
      for (const std::uint64_t token : hashes) tokens.push_back(static_cast<std::uint32_t>(token >> 32));
    facts.clear();
    if (similarity::facts_may_matter(rule, count)) similarity::read_facts(extractor, facts);
  }
  [[nodiscard]] PairJudge::Text view() const { return {keys, tokens, facts}; }
};

std::vector<TemplateFeatures::KeyCount> key_counts(std::span<const TemplateCount> counts) {
  std::vector<TemplateFeatures::KeyCount> out;
  out.reserve(counts.size());
  for (const TemplateCount& count : counts) out.push_back({count.key, count.without_copies, count.with_copies});
  return out;
}

}  // namespace

struct Judge::Impl {
  Impl(const Profile& profile, const Rule& given, std::optional<double> threshold, std::span<const TemplateCount> counts)
      : rule(given), judge(rule, threshold), extractor(profile), scratch([] {}) {
    if (judge.uses_templates()) templates.emplace(rule, key_counts(counts));
  }

  Rule rule;
  PairJudge judge;
  fingerprint::FeatureExtractor extractor;
  PairJudge::Scratch scratch;
  std::optional<TemplateFeatures> templates;
  ReadText earlier, later;
  std::optional<TemplateFeatures::Weight> weight;  // of the later text
};

Judge::Judge(const Profile& profile, const Rule& rule, std::optional<double> threshold, std::span<const TemplateCount> templates)
    : impl_(std::make_unique<Impl>(profile, rule, threshold, templates)) {}
Judge::~Judge() = default;

bool Judge::uses_templates() const { return impl_->judge.uses_templates(); }

Considered Judge::consider(const Candidate& candidate) const {
  const PairJudge& judge = impl_->judge;
  const std::uint32_t tokens_a = candidate.tokens_a, tokens_b = candidate.tokens_b;
  const bool by_bands = candidate.by_bands && candidate.distance <= stages::sketch_shape.max_distance;
  if (!by_bands && !candidate.similarity) return {};
  Considered out;
  // What was nominated both ways counts as nominated by bands.
  out.exact = !by_bands;
  out.value = by_bands ? static_cast<float>(fingerprint::similarity_of_distance(candidate.distance)) : *candidate.similarity;
  out.copies = out.value >= TemplateFeatures::copy_estimate;
  if (out.exact && !judge.needs_more(static_cast<double>(out.value), tokens_a, tokens_b))
    out.outlook = static_cast<double>(out.value) >= judge.threshold(tokens_a, tokens_b) ? Outlook::edge : Outlook::refused;
  else
    out.outlook =
        judge.can_be_similar({tokens_a, candidate.features_a}, {tokens_b, candidate.features_b}) ? Outlook::needs_texts : Outlook::refused;
  return out;
}

void Judge::set(std::string_view later) {
  impl_->later.read(later, impl_->extractor, impl_->rule);
  impl_->scratch.set(impl_->later.view());
  impl_->weight.reset();
}

float Judge::ask(std::string_view earlier) {
  Impl& i = *impl_;
  i.earlier.read(earlier, i.extractor, i.rule);
  return i.judge.similarity_of(
      i.earlier.view(), i.earlier.count, i.later.view(), i.later.count, i.scratch, i.templates ? &*i.templates : nullptr,
      [&] { return i.templates->weigh(i.earlier.keys); },
      [&] {
        if (!i.weight) i.weight = i.templates->weigh(i.later.keys);
        return *i.weight;
      });
}

}  // namespace leitong::distributed
