// Rows of the table of a longest common subsequence, 64 columns a word (Hyyrö 2004): written once for each instruction set by
// order_rows_<isa>.cpp. Plain data and functions only.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace leitong::similarity {

struct OrderRows {
  static constexpr size_t padding = 8;  // words

  // A bit of the row is 0 where the length grows by one with that column. Words [first, end) are brought forward; up to `padding` words
  // behind `end` may be read and changed, to what they would be if `end` stood there. They do not change what stands before them.
  uint64_t* row;
  size_t first, end;
  // Of token number k the columns that hold it begin at masks + k * words, `padding` words more than words * numbers are readable. Number 0
  // stands nowhere.
  const uint64_t* masks;
  size_t words;
  const uint32_t* numbers;  // one a row of the table
  size_t count;
};

using OrderRowsFunction = void (*)(const OrderRows& rows) noexcept;
void order_rows_portable(const OrderRows& rows) noexcept;
void order_rows_avx512(const OrderRows& rows) noexcept;  // x86-64 only

}  // namespace leitong::similarity
