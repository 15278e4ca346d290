// How far apart the sketches of two rows are, in plain C++.

#include <bit>

#include "candidates/pair_distance.h"

namespace leitong::candidates {
namespace {

// Pairs ahead whose rows are fetched: rows of a group lie anywhere in memory.
constexpr std::size_t look_ahead = 12;

void prefetch_row(const std::uint64_t* row, unsigned words) noexcept {
  __builtin_prefetch(row);
  __builtin_prefetch(row + words - 1);  // the row may begin in one cache line and end in the next
}

template <unsigned word_count>
void distances(const std::uint64_t* bits, unsigned words, const RowPair* pairs, std::size_t count, std::uint32_t* out) noexcept {
  const std::size_t width = word_count != 0 ? word_count : words;
  for (std::size_t i = 0; i < count; ++i) {
    if (i + look_ahead < count) {
      prefetch_row(bits + pairs[i + look_ahead].a * width, static_cast<unsigned>(width));
      prefetch_row(bits + pairs[i + look_ahead].b * width, static_cast<unsigned>(width));
    }
    const std::uint64_t* x = bits + pairs[i].a * width;
    const std::uint64_t* y = bits + pairs[i].b * width;
    std::uint32_t sum = 0;
    for (std::size_t w = 0; w < width; ++w) sum += static_cast<std::uint32_t>(std::popcount(x[w] ^ y[w]));
    out[i] = sum;
  }
}

}  // namespace

void pair_distances_portable(const std::uint64_t* bits, unsigned words, const RowPair* pairs, std::size_t count,
                             std::uint32_t* out) noexcept {
  if (words == 5)
    distances<5>(bits, words, pairs, count, out);
  else if (words == 4)
    distances<4>(bits, words, pairs, count, out);
  else
    distances<0>(bits, words, pairs, count, out);
}

}  // namespace leitong::candidates
