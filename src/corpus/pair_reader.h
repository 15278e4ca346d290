// The rows of a pair or edge file: in order, one block of them in memory, or a single one by search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "corpus/stages.h"
#include "storage/table.h"

namespace leitong::corpus {

struct PairRow {
  std::uint32_t a = 0, b = 0;
  PairKind kind = PairKind::equal;
  float value = 0;
};

// Calls visit(PairRow) for every row, ascending by (a, b); `before_block` before each block. Throws Error(format) for a row that names no
// row of the `rows` of its sketch files.
void for_each_pair(const storage::TableReader& table, std::uint64_t rows, const std::function<void()>& before_block,
                   const std::function<void(const PairRow&)>& visit);

// The row of the pair a < b. Reads as many blocks as the binary logarithm of their number.
[[nodiscard]] std::optional<PairRow> find_pair(const storage::TableReader& table, std::uint32_t a, std::uint32_t b);

}  // namespace leitong::corpus
