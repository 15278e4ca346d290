// Tokens to weighted feature hashes, under one profile.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/buffer.h"
#include "fingerprint/hash.h"
#include "fingerprint/idf_table.h"
#include "fingerprint/occurrences.h"
#include "leitong/profile.h"
#include "text/tokenize.h"

namespace leitong::fingerprint {

// Whether the SimHash of a profile is made of n-grams of the standard tokens, which other parts of a sketch are always made of.
[[nodiscard]] inline bool votes_by_tokens(const Profile& profile) {
  return profile.words == WordKind::tokens && profile.program == Program::leitong;
}

// The feature hashes of one text at a time; spans are valid until the next text.
class FeatureExtractor {
 public:
  explicit FeatureExtractor(const Profile& profile);

  void set_text(std::string_view utf8, bool with_source = false);
  [[nodiscard]] const text::Tokens& tokens() const { return tokens_; }
  [[nodiscard]] std::span<const std::uint64_t> token_hashes() const { return token_hashes_; }
  [[nodiscard]] const Hasher& hasher() const { return hasher_; }

  // Features for the SimHash vote: with repetition if the profile numbers occurrences (every hash is then distinct and weighs one),
  // else distinct with their weights. Fills both; `weights` is empty when all weigh one.
  struct Features {
    std::span<const std::uint64_t> hashes;
    std::span<const std::uint32_t> weights;
  };
  [[nodiscard]] Features features();

  // Every n-gram of the profile as it stands in the text, unnumbered and unweighed, and how it reads. Slow: for people.
  [[nodiscard]] std::span<const std::uint64_t> plain_features(std::vector<std::string>& texts);

  // Token bigrams with numbered occurrences: numbered hashes, and unnumbered ones beside them. For the second sketch.
  struct Bigrams {
    std::span<const std::uint64_t> numbered, plain;
  };
  [[nodiscard]] Bigrams bigrams();

  // The multiset that texts are compared by: numbered features as 32-bit keys, the upper halves of their hashes, in no order; two of a text
  // may coincide by chance. (Features that the profile weighs are numbered here as well.)
  void keys(std::vector<std::uint32_t>& out);
  // Numbered features, sorted and distinct.
  void sorted_features(std::vector<std::uint64_t>& out);

 private:
  [[nodiscard]] std::size_t ngram_count(unsigned size) const;
  void token_ngrams(unsigned size, std::uint64_t* grams) const;             // writes ngram_count(size) of them
  void token_ngrams(unsigned size, std::vector<std::uint64_t>& out) const;  // appends them
  void character_ngrams(unsigned size, std::vector<std::uint64_t>& out, std::vector<std::string>* texts = nullptr);
  void collect_plain();
  [[nodiscard]] bool numbers_apart() const;
  [[nodiscard]] std::span<const std::uint64_t> numbered_features();
  void weigh();

  Profile profile_;
  Hasher hasher_;
  text::TokenizeOptions options_;
  text::Tokens tokens_;
  Buffer<std::uint64_t> token_hashes_, bigrams_;
  Buffer<std::uint64_t> numbered_apart_;  // as many unigrams as there are tokens, if they are numbered apart; then bigrams
  Buffer<std::uint64_t> numbered_;        // all sizes as one list
  std::vector<std::uint64_t> plain_, distinct_;
  std::vector<std::uint32_t> weights_;
  bool have_bigrams_ = false, have_numbered_ = false;
  std::string joined_;
  Occurrences occurrences_;
  IdfTable idf_;
};

// The bytes of Profile::key. Throws Error(usage) unless it is hexadecimal.
[[nodiscard]] std::string key_bytes(const std::string& hex);

// 256 · (1 + log2(tf)) rounded down, by integer arithmetic alone, so that every machine agrees.
[[nodiscard]] std::uint32_t log_weight(std::uint32_t tf) noexcept;
// 256 · sqrt(tf) rounded down.
[[nodiscard]] std::uint32_t sqrt_weight(std::uint32_t tf) noexcept;

}  // namespace leitong::fingerprint
