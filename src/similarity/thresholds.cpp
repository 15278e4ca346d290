#include "similarity/thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace leitong::similarity {

double threshold_of(const Rule& rule, std::uint64_t tokens) {
  for (const auto& [limit, similarity] : rule.thresholds)
    if (tokens <= limit) return similarity;
  return rule.thresholds.empty() ? 0 : rule.thresholds.back().similarity;
}

double least_threshold(const Rule& rule, std::uint32_t tokens) {
  double least = 1;
  for (const auto& [limit, similarity] : rule.thresholds) {
    least = std::min(least, similarity);
    if (tokens <= limit) break;
  }
  return least;
}

bool templates_matter(const Rule& rule, double similarity) { return similarity < rule.template_sure && rule.template_similarity > 0; }

bool passages_matter(const Rule& rule, double similarity, std::uint64_t tokens_a, std::uint64_t tokens_b) {
  return rule.template_passage > 0 && templates_matter(rule, similarity) && std::min(tokens_a, tokens_b) > rule.order_tokens;
}

bool order_matters(const Rule& rule, double similarity, std::uint64_t tokens_a, std::uint64_t tokens_b) {
  return similarity < rule.sure_similarity && std::min(tokens_a, tokens_b) > rule.order_tokens;
}

std::uint64_t least_common_order(const Rule& rule, std::uint64_t tokens_a, std::uint64_t tokens_b) {
  const auto a = static_cast<double>(tokens_a), b = static_cast<double>(tokens_b);
  const double least = std::min(rule.order_lcs * (a + b) / 2, rule.order_contained * std::min(a, b));
  return static_cast<std::uint64_t>(std::ceil(least - 1e-9));
}

bool facts_matter(const Rule& rule, double similarity, std::uint64_t tokens_a, std::uint64_t tokens_b) {
  return similarity < rule.fact_sure && std::min(tokens_a, tokens_b) <= rule.fact_tokens &&
         facts_may_matter(rule, std::max(tokens_a, tokens_b));
}

bool facts_may_matter(const Rule& rule, std::uint64_t tokens) {
  constexpr std::uint64_t of_the_shorter = 4;  // a text of more tokens than so many times the other's has other things to say anyway
  return rule.fact_tokens > 0 && tokens <= of_the_shorter * rule.fact_tokens;
}

std::string thresholds_text(const Rule& rule) {
  std::string text;
  for (const auto& [limit, similarity] : rule.thresholds) {
    if (!text.empty()) text += ", ";
    text += limit == 0xffffffffU ? fmt::format("{{similarity = {}}}", similarity)
                                 : fmt::format("{{up-to-tokens = {}, similarity = {}}}", limit, similarity);
  }
  return text;
}

}  // namespace leitong::similarity
