#include "hamming/index_parts.h"

#include <algorithm>
#include <iterator>

#include "hamming/table.h"

namespace leitong::hamming {
namespace {

constexpr std::uint64_t fan_out = 4;

// Parts of up to small_log_rows × 4^level rows have that level.
unsigned level_of(std::uint64_t size) {
  unsigned level = 0;
  for (std::uint64_t most = IndexLog::small_log_rows; most < size; most *= fan_out) ++level;
  return level;
}

std::uint64_t rows_of(const RunRows& rows, unsigned words) { return rows.values.size() / words; }

// The first part to merge with a change of so many rows and erased ids; parts.size(): none.
std::size_t first_to_merge(const std::vector<IndexPart>& parts, std::uint64_t rows, std::uint64_t size) {
  std::size_t first = parts.size();
  const auto take_down_to = [&](std::size_t to) {
    for (; first > to; --first) {
      if (rows + parts[first - 1].rows() > Run::most_rows) return false;
      rows += parts[first - 1].rows();
      size += parts[first - 1].size();
    }
    return true;
  };
  for (;;) {
    const unsigned level = level_of(size);
    std::size_t lower = first;
    while (lower > 0 && level_of(parts[lower - 1].size()) < level) --lower;
    std::size_t same = lower;
    while (same > 0 && level_of(parts[same - 1].size()) == level) --same;
    const bool full = lower - same + 1 >= fan_out;
    if (lower == first && !full) return first;
    if (!take_down_to(full ? same : lower)) return first;
  }
}

// Rows gathered from several runs, without those that are hidden.
class Gathered {
 public:
  Gathered(std::uint64_t rows, unsigned words)
      : words_(words), values_(memory_of_values_.reserve(rows * words)), ids_(memory_of_ids_.reserve(rows)) {}

  void add(const Run& run, const IdSet* hidden) {
    run.copy_rows(values_ + rows_ * words_, ids_ + rows_);
    keep(run.rows(), hidden);
  }
  void add(const RunRows& rows) {
    std::copy(rows.values.begin(), rows.values.end(), values_ + rows_ * words_);
    const std::uint64_t count = rows_of(rows, words_);
    for (std::uint64_t i = 0; i < count; ++i) ids_[rows_ + i] = rows.ids.empty() ? rows.first_id + i : rows.ids[i];
    rows_ += count;
  }
  [[nodiscard]] RunRows rows() const { return {{values_, rows_ * words_}, {ids_, rows_}, 0}; }

 private:
  void keep(std::uint64_t count, const IdSet* hidden) {
    const std::uint64_t end = rows_ + count;
    if (hidden == nullptr) {
      rows_ = end;
      return;
    }
    for (std::uint64_t i = rows_; i < end; ++i) {
      if (hidden->contains(ids_[i])) continue;
      for (unsigned w = 0; w < words_; ++w) values_[rows_ * words_ + w] = values_[i * words_ + w];
      ids_[rows_++] = ids_[i];
    }
  }

  unsigned words_;
  Buffer<std::uint64_t> memory_of_values_, memory_of_ids_;
  std::uint64_t* values_;
  std::uint64_t* ids_;
  std::uint64_t rows_ = 0;
};

// Replaces parts [first, end) by one that has the change, too.
void merge_from(std::vector<IndexPart>& parts, std::size_t first, IndexChange change, const RunShape& shape) {
  IndexPart merged;
  if (first == parts.size()) {
    if (!change.rows.values.empty()) merged.run = make_run(change.rows, shape);
  } else {
    std::uint64_t total = rows_of(change.rows, shape.words);
    for (std::size_t p = first; p < parts.size(); ++p) total += parts[p].rows();
    Gathered gathered(total, shape.words);
    gathered.add(change.rows);
    std::unique_ptr<IdSet> hidden;
    if (!change.erased.empty()) hidden = std::make_unique<IdSet>(change.erased);
    for (std::size_t p = parts.size(); p-- > first;) {
      if (parts[p].run) gathered.add(*parts[p].run, hidden.get());
      if (parts[p].erased && p > 0) {
        parts[p].erased->append_to(change.erased);
        if (p > first) hidden = std::make_unique<IdSet>(change.erased);
      }
    }
    if (!gathered.rows().values.empty()) merged.run = make_run(gathered.rows(), shape);
  }
  if (first > 0 && !change.erased.empty()) merged.erased = std::make_shared<IdSet>(change.erased);
  parts.resize(first);
  if (merged.size() > 0) parts.push_back(std::move(merged));
}

}  // namespace

void push_change(std::vector<IndexPart>& parts, IndexChange change, const RunShape& shape) {
  const std::uint64_t most = Run::most_rows, rows = rows_of(change.rows, shape.words);
  for (std::uint64_t at = 0; at == 0 || at < rows; at += most) {  // one part a time; more only beyond four thousand million rows
    const std::uint64_t count = std::min(most, rows - at);
    IndexChange part;
    part.rows.values = change.rows.values.subspan(at * shape.words, count * shape.words);
    if (!change.rows.ids.empty()) part.rows.ids = change.rows.ids.subspan(at, count);
    part.rows.first_id = change.rows.first_id + at;
    if (at == 0) part.erased = std::move(change.erased);
    const std::size_t first = first_to_merge(parts, count, count + part.erased.size());
    merge_from(parts, first, std::move(part), shape);
  }
}

void merge_all(std::vector<IndexPart>& parts, IndexChange change, const RunShape& shape) {
  std::uint64_t rows = rows_of(change.rows, shape.words);
  std::size_t first = parts.size();
  while (first > 0 && rows + parts[first - 1].rows() <= Run::most_rows) rows += parts[--first].rows();
  const bool nothing_to_do = change.rows.values.empty() && change.erased.empty() && parts.size() - first <= 1;
  if (!nothing_to_do) merge_from(parts, first, std::move(change), shape);
  // Parts before `first` are full runs; ids erased later stay listed beside them and are hidden when read.
}

}  // namespace leitong::hamming
