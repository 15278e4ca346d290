// Which runs are merged next: few runs are quick to read, few merges are cheap to write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace leitong::store {

struct MergeChoice {
  std::size_t first = 0, last = 0;  // runs [first, last), oldest first; fewer than two: none
  [[nodiscard]] bool any() const { return last - first >= 2; }
};

// Runs by their rows, oldest first. Nothing is merged while there are at most `most_runs`. Then the newest runs are, and of the older ones
// before them each that is no longer than all after it together: so a row is written again only with at least as many others, about
// log2(rows) / log2(most_runs) times. No result is longer than `most_rows`.
[[nodiscard]] MergeChoice choose_merge(std::span<const std::uint64_t> rows, std::size_t most_runs, std::uint64_t most_rows);

}  // namespace leitong::store
