#include "similarity/near_check.h"

#include <algorithm>

#include "similarity/thresholds.h"

namespace leitong::similarity {

void NearCheck::read(std::string_view text, Text& into) {
  extractor_.set_text(text);
  into.tokens.clear();
  for (const std::uint64_t token : extractor_.token_hashes()) into.tokens.push_back(static_cast<std::uint32_t>(token >> 32U));
  extractor_.keys(into.keys);
  into.facts.clear();
  if (facts_may_matter(rule_, into.tokens.size())) read_facts(extractor_, into.facts);
}

void NearCheck::set(std::string_view text) {
  read(text, own_);
  table_.set(own_.keys);
  order_.set(own_.tokens);
}

NearCheck::Answer NearCheck::ask(std::string_view other) {
  read(other, other_);
  Answer answer;
  if (own_.keys.empty() && other_.keys.empty()) {  // too short for features: equal or nothing
    answer.near = !own_.tokens.empty() && own_.tokens == other_.tokens;
    answer.jaccard = answer.near ? 1 : 0;
    return answer;
  }
  const auto common = static_cast<double>(table_.count(other_.keys));
  answer.jaccard = common / (static_cast<double>(own_.keys.size() + other_.keys.size()) - common);
  const std::size_t a = own_.tokens.size(), b = other_.tokens.size();
  answer.near = answer.jaccard >= threshold_of(rule_, static_cast<std::uint32_t>(std::min(a, b))) &&
                (!order_matters(rule_, answer.jaccard, a, b) || order_.reaches(other_.tokens, least_common_order(rule_, a, b))) &&
                !(facts_matter(rule_, answer.jaccard, a, b) && facts_.differ(own_.facts, other_.facts, rule_));
  return answer;
}

}  // namespace leitong::similarity
