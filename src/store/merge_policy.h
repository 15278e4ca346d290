// Chooses the runs to merge next. Few runs make reading fast, and few merges make writing cheap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace leitong::store {

struct MergeChoice {
  std::size_t first = 0, last = 0;  // runs [first, last), oldest first; fewer than two: nothing to merge
  [[nodiscard]] bool any() const { return last - first >= 2; }
};

// `rows`: the number of rows in each run, oldest first. Nothing is merged while there are at most `most_runs` runs. Otherwise the newest
// runs are merged, together with each older run before them that is no longer than all newer ones together. So a row is only written again
// together with at least as many others, about log2(rows) / log2(most_runs) times. No result has more than `most_rows` rows.
[[nodiscard]] MergeChoice choose_merge(std::span<const std::uint64_t> rows, std::size_t most_runs, std::uint64_t most_rows);

}  // namespace leitong::store
