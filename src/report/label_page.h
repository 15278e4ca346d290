// Pairs of texts to one self-contained page on which a person labels them. Pure: the same pairs give the same bytes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "leitong/calibrate.h"

namespace leitong::report {

struct LabelPage {
  std::string title;              // of the collection
  std::string sample;             // what labels belong to: part of what the page saves, and of the name under which the browser keeps them
  std::vector<PairLabel> labels;  // known already, pair 1 first; may be empty
};

// Pair 1 first, in the order in which they are shown. `differences`: of each pair, text a against text b. Nothing of the page says how
// similar a pair is but the texts themselves.
[[nodiscard]] std::string render_label_page(const LabelPage& page, std::span<const PairToLabel> pairs,
                                            const std::vector<std::vector<DiffRun>>& differences);

}  // namespace leitong::report
