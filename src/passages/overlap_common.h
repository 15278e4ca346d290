// Passages that stand in so many texts of B that not all places were looked at: what they are, for a person.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "passages/overlap_tiles.h"
#include "report/overlap_page.h"

namespace leitong::passages {

class OverlapCommon {
 public:
  explicit OverlapCommon(const similarity::RunShape& shape) : shape_(shape) {}
  // Once a tile, while it is there. `met`: how often A has each of the common grams.
  void add(const OverlapTile& tile, const std::vector<std::uint64_t>& met);
  // The passages that A has, grams that follow each other as one, those in most places first.
  // Counts all, and gives the first of them.
  [[nodiscard]] std::vector<report::OverlapPassage> passages(const std::vector<similarity::CommonGram>& common,
                                                             const std::vector<std::uint64_t>& met, const OverlapSide& b,
                                                             TokenHasher& hasher, OverlapCounts& counts) const;

 private:
  struct Place {
    std::size_t gram = 0;  // in RunIndex::common()
    OverlapTile::Text text;
    std::uint32_t token = 0;  // in the text
  };
  struct Passage {
    OverlapTile::Text text;
    std::uint32_t begin = 0, end = 0;  // tokens
    std::uint64_t places = 0, met = 0;
  };
  similarity::RunShape shape_;
  std::vector<Place> places_;  // by gram within each tile
};

}  // namespace leitong::passages
