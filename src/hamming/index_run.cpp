#include "hamming/index_run.h"

#include "hamming/index_half_run.h"
#include "hamming/index_rows_run.h"

namespace leitong::hamming {
namespace {

constexpr std::uint64_t kMostCompared = 512;  // rows of a word that are sooner compared than looked up

}  // namespace

std::shared_ptr<const Run> make_run(const RunRows& rows, const RunShape& shape) {
  if (shape.words == 1 && rows.values.size() > kMostCompared) return std::make_shared<HalfRun>(rows, shape.threads);
  return std::make_shared<RowsRun>(rows, shape);
}

std::shared_ptr<const Run> map_run(std::shared_ptr<const storage::ColumnFile> file, std::uint64_t first, const RunShape& shape) {
  const RunRecord record = file->column<RunRecord>(first, 1)[0];
  file->verify(first);
  if (record.kind == RunRecord::kHalves && shape.words == 1) return std::make_shared<HalfRun>(std::move(file), first);
  if (record.kind != RunRecord::kRows) file->damaged("has a run of an unknown kind");
  return std::make_shared<RowsRun>(std::move(file), first, shape.words);
}

}  // namespace leitong::hamming
