#include "similarity/near_check.h"

#include <algorithm>

#include "fingerprint/thresholds.h"

namespace leitong::similarity {

void NearCheck::read(std::string_view text, Text& into) {
  extractor_.set_text(text);
  into.tokens.clear();
  for (const std::uint64_t token : extractor_.token_hashes()) into.tokens.push_back(static_cast<std::uint32_t>(token >> 32U));
  extractor_.keys(into.keys);
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
  answer.near = answer.jaccard >= fingerprint::threshold_of(profile_, static_cast<std::uint32_t>(std::min(a, b))) &&
                (!fingerprint::order_matters(profile_, answer.jaccard, a, b) ||
                 order_.reaches(other_.tokens, fingerprint::least_common_order(profile_, a, b)));
  return answer;
}

}  // namespace leitong::similarity
