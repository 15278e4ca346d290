#include "hamming/scatter.h"

namespace leitong::hamming {
namespace {

// Rows are taken in small groups: first all cursors of a group are moved, then its rows are written. Row by row, the next cursor is loaded
// while the address of the row before is not yet known, and the processor often has to take that load back: twice as slow at 256 parts.
constexpr std::size_t kGroup = 4;

template <typename Number>
void scatter_numbered(const std::uint64_t* values, std::size_t n, const BitField digit, Number number, std::uint32_t* cursors,
                      std::uint64_t* out_values, std::uint32_t* out_ids) noexcept {
  std::size_t i = 0;
  for (; i + kGroup <= n; i += kGroup) {
    const std::uint32_t p0 = cursors[digit.of(values[i])]++;
    const std::uint32_t p1 = cursors[digit.of(values[i + 1])]++;
    const std::uint32_t p2 = cursors[digit.of(values[i + 2])]++;
    const std::uint32_t p3 = cursors[digit.of(values[i + 3])]++;
    out_values[p0] = values[i];
    out_values[p1] = values[i + 1];
    out_values[p2] = values[i + 2];
    out_values[p3] = values[i + 3];
    out_ids[p0] = number(i);
    out_ids[p1] = number(i + 1);
    out_ids[p2] = number(i + 2);
    out_ids[p3] = number(i + 3);
  }
  for (; i < n; ++i) {
    const std::uint32_t p = cursors[digit.of(values[i])]++;
    out_values[p] = values[i];
    out_ids[p] = number(i);
  }
}

}  // namespace

void count_digit(const std::uint64_t* values, std::size_t n, const BitField& digit, std::uint32_t* counts) noexcept {
  const BitField d = digit;  // a copy: stores through `counts` might otherwise change it
  for (std::size_t i = 0; i < n; ++i) ++counts[d.of(values[i])];
}

void scatter_rows(const std::uint64_t* values, const std::uint32_t* ids, std::uint32_t first_id, std::size_t n, const BitField& digit,
                  std::uint32_t* cursors, std::uint64_t* out_values, std::uint32_t* out_ids) noexcept {
  if (ids == nullptr) {
    scatter_numbered(
        values, n, digit, [=](std::size_t i) { return static_cast<std::uint32_t>(first_id + i); }, cursors, out_values, out_ids);
  } else {
    scatter_numbered(values, n, digit, [=](std::size_t i) { return ids[i]; }, cursors, out_values, out_ids);
  }
}

}  // namespace leitong::hamming
