// Two texts and their diff to a side-by-side view.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "leitong/similarity.h"

namespace leitong::report {

// What becomes of the middle of a long equal stretch: only its length is said, or it stands in hidden cells behind a button, which a script
// of the page may open.
enum class Folded { left_out, hidden };

// Rows of two cells, the removed text (a) left and the kept one (b) right; long equal stretches are folded, so that both sides stay level.
// What only one side has is in <del> or <ins>. Runs that leave the texts are cut; without runs the texts stand unmarked.
// `room`: so many bytes of page are about what it takes: if they do not hold all of it, folds have nothing behind them, long changes are
// cut in their middle, and at the end it says how many more differences there are. Folded::hidden, too: a cell of equal texts stands once,
// as "cell a b", for the script to make two of.
void append_difference(std::string& out, std::string_view a, std::string_view b, std::span<const DiffRun> diff,
                       Folded folded = Folded::left_out, std::size_t room = ~std::size_t{0});

// Of two texts that were cut off: without what differs behind their last equal stretch, for there the one may only go on farther.
[[nodiscard]] std::span<const DiffRun> without_open_end(std::span<const DiffRun> diff);

}  // namespace leitong::report
