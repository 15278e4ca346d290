// Tokens to weighted feature hashes, under one profile.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fingerprint/hash.h"
#include "leitong/profile.h"
#include "text/tokenize.h"

namespace leitong::fingerprint {

// Numbers the occurrences of equal features: the i-th copy of a feature becomes a feature of its own, Hasher::numbered(feature, i).
// Features count as equal here if the upper halves of their hashes are (docs/fingerprint-spec.md).
class Occurrences {
 public:
  // out[i] for features[i]; expected linear time. At most 2^30 features.
  void operator()(std::span<const std::uint64_t> features, const Hasher& hasher, std::vector<std::uint64_t>& out);

 private:
  std::vector<std::uint32_t> table_;  // slot -> tag of the key that owns it, and how often that key has come
  std::vector<std::uint32_t> left_;   // indices whose slot was another's
};

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

  // Token bigrams with numbered occurrences: numbered hashes, and unnumbered ones beside them. For the second sketch.
  struct Bigrams {
    std::span<const std::uint64_t> numbered, plain;
  };
  [[nodiscard]] Bigrams bigrams();

  // Numbered features: the multiset that texts are compared by, as a set. (Features that the profile weighs are numbered here as well.)
  void numbered_features(std::vector<std::uint64_t>& out);
  // The same, sorted.
  void sorted_features(std::vector<std::uint64_t>& out);

 private:
  void token_ngrams(unsigned size, std::vector<std::uint64_t>& out) const;
  void character_ngrams(unsigned size, std::vector<std::uint64_t>& out);
  void collect_plain();
  void weigh();
  void load_idf(const std::string& path);

  Profile profile_;
  Hasher hasher_;
  text::TokenizeOptions options_;
  text::Tokens tokens_;
  std::vector<std::uint64_t> token_hashes_, plain_, numbered_, bigrams_, numbered_bigrams_;
  std::vector<std::uint32_t> weights_;
  std::vector<std::uint64_t> distinct_;
  bool have_bigrams_ = false, have_numbered_ = false;
  std::string joined_;
  Occurrences occurrences_;
  std::unordered_map<std::uint64_t, std::uint32_t> idf_;  // hash of a token -> idf in 1/256
  std::uint32_t mean_idf_ = 0;
};

// 256 · (1 + log2(tf)) rounded down, by integer arithmetic alone, so that every machine agrees.
[[nodiscard]] std::uint32_t log_weight(std::uint32_t tf) noexcept;
// 256 · sqrt(tf) rounded down.
[[nodiscard]] std::uint32_t sqrt_weight(std::uint32_t tf) noexcept;

}  // namespace leitong::fingerprint
