#include "oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace bench_hamming {
namespace {

template <unsigned Words>
unsigned distance_between(const std::uint64_t* a, const std::uint64_t* b) {
  unsigned bits = 0;
  for (unsigned w = 0; w < Words; ++w) bits += static_cast<unsigned>(std::popcount(a[w] ^ b[w]));
  return bits;
}

// visit(i, distance) for the rows begin … end within k bits of `row`. Sixteen rows at a time, one branch for all of them.
template <unsigned Words, typename Visit>
void scan_rows(const std::uint64_t* row, const std::uint64_t* values, std::size_t begin, std::size_t end, unsigned k, const Visit& visit) {
  std::size_t i = begin;
  for (; i + 16 <= end; i += 16) {
    unsigned near = 0;
    for (unsigned j = 0; j < 16; ++j) near |= static_cast<unsigned>(distance_between<Words>(row, values + (i + j) * Words) <= k) << j;
    for (; near != 0; near &= near - 1) {
      const std::size_t at = i + static_cast<unsigned>(std::countr_zero(near));
      visit(at, distance_between<Words>(row, values + at * Words));
    }
  }
  for (; i < end; ++i) {
    const unsigned distance = distance_between<Words>(row, values + i * Words);
    if (distance <= k) visit(i, distance);
  }
}

template <typename Visit>
void scan(const std::uint64_t* row, std::span<const std::uint64_t> values, std::size_t begin, unsigned words, unsigned k,
          const Visit& visit) {
  const std::size_t end = values.size() / words;
  if (words == 1) return scan_rows<1>(row, values.data(), begin, end, k, visit);
  if (words == 2) return scan_rows<2>(row, values.data(), begin, end, k, visit);
  scan_rows<4>(row, values.data(), begin, end, k, visit);
}

using Mask = std::array<std::uint64_t, 4>;
using Entry = std::uint64_t;  // hashed key in the upper half, row in the lower

std::vector<Mask> cut_blocks(unsigned words, unsigned blocks) {
  std::vector<Mask> masks(blocks, Mask{});
  const unsigned bits = 64 * words;
  for (unsigned bit = 0; bit < bits; ++bit) masks[bit * blocks / bits][bit / 64] |= std::uint64_t{1} << (bit % 64);
  return masks;
}

class SortedTables {
 public:
  SortedTables(const Problem& problem, const PairVisitor& visit)
      : problem_(problem),
        visit_(visit),
        blocks_(cut_blocks(problem.words, problem.k + 3)),
        entries_(problem.rows()),
        other_(problem.rows()) {}

  void run() {
    const auto blocks = static_cast<unsigned>(blocks_.size());
    for (unsigned i = 0; i < blocks; ++i)
      for (unsigned j = i + 1; j < blocks; ++j)
        for (unsigned l = j + 1; l < blocks; ++l) one_table({i, j, l});
  }

 private:
  using Three = std::array<unsigned, 3>;

  [[nodiscard]] const std::uint64_t* row(std::size_t i) const { return &problem_.values[i * problem_.words]; }

  void one_table(const Three& three) {
    Mask mask{};
    for (const unsigned block : three)
      for (unsigned w = 0; w < problem_.words; ++w) mask[w] |= blocks_[block][w];
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      std::uint64_t hash = 0;
      for (unsigned w = 0; w < problem_.words; ++w) hash = Random::mix(hash + (row(i)[w] & mask[w]));
      entries_[i] = (hash >> 32 << 32) | i;
    }
    for (const unsigned shift : {32U, 43U, 54U}) sort_pass(shift);
    for (std::size_t begin = 0, end = 0; begin < entries_.size(); begin = end) {
      for (end = begin + 1; end < entries_.size() && entries_[end] >> 32 == entries_[begin] >> 32;) ++end;
      if (end - begin > 1) group(begin, end, three);
    }
  }

  void sort_pass(unsigned shift) {
    std::array<std::size_t, 2048> starts{};
    for (const Entry e : entries_) ++starts[(e >> shift) & 2047];
    std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), std::size_t{0});
    for (const Entry e : entries_) other_[starts[(e >> shift) & 2047]++] = e;
    entries_.swap(other_);
  }

  void group(std::size_t begin, std::size_t end, const Three& three) {
    near_.clear();  // copied: values of a group stand all over the memory
    for (std::size_t i = begin; i < end; ++i)
      near_.insert(near_.end(), row(entries_[i] & UINT32_MAX), row(entries_[i] & UINT32_MAX) + problem_.words);
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t* const a = &near_[(i - begin) * problem_.words];
      scan(a, near_, i - begin + 1, problem_.words, problem_.k, [&](std::size_t at, unsigned distance) {
        if (first_agreeing(a, &near_[at * problem_.words]) == three)
          give(entries_[i] & UINT32_MAX, entries_[begin + at] & UINT32_MAX, distance);
      });
    }
  }

  [[nodiscard]] Three first_agreeing(const std::uint64_t* a, const std::uint64_t* b) const {
    Three three{UINT32_MAX, UINT32_MAX, UINT32_MAX};
    std::size_t found = 0;
    for (unsigned block = 0; block < blocks_.size() && found < 3; ++block) {
      std::uint64_t differs = 0;
      for (unsigned w = 0; w < problem_.words; ++w) differs |= (a[w] ^ b[w]) & blocks_[block][w];
      if (differs == 0) three[found++] = block;
    }
    return three;
  }

  void give(std::uint64_t a, std::uint64_t b, unsigned distance) {
    if (a > b) std::swap(a, b);
    const auto left = problem_.left_rows;
    if (left > 0 && (a >= left || b < left)) return;
    visit_(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b - left), distance);
  }

  const Problem& problem_;
  const PairVisitor& visit_;
  std::vector<Mask> blocks_;
  std::vector<Entry> entries_, other_;
  Values near_{};
};

}  // namespace

