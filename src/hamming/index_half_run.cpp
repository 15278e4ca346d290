#include "hamming/index_half_run.h"

#include <fmt/format.h>

namespace leitong::hamming {

bool HalfRun::scans(unsigned k) const { return k > HalfIndex::most_k || scan_cost() < index_.cost(k); }

std::string HalfRun::plan(unsigned k) const {
  return scans(k) ? "every row is compared" : fmt::format("four tables of 16-bit blocks for {} bits", k);
}

void HalfRun::write(storage::ColumnFileWriter& file, std::uint64_t first) const {
  const RunRecord record{RunRecord::kind_halves, index_.rows(), 1, {}, {}};
  file.add(first, &record, 1);
  index_.write(file, first + columns_of_index);
}

void HalfRun::find(std::span<const std::uint64_t> queries, unsigned k, std::vector<Found>& found) const {
  if (scans(k)) {
    index_.scan(queries, k, found);
  } else {
    index_.find(queries, k, found);
  }
}

}  // namespace leitong::hamming
