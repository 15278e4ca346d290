#include "store/merge_policy.h"

namespace leitong::store {

MergeChoice choose_merge(std::span<const std::uint64_t> rows, std::size_t most_runs, std::uint64_t most_rows) {
  if (rows.size() <= most_runs || rows.size() < 2) return {};
  // Searches from the newest run backwards. Where the bound ends a range of runs, another range begins before it.
  for (std::size_t last = rows.size(); last >= 2;) {
    std::size_t first = last - 1;
    std::uint64_t sum = rows[first];
    while (first > 0 && sum + rows[first - 1] <= most_rows && (rows[first - 1] <= sum || last - first < 2)) sum += rows[--first];
    if (last - first >= 2) return {first, last};
    last = first;
  }
  return {};
}

}  // namespace leitong::store
