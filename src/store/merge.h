// Several sources of rows, each in order of (key, id), to one stream in that order with the newest row of each id.
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
  // False at the end. Views of `row` live as long as the source.
  virtual bool next(Row& row) = 0;
};

[[nodiscard]] std::unique_ptr<RowSource> rows_of(std::shared_ptr<const Run> run);
// The newest row of each id among the first `visible`.
[[nodiscard]] std::unique_ptr<RowSource> rows_of(std::shared_ptr<const Memtable> table, std::uint32_t visible);
// `sources` from the oldest to the newest. With `drop_erased`, rows that only erase are left out.
[[nodiscard]] std::unique_ptr<RowSource> merged(std::vector<std::unique_ptr<RowSource>> sources, bool drop_erased);

}  // namespace leitong::store
