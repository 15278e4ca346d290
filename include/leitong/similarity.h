// compare: two texts, every measure, and what differs. docs/measures.md says what each measure is good for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "leitong/fingerprint.h"
#include "leitong/rule.h"

namespace leitong {

// One run of the alignment of two texts, as byte ranges of the original texts. `same`: equal after normalisation.
// Runs are in order and cover both texts completely.
struct DiffRun {
  bool same = true;
  std::uint32_t a_begin = 0, a_end = 0;
  std::uint32_t b_begin = 0, b_end = 0;
};

// Two texts as bags of tokens; x_t and y_t are how often token t stands in them. Two texts without tokens: equal bags.
struct TermMeasures {
  double jaccard = 0;      // distinct tokens in both / distinct tokens in either, 0..1
  double cosine = 0;       // Σ x_t·y_t / sqrt(Σ x_t² · Σ y_t²), 0..1; 0 if one text has no tokens
  double euclid = 0;       // sqrt(Σ (x_t - y_t)²), tokens; 0 and up, grows with length
  double unit_euclid = 0;  // the same of the vectors scaled to length 1: sqrt(2 - 2·cosine), 0..sqrt(2)
};

// Characters here and below: code points after NFKC_Casefold (traditional characters simplified if the profile says so), every run of white
// space one space, none at either end. An invalid part of the UTF-8 is one U+FFFD.
struct CommonSubstring {
  std::uint32_t length = 0;  // characters of the longest run that stands in both texts
  double share = 0;          // of the shorter text, 0..1; two empty texts: 1, one empty: 0
  bool exact = true;         // else a lower bound
};

struct CharacterEdits {
  std::uint32_t distance = 0;  // insertions, deletions, substitutions of characters
  double similarity = 0;       // 1 - distance / characters of the longer text, 0..1; two empty texts: 1
  bool exact = true;           // else distance is a lower bound, and similarity an upper one
};

// The N longest distinct sentences. A sentence is its tokens, so that case, width and punctuation do not matter; longest by tokens, of
// equally long ones the greater hash first, so that their order in the text does not matter either. Sentences end at 。！？… and the full
// stops of other scripts; at . ! ? before white space, a closing mark or a character of the scripts without spaces; at a blank line; at a
// line break beside a character of these scripts (U+2E80 and up). Hashes may be compared under profiles of the same id only.
struct SentenceSignature {
  std::uint64_t signature = 0;           // of the sentences together; 0: the text has none
  std::vector<std::uint64_t> sentences;  // hashes, the longest sentence first; N or fewer
};

struct SentenceOverlap {
  static constexpr unsigned most = 3;  // N
  std::uint64_t a = 0, b = 0;          // signatures
  bool equal = false;                  // the signatures are, and are not 0
  unsigned shared = 0;                 // of the longest sentences of both texts, 0..N ...
  unsigned of = 0;                     // ... of so many of the text that has more of them
};

struct Comparison {
  std::optional<Fingerprint> a, b;
  std::optional<unsigned> distance;  // none: one of the texts has no fingerprint
  double jaccard = 0;                // multiset Jaccard similarity of the profile's features, 0..1; 1 for two texts without features
                                     // that are equal, 0 if they differ
  double containment = 0;            // share of the smaller feature multiset that the other holds
  double lcs = 0;                    // 2·LCS/(n+m) over tokens
  std::uint32_t edit_distance = 0;   // insertions, deletions, substitutions of tokens; exact up to the bound, else the bound
  bool edit_distance_exact = true;
  double threshold = 0;  // the rule's similarity threshold for texts of this length
  // What the rule says of the two without their collection, and what dedup would do: texts without features, such as "!!!", are
  // near-duplicates only if they are equal and not blank.
  bool near_duplicate = false;
  bool other_facts = false;  // they are none only because they state other facts (Rule::fact_tokens)
  std::vector<DiffRun> diff;
  // The measures of the functions below; none of them decides near_duplicate.
  TermMeasures terms;
  CommonSubstring substring;
  CharacterEdits characters;
  SentenceOverlap sentences;
};

// Time O((n + m)·d) for d differing tokens, bounded; very different long texts are aligned coarsely.
[[nodiscard]] Comparison compare(std::string_view a, std::string_view b, const Profile& profile, const Rule& rule = {});

// The difference alone, as in Comparison::diff. Needs no dictionary, whatever the profile's words are.
[[nodiscard]] std::vector<DiffRun> difference(std::string_view a, std::string_view b, const Profile& profile);

// The measures by themselves, of texts up to 4 GiB (Error(limit) beyond).
// O(n log n).
[[nodiscard]] TermMeasures term_measures(std::string_view a, std::string_view b, const Profile& profile);
// Up to 4 Mi characters together: exact by a suffix array, O(n + m), about 30 bytes a character. Beyond: O((n + m) log n), exact unless
// more than that many characters are left where a run longer than the longest one found could be.
[[nodiscard]] CommonSubstring common_substring(std::string_view a, std::string_view b, const Profile& profile);
// O(n + m + d²) for similar texts, never more than O(n·min(m, bound) / 64); exact if the distance is at most `bound`. By default about a
// second's work: exact up to 160,000 characters each whatever they hold.
[[nodiscard]] CharacterEdits character_edits(std::string_view a, std::string_view b, const Profile& profile);
[[nodiscard]] CharacterEdits character_edits(std::string_view a, std::string_view b, const Profile& profile, std::uint32_t bound);
// O(n).
[[nodiscard]] SentenceSignature sentence_signature(std::string_view text, const Profile& profile, unsigned n = SentenceOverlap::most);

// Short texts: too few features for a SimHash to decide, so it only nominates, at a distance wider than long texts need, and a measure
// of the texts themselves decides. The limits were measured: docs/measures.md.
struct ShortTextRule {
  enum class By { edit_distance, cosine };
  std::optional<unsigned> k;      // nominated: the fingerprints differ in at most k bits; none: 12 of 64, 40 of 128, 88 of 256
  By by = By::edit_distance;      // what decides
  double edit_similarity = 0.56;  // the least CharacterEdits::similarity
  double cosine = 0.46;           // the least TermMeasures::cosine
};

// Judges pairs under one rule. Reuses its buffers: make one a thread.
class ShortTextJudge {
 public:
  // Throws Error(usage) for a limit outside 0..1.
  explicit ShortTextJudge(const Profile& profile, const ShortTextRule& rule = {});
  ~ShortTextJudge();
  ShortTextJudge(ShortTextJudge&&) noexcept;
  ShortTextJudge& operator=(ShortTextJudge&&) noexcept;

  struct Verdict {
    std::optional<unsigned> distance;  // none: a text has no fingerprint, and is nominated with nothing
    bool nominated = false;
    double similarity = 0;  // of a nominated pair, by the rule's measure; an edit similarity below the limit is only bounded from above
    bool near_duplicate = false;
  };
  [[nodiscard]] Verdict operator()(std::string_view a, std::string_view b);

  // The two halves, for pairs from an index or a join of stored fingerprints.
  [[nodiscard]] bool nominates(const Fingerprint& a, const Fingerprint& b) const;
  // Of the texts of a nominated pair; the similarity as in Verdict.
  struct Decision {
    double similarity = 0;
    bool near_duplicate = false;
  };
  [[nodiscard]] Decision decide(std::string_view a, std::string_view b);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong
