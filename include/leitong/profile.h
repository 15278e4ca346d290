// Profile: every choice that decides a fingerprint's bits, under one name, version and id.
//
// Two fingerprints may be compared only if their profiles have the same id. The id hashes every setting and every table that the
// profile uses (Unicode version, common-feature table, weight table, key), overrides included, so a change of any of them shows.
// docs/fingerprint-spec.md says what each field does to the bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

enum class FeatureKind { token_ngrams, character_ngrams };
enum class WeightKind { set, tf, sqrt, log, tfidf };

struct Profile {
  std::string name = "leitong-draft";
  std::uint32_t version = 1;
  unsigned bits = 64;  // of the SimHash: 64, 128 or 256

  // text
  bool fold_traditional = false;  // traditional Chinese characters become simplified ones

  // features
  FeatureKind features = FeatureKind::token_ngrams;
  std::vector<unsigned> ngram_sizes = {1, 2};  // {1, 2}: T12, with `numbered` O12; {5} over tokens: 5-word shingles
  bool numbered = true;                        // the i-th copy of a feature is a feature of its own (O12)
  WeightKind weights = WeightKind::set;
  std::string idf_file;  // tfidf: a table "feature idf" a line; its content enters the id
  std::string key;       // secret of the feature hash, hex; empty: the public constants

  // second sketch: one-permutation MinHash of bigrams, the material of candidate bands and of sketch verification
  bool minhash = true;

  // two texts are near-duplicates when their multiset Jaccard similarity reaches the threshold of their length
  // (tokens of the shorter text): first entry whose limit is not exceeded
  struct Threshold {
    std::uint32_t up_to_tokens;  // 0xffffffff: no limit
    double similarity;
  };
  std::vector<Threshold> thresholds = {{0xffffffffU, 0.50}};
  // Texts of one kind share their vocabulary (ordinances of two cities), so a pair of more than order_tokens tokens each whose similarity
  // is below order_similarity must also share its tokens in the same order: 2 · LCS / (n + m) >= order_lcs.
  std::uint32_t order_tokens = 50;
  double order_similarity = 0.80, order_lcs = 0.77;
  std::uint32_t short_tokens = 50;  // a text below this many tokens takes the exact route instead of the bands
};

// Names of the built-in profiles, the default first.
[[nodiscard]] std::vector<std::string> profile_names();

// A built-in profile by name, or a TOML file by path (a name holding '/' or ending in ".toml").
// Throws Error(usage) for an unknown name, Error(format) with file and line for a bad file.
[[nodiscard]] Profile load_profile(std::string_view name_or_path);

// The same from TOML text; `where` names it in messages.
[[nodiscard]] Profile parse_profile(std::string_view toml, const std::string& where);

// The profile as TOML: parse_profile of it gives the same id.
[[nodiscard]] std::string to_toml(const Profile&);

// 32 lower-case hexadecimal digits. Throws Error(usage) if the fields contradict each other (bits = 100).
[[nodiscard]] std::string profile_id(const Profile&);

}  // namespace leitong
