// Text to sketch: everything that later stages need to know of a text without reading it again. A pure function of (text, profile).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fingerprint/by_words.h"
#include "fingerprint/features.h"
#include "fingerprint/minhash.h"
#include "leitong/fingerprint.h"
#include "leitong/profile.h"

namespace leitong::fingerprint {

struct Sketch {
  // 128-bit hash of the token sequence: equal for texts that are equal after normalisation. A text without tokens: of its bytes, or zero
  // if it is blank (blank texts equal nothing).
  std::array<std::uint64_t, 2> content{};
  std::uint32_t tokens = 0, features = 0;
  bool has_fingerprint = false;  // there is at least one feature; a Java profile may say otherwise
  Fingerprint fingerprint;
  bool has_slots = false;  // at least Profile::short_tokens tokens
  Slots slots{};
  // Texts of fewer than 2 × Profile::short_tokens tokens: FeatureExtractor::keys, sorted, distinct. For the exact
  // route.
  std::vector<std::uint32_t> short_features;
};

class Sketcher {
 public:
  explicit Sketcher(const Profile& profile);
  void operator()(std::string_view utf8, Sketch& out);
  [[nodiscard]] FeatureExtractor& extractor() { return extractor_; }

 private:
  void set_fingerprint(std::string_view utf8, Sketch& out);

  Profile profile_;
  FeatureExtractor extractor_;
  std::optional<ByWords> by_words_;
  MinHash minhash_;
  std::vector<std::uint64_t> wide_;
  std::vector<std::uint32_t> sort_buffer_;
};

// Whether there is anything to vote: a feature whose weight is not zero. Without it a text has no fingerprint.
[[nodiscard]] bool votes(const FeatureExtractor::Features& features);

// The fingerprint of a profile whose features are n-grams of tokens (votes_by_tokens). `buffer` is scratch.
[[nodiscard]] Fingerprint fingerprint_of(const FeatureExtractor::Features& features, const Profile& profile, const Hasher& hasher,
                                         std::vector<std::uint64_t>& buffer);

// SimHash of weighted features: `weights` empty means all ones. bits: 64, 128 or 256. `buffer` is scratch.
[[nodiscard]] Fingerprint simhash(const FeatureExtractor::Features& features, unsigned bits, const Hasher& hasher,
                                  std::vector<std::uint64_t>& buffer);

// All bits of a feature's hash.
[[nodiscard]] Fingerprint wide_hash(std::uint64_t feature, unsigned bits, const Hasher& hasher);

}  // namespace leitong::fingerprint
