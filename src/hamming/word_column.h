// One 64-bit word of each of many fingerprints, where it stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace leitong::hamming {

struct WordColumn {
  const std::uint64_t* first = nullptr;  // of row 0
  std::size_t rows = 0;
  unsigned stride = 1;  // words from row to row

  WordColumn() = default;
  WordColumn(std::span<const std::uint64_t> values, unsigned words = 1, unsigned word = 0)
      : first(values.data() + (values.empty() ? 0 : word)), rows(values.size() / words), stride(words) {}
  [[nodiscard]] std::uint64_t operator[](std::size_t row) const noexcept { return first[row * stride]; }
};

}  // namespace leitong::hamming
