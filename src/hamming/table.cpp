#include "hamming/table.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace leitong::hamming {
namespace {

// The loops work on local copies: stores through the pointers might otherwise change what the references show.
template <unsigned Words>
void count_words(const Rows& rows, const Digit& digit, std::uint32_t* counts) noexcept {
  const std::uint64_t mask = digit.mask;
  const unsigned shift = digit.shift;
  const unsigned word = digit.word;
  const std::uint64_t* row = rows.values;
  for (const std::uint64_t* end = row + std::size_t{rows.n} * Words; row != end; row += Words) ++counts[(row[word] >> shift) & mask];
}

template <unsigned Words, bool Numbered>
void scatter_words(const Rows& rows, const Digit& digit, std::uint32_t* cursors, std::uint64_t* values, std::uint32_t* ids) noexcept {
  const std::uint64_t mask = digit.mask;
  const unsigned shift = digit.shift, word = digit.word;
  const std::uint64_t* row = rows.values;
  const std::uint32_t* old_ids = rows.ids;
  const std::uint32_t n = rows.n, first_id = rows.first_id;
  const auto put = [&](std::uint32_t i, std::uint32_t place) {
    const std::uint64_t* from = row + std::size_t{i} * Words;
    for (unsigned w = 0; w < Words; ++w) values[std::size_t{place} * Words + w] = from[w];
    ids[place] = Numbered ? old_ids[i] : first_id + i;
  };
  const auto next_place = [&](std::uint32_t i) { return cursors[(row[std::size_t{i} * Words + word] >> shift) & mask]++; };
  // Four cursors move before their four rows are written: a cursor that is read again while the row before it is on its way to memory
  // costs more than the row.
  constexpr std::uint32_t group = 4;
  std::uint32_t i = 0;
  for (; i + group <= n; i += group) {
    std::uint32_t places[group];
    for (std::uint32_t j = 0; j < group; ++j) places[j] = next_place(i + j);
    for (std::uint32_t j = 0; j < group; ++j) put(i + j, places[j]);
  }
  for (; i < n; ++i) put(i, next_place(i));
}

template <unsigned Words>
void scatter_any(const Rows& rows, const Digit& digit, std::uint32_t* cursors, std::uint64_t* values, std::uint32_t* ids) noexcept {
  if (rows.ids == nullptr) {
    scatter_words<Words, false>(rows, digit, cursors, values, ids);
  } else {
    scatter_words<Words, true>(rows, digit, cursors, values, ids);
  }
}

template <typename Lane>
void fill_filters(const Rows& rows, unsigned words, const Filter& filter, Lane* out) noexcept {
  const std::uint64_t mask = filter.mask;
  const unsigned shift = filter.shift, word = filter.word;
  const std::uint64_t* row = rows.values;
  for (std::uint32_t i = 0; i < rows.n; ++i, row += words) out[i] = static_cast<Lane>((row[word] >> shift) & mask);
}

constexpr std::size_t readable_bytes = 128;
constexpr std::size_t line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

}  // namespace

void FreePages::operator()(void* p) const noexcept { std::free(p); }

std::unique_ptr<void, FreePages> allocate_pages(std::size_t bytes) {
  const std::size_t unit = bytes >= 2 * huge_page ? huge_page : line;
  const std::size_t size = (bytes + unit - 1) / unit * unit;
  std::unique_ptr<void, FreePages> pages(std::aligned_alloc(unit, std::max(size, unit)));
  if (pages == nullptr) throw std::bad_alloc();
#if defined(__linux__)
  if (unit == huge_page) madvise(pages.get(), size, MADV_HUGEPAGE);  // a hint: refusal changes nothing but speed
#endif
  return pages;
}

void count_digits(const Rows& rows, unsigned words, const Digit& digit, std::uint32_t* counts) noexcept {
  if (words == 1) return count_words<1>(rows, digit, counts);
  if (words == 2) return count_words<2>(rows, digit, counts);
  count_words<4>(rows, digit, counts);
}

void scatter(const Rows& rows, unsigned words, const Digit& digit, std::uint32_t* cursors, std::uint64_t* values,
             std::uint32_t* ids) noexcept {
  if (words == 1) return scatter_any<1>(rows, digit, cursors, values, ids);
  if (words == 2) return scatter_any<2>(rows, digit, cursors, values, ids);
  scatter_any<4>(rows, digit, cursors, values, ids);
}

BitSet varying_bits(const Rows& rows, unsigned words) noexcept {
  BitSet varying;
  const std::uint64_t* row = rows.values;
  for (std::uint32_t i = 0; i < rows.n; ++i, row += words) {
    for (unsigned w = 0; w < words; ++w) varying.word[w] |= row[w] ^ rows.values[w];
  }
  return varying;
}

void Table::reserve(std::uint32_t n, unsigned words, unsigned span) {
  values.reserve(std::size_t{n} * words);
  ids.reserve(n);
  starts.reserve((std::size_t{1} << span) + 1);
}

void Table::fill(const Rows& rows, unsigned words, const Block& block) {
  reserve(rows.n, words, block.span);
  const std::size_t buckets = std::size_t{1} << block.span;
  std::uint32_t* counts = cursors.reserve(buckets);
  std::fill_n(counts, buckets, 0);
  const Digit digit{block.word, block.shift, block.mask};
  count_digits(rows, words, digit, counts);
  std::uint32_t sum = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::uint32_t count = counts[b];
    counts[b] = starts.data()[b] = sum;
    sum += count;
  }
  starts.data()[buckets] = sum;
  scatter(rows, words, digit, counts, values.data(), ids.data());
}

void FilterColumn::reserve(std::uint32_t n) {
  narrow_.reserve(n + readable_bytes / sizeof(std::uint16_t));
  wide_.reserve(n + readable_bytes / sizeof(std::uint32_t));
}

void FilterColumn::fill(const Rows& rows, unsigned words, const Filter& filter, std::uint32_t at) noexcept {
  if (filter.kind == Filter::Kind::bits16) {
    fill_filters(rows, words, filter, narrow_.data() + at);
  } else if (filter.kind == Filter::Kind::bits32) {
    fill_filters(rows, words, filter, wide_.data() + at);
  }
}

const void* FilterColumn::at(const Filter& filter, std::uint32_t row) const noexcept {
  if (filter.kind == Filter::Kind::bits16) return narrow_.data() + row;
  return wide_.data() + row;
}

}  // namespace leitong::hamming