unsigned distance_of(const std::uint64_t* a, const std::uint64_t* b, unsigned words) {
  return words == 1 ? distance_between<1>(a, b) : words == 2 ? distance_between<2>(a, b) : distance_between<4>(a, b);
}

Tally every_pair(const Problem& problem) {
  Tally tally;
  const std::size_t left = problem.left_rows;
  for (std::size_t a = 0; a < (left > 0 ? left : problem.rows()); ++a)
    scan(&problem.values[a * problem.words], problem.values, left > 0 ? left : a + 1, problem.words, problem.k,
         [&](std::size_t b, unsigned distance) { tally.add(a, b - left, distance); });
  return tally;
}

void sorted_tables(const Problem& problem, const PairVisitor& visit) { SortedTables(problem, visit).run(); }

Tally sorted_tables(const Problem& problem) {
  Tally tally;
  sorted_tables(problem, [&](std::uint32_t a, std::uint32_t b, unsigned distance) { tally.add(a, b, distance); });
  return tally;
}

Distinct distinct_rows(std::span<const std::uint64_t> values, unsigned words) {
  struct Place {
    std::uint64_t first_word;  // most rows are told apart without another look at the values
    std::uint32_t row;
  };
  const auto row = [&](std::uint32_t i) { return values.subspan(std::size_t{i} * words, words); };
  std::vector<Place> order(values.size() / words);
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = {row(i)[0], i};
  std::ranges::sort(order, [&](const Place& a, const Place& b) {
    if (a.first_word != b.first_word) return a.first_word < b.first_word;
    for (unsigned w = 1; w < words; ++w)
      if (row(a.row)[w] != row(b.row)[w]) return row(a.row)[w] < row(b.row)[w];
    return a.row < b.row;
  });
  Distinct distinct;
  distinct.class_of_row.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto value = row(order[i].row);
    if (i == 0 || !std::ranges::equal(value, row(order[i - 1].row))) {
      distinct.values.insert(distinct.values.end(), value.begin(), value.end());
      distinct.first_row.push_back(order[i].row);
      distinct.size.push_back(0);
    }
    ++distinct.size.back();
    distinct.class_of_row[order[i].row] = static_cast<std::uint32_t>(distinct.size.size() - 1);
  }
  return distinct;
}

std::uint64_t count_by_classes(const Distinct& distinct, unsigned words, unsigned k) {
  std::uint64_t count = 0;
  for (const std::uint64_t m : distinct.size) count += m * (m - 1) / 2;
  sorted_tables({distinct.values, words, k},
                [&](std::uint32_t a, std::uint32_t b, unsigned) { count += std::uint64_t{distinct.size[a]} * distinct.size[b]; });
  return count;
}

std::vector<std::uint32_t> clusters_by_classes(const Distinct& distinct, unsigned words, unsigned k) {
  std::vector<std::uint32_t> parent(distinct.size.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](std::uint32_t c) {
    for (; parent[c] != c; c = parent[c]) parent[c] = parent[parent[c]];
    return c;
  };
  sorted_tables({distinct.values, words, k}, [&](std::uint32_t a, std::uint32_t b, unsigned) {
    const std::uint32_t x = root(a), y = root(b);
    if (x != y) parent[distinct.first_row[x] < distinct.first_row[y] ? y : x] = distinct.first_row[x] < distinct.first_row[y] ? x : y;
  });
  std::vector<std::uint32_t> clusters(distinct.class_of_row.size());
  for (std::size_t i = 0; i < clusters.size(); ++i) clusters[i] = distinct.first_row[root(distinct.class_of_row[i])];
  return clusters;
}

RowSample::RowSample(const Problem& problem, std::size_t about)
    : stride_(static_cast<std::uint32_t>(std::max<std::size_t>(problem.rows() / about / 10 * 10, 10))) {
  for (std::size_t row = 0; row < problem.rows(); row += stride_, ++size_)
    scan(&problem.values[row * problem.words], problem.values, 0, problem.words, problem.k, [&](std::size_t other, unsigned distance) {
      if (other == row || (other % stride_ == 0 && other < row)) return;
      expected_.add(std::min(row, other), std::max(row, other), distance);
    });
}

std::string RowSample::how() const { return fmt::format("{} pairs of {} rows, each compared with every row", expected_.count, size_); }

Tally scan_queries(std::span<const std::uint64_t> rows, std::span<const std::uint64_t> queries, unsigned words, unsigned k) {
  Tally tally;
  for (std::size_t q = 0; q < queries.size() / words; ++q)
    scan(&queries[q * words], rows, 0, words, k, [&](std::size_t row, unsigned distance) { tally.add(q, row, distance); });
  return tally;
}

}  // namespace bench_hamming
