// The measures of leitong/similarity.h that need one thing of two texts, and nothing else.
#include <string_view>
#include <vector>

#include "fingerprint/features.h"
#include "leitong/similarity.h"
#include "similarity/characters.h"
#include "similarity/common_substring.h"
#include "similarity/measures.h"
#include "similarity/sentences.h"
#include "similarity/term_vectors.h"

namespace leitong {
namespace {

std::vector<std::uint64_t> token_hashes(std::string_view text, fingerprint::FeatureExtractor& extractor) {
  similarity::check_size(text);
  extractor.set_text(text);
  return {extractor.token_hashes().begin(), extractor.token_hashes().end()};
}

std::vector<char32_t> checked_characters(std::string_view text, const Profile& profile) {
  similarity::check_size(text);
  return similarity::characters(text, profile.fold_traditional);
}

}  // namespace

TermMeasures term_measures(std::string_view a, std::string_view b, const Profile& profile) {
  fingerprint::FeatureExtractor extractor(profile);
  std::vector<std::uint64_t> of_a = token_hashes(a, extractor);
  return similarity::term_measures(std::move(of_a), token_hashes(b, extractor));
}

CommonSubstring common_substring(std::string_view a, std::string_view b, const Profile& profile) {
  return similarity::common_substring(checked_characters(a, profile), checked_characters(b, profile));
}

CharacterEdits character_edits(std::string_view a, std::string_view b, const Profile& profile) {
  const std::vector<char32_t> of_a = checked_characters(a, profile);
  const std::vector<char32_t> of_b = checked_characters(b, profile);
  return similarity::character_edits(of_a, of_b, similarity::affordable_bound(of_a.size(), of_b.size()));
}

CharacterEdits character_edits(std::string_view a, std::string_view b, const Profile& profile, std::uint32_t bound) {
  return similarity::character_edits(checked_characters(a, profile), checked_characters(b, profile), bound);
}

SentenceSignature sentence_signature(std::string_view text, const Profile& profile, unsigned n) {
  similarity::check_size(text);
  fingerprint::FeatureExtractor extractor(profile);
  extractor.set_text(text, true);
  return similarity::longest_sentences(text, extractor.token_hashes(), extractor.tokens().source, n);
}

}  // namespace leitong
