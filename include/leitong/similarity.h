// compare: two texts, every measure, and what differs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "leitong/fingerprint.h"

namespace leitong {

// One run of the alignment of two texts, as byte ranges of the original texts. `same`: equal after normalisation.
// Runs are in order and cover both texts completely.
struct DiffRun {
  bool same = true;
  std::uint32_t a_begin = 0, a_end = 0;
  std::uint32_t b_begin = 0, b_end = 0;
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
  double threshold = 0;  // the profile's similarity threshold for texts of this length
  // What the profile says of the two, all its rules applied, and what dedup would do: texts without features, such as "!!!", are
  // near-duplicates only if they are equal and not blank.
  bool near_duplicate = false;
  std::vector<DiffRun> diff;
};

// Time O((n + m)·d) for d differing tokens, bounded; very different long texts are aligned coarsely.
[[nodiscard]] Comparison compare(std::string_view a, std::string_view b, const Profile& profile);

}  // namespace leitong
