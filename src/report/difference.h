// Two texts and their diff to a side-by-side view.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "leitong/similarity.h"

namespace leitong::report {

// What becomes of the middle of a long equal stretch: only its length is said, or it stands in two hidden cells behind a button, which a
// script of the page may open.
enum class Folded { left_out, hidden };

// Rows of two cells, the removed text (a) left and the kept one (b) right; long equal stretches are folded, so that both sides stay level.
// What only one side has is in <del> or <ins>. Runs that leave the texts are cut; without runs the texts stand unmarked.
void append_difference(std::string& out, std::string_view a, std::string_view b, std::span<const DiffRun> diff,
                       Folded folded = Folded::left_out);

}  // namespace leitong::report
