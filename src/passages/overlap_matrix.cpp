#include "passages/overlap_matrix.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "outputs/source_rows.h"

namespace leitong::passages {
namespace {

constexpr std::size_t best_of_cell = 3;

std::vector<report::Source> files_of(const OverlapSide& side) {
  std::vector<report::Source> files;
  for (std::size_t i = 0; i < side.sources().size(); ++i) {
    report::Source file;
    const std::string& path = side.sources()[i].path;
    file.path = path == "-" ? "standard input" : path;
    file.records = side.records_of()[i], file.rejected = side.rejected_of()[i];
    files.push_back(std::move(file));
  }
  return files;
}

bool is_better(const OverlapPair& x, const OverlapPair& y) {
  const auto rank = [](const OverlapPair& pair) { return std::tuple(-pair.contained(), ~pair.b.covered, pair.b.record, pair.a.record); };
  return rank(x) < rank(y);
}

}  // namespace

OverlapMatrix::OverlapMatrix(const OverlapSide& a, const OverlapSide& b, double contained)
    : contained_(contained),
      rows_(outputs::source_rows(files_of(b), b.options().paths, &row_of_)),
      columns_(outputs::source_rows(files_of(a), a.options().paths, &column_of_)),
      cells_(rows_.size() * columns_.size()),
      of_sources_(b.sources().size()),
      of_rows_(rows_.size()) {}

void OverlapMatrix::add(const OverlapPair& pair) {
  if (!group_.empty() && group_.begin()->second.b.record != pair.b.record) close();
  const auto [at, is_new] = group_.try_emplace(column_of_.at(pair.a.source), pair);
  if (!is_new && is_better(pair, at->second)) at->second = pair;
}

void OverlapMatrix::close() {
  if (group_.empty()) return;
  const std::uint32_t source = group_.begin()->second.b.source;
  const std::size_t row = row_of_.at(source);
  bool contained = false;
  for (const auto& [column, pair] : group_) {
    Cell& cell = cells_[row * columns_.size() + column];
    count(cell.shares, is_contained(pair));
    contained = contained || is_contained(pair);
    offer(cell, pair);
  }
  count(total_, contained);
  count(of_sources_[source], contained);
  count(of_rows_[row], contained);
  group_.clear();
}

void OverlapMatrix::offer(Cell& cell, const OverlapPair& pair) const {
  if (cell.best.size() == best_of_cell && !is_better(pair, cell.best.back())) return;
  cell.best.insert(std::upper_bound(cell.best.begin(), cell.best.end(), pair, is_better), pair);
  if (cell.best.size() > best_of_cell) cell.best.pop_back();
}

std::vector<OverlapPair> OverlapMatrix::samples(std::size_t most) const {
  std::vector<std::pair<std::size_t, const OverlapPair*>> all;
  for (const Cell& cell : cells_)
    for (std::size_t i = 0; i < cell.best.size(); ++i) all.emplace_back(i, &cell.best[i]);
  std::sort(all.begin(), all.end(),
            [](const auto& x, const auto& y) { return x.first != y.first ? x.first < y.first : is_better(*x.second, *y.second); });
  all.resize(std::min(all.size(), most));
  std::vector<OverlapPair> chosen;
  for (const auto& [rank, pair] : all) chosen.push_back(*pair);
  std::sort(chosen.begin(), chosen.end(), is_better);
  return chosen;
}

}  // namespace leitong::passages
