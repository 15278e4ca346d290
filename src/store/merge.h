// Merges several sources of rows, each sorted by (key, id), into one sorted stream with the newest row of each id.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "store/memtable.h"
#include "store/row.h"
#include "store/run.h"

namespace leitong::store {

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Returns false at the end. Views of `row` are valid as long as the source exists.
  virtual bool next(Row& row) = 0;
};

[[nodiscard]] std::unique_ptr<RowSource> rows_of(std::shared_ptr<const Run> run);
// The newest row of each id among the first `visible` rows.
[[nodiscard]] std::unique_ptr<RowSource> rows_of(std::shared_ptr<const Memtable> table, std::uint32_t visible);
// `sources` must be ordered from the oldest to the newest. With `drop_erased`, erasing rows are left out.
[[nodiscard]] std::unique_ptr<RowSource> merged(std::vector<std::unique_ptr<RowSource>> sources, bool drop_erased);

}  // namespace leitong::store
