#include "hamming/index_run.h"

#include "hamming/index_half_run.h"
#include "hamming/index_rows_run.h"

namespace leitong::hamming {
namespace {

constexpr std::uint64_t most_compared = 512;  // rows of a word that are sooner compared than looked up

}  // namespace

void find_in_runs(std::span<const Run* const> runs, std::span<const std::uint64_t> queries, unsigned k,
                  std::span<std::vector<Found>* const> found) {
  thread_local std::vector<const HalfIndex*> halves;
  thread_local std::vector<std::vector<Found>*> found_in_halves;
  halves.clear();
  found_in_halves.clear();
  const bool at_once = runs.size() > 1 && queries.size() <= HalfIndex::few_queries && k <= HalfIndex::most_at_once;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const HalfIndex* index = at_once ? runs[i]->halves(k) : nullptr;
    if (index == nullptr) {
      runs[i]->find(queries, k, *found[i]);
    } else {
      halves.push_back(index);
      found_in_halves.push_back(found[i]);
    }
  }
  HalfIndex::find_in_all(halves, queries, k, found_in_halves);
}

std::shared_ptr<const Run> make_run(const RunRows& rows, const RunShape& shape) {
  if (shape.words == 1 && rows.values.size() > most_compared) return std::make_shared<HalfRun>(rows, shape.threads);
  return std::make_shared<RowsRun>(rows, shape);
}

std::shared_ptr<const Run> map_run(std::shared_ptr<const storage::ColumnFile> file, std::uint64_t first, const RunShape& shape) {
  const RunRecord record = file->column<RunRecord>(first, 1)[0];
  file->verify(first);
  if (record.kind == RunRecord::kind_halves && shape.words == 1) return std::make_shared<HalfRun>(std::move(file), first);
  if (record.kind != RunRecord::kind_rows) file->damaged("has a run of an unknown kind");
  return std::make_shared<RowsRun>(std::move(file), first, shape.words);
}

}  // namespace leitong::hamming
