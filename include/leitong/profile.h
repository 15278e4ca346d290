// Profile: every choice that decides what is stored of a text, its fingerprint and its second sketch, under one name, version and id.
// Which texts are near-duplicates is not its business but a rule's (leitong/rule.h).
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

// How features become a fingerprint: by vote, or as the lowest bits of their least values, a 1-bit MinHash.
enum class SketchKind { simhash, minhash1 };
enum class FeatureKind { token_ngrams, character_ngrams };
enum class WeightKind { set, tf, sqrt, log, tfidf, table };
// What the SimHash is made of: n-grams of the standard tokens, or the words of a segmenter. jieba: jieba.cut; plain: without its hidden
// Markov model; search: cut_for_search; all: cut_all. hanlp: HanLP portable-1.8.1 HanLP.segment; ik: IKAnalyzer 3.2.8, maximum word length.
enum class WordKind { tokens, jieba, jieba_plain, jieba_search, jieba_all, hanlp, ik };
// Who makes the SimHash: this library, or it does exactly what the Java program of an article does (docs/migrating-from-java.md).
enum class Program { leitong, java_000, java_001a, java_001a_short, java_001b, java_004 };

struct Profile {
  std::string name = "leitong-1";
  std::uint32_t version = 1;
  unsigned bits = 64;                       // of the fingerprint: 64, 128 or 256; java_000 and java_004: 32, 64 or 128; java_001*: 64
  SketchKind sketch = SketchKind::simhash;  // minhash1: of n-grams of the standard tokens that all weigh the same

  // text
  bool fold_traditional = false;  // traditional Chinese characters become simplified ones

  // features
  FeatureKind features = FeatureKind::token_ngrams;
  std::vector<unsigned> ngram_sizes = {1, 2};  // {1, 2}: T12, with `numbered` O12; {5} over tokens: 5-word shingles
  bool numbered = true;                        // the i-th copy of a feature is a feature of its own (O12)
  WeightKind weights = WeightKind::set;
  std::string idf_file;  // tfidf: a table "feature idf" a line; its content enters the id. jieba's words have jieba's own without one
  std::string key;       // secret of the feature hash, hex; empty: the public constants

  // words, if the SimHash is made of them. Files are UTF-8; their content enters the id, their names do not. The second sketch and all that
  // compares texts use the standard tokens and the features above, whatever stands here.
  WordKind words = WordKind::tokens;
  Program program = Program::leitong;
  std::string data;          // compiled dictionary (leitong/data.h): a name or a path; empty: the segmenter's usual one
  bool normalise = true;     // program leitong: cut the NFKC_Casefold form (and fold_traditional) of the text, not the text as it is
  std::string stop_words;    // words that do not count, one a line; java_001a has HanLP's own list
  std::string word_weights;  // weights = table: "word weight" a line, 0 to 1000; a word that is not there weighs 1
  std::vector<std::string> parts_of_speech;  // tags by their beginnings: "n" only those; "-w" all but those; empty: all
  std::uint32_t top_words = 0;               // only the heaviest words count; 0: all

  // second sketch: one-permutation MinHash of bigrams, the material of candidate bands and of sketch verification
  bool minhash = true;
  // A text of at least short_tokens tokens has that sketch; one below 2 · short_tokens has its features, by which the exact route finds it.
  std::uint32_t short_tokens = 50;
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

// 32 lower-case hexadecimal digits. Throws Error(usage) if the fields contradict each other (bits = 100), Error(io) if a file or compiled
// dictionary that it names cannot be read.
[[nodiscard]] std::string profile_id(const Profile&);

// What a person should know of the files that the profile names: where a Java program stops reading its idf file without a word. Sentences
// without a full stop.
[[nodiscard]] std::vector<std::string> profile_warnings(const Profile&);

}  // namespace leitong
