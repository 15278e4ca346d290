#include "similarity/term_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace leitong::similarity {
namespace {

std::size_t run_end(std::span<const std::uint64_t> sorted, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < sorted.size() && sorted[end] == sorted[begin]) ++end;
  return end;
}

// Whole numbers, and exact: a text below 4 GiB has fewer than 2^31 tokens.
struct Sums {
  std::uint64_t a_squares = 0, b_squares = 0, products = 0, difference_squares = 0;
  std::uint64_t common = 0, distinct = 0;

  void add(std::uint64_t x, std::uint64_t y) {
    a_squares += x * x;
    b_squares += y * y;
    products += x * y;
    const std::uint64_t difference = x > y ? x - y : y - x;
    difference_squares += difference * difference;
    common += x != 0 && y != 0 ? 1 : 0;
    ++distinct;
  }
};

Sums sums(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  Sums sums;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool in_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const bool in_b = i == a.size() || (j < b.size() && b[j] <= a[i]);
    const std::size_t a_end = in_a ? run_end(a, i) : i;
    const std::size_t b_end = in_b ? run_end(b, j) : j;
    sums.add(a_end - i, b_end - j);
    i = a_end;
    j = b_end;
  }
  return sums;
}

}  // namespace

TermMeasures term_measures(std::vector<std::uint64_t> a, std::vector<std::uint64_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const Sums s = sums(a, b);
  TermMeasures result;
  if (s.distinct == 0) return {1, 1, 0, 0};
  result.jaccard = static_cast<double>(s.common) / static_cast<double>(s.distinct);
  if (!a.empty() && !b.empty()) {  // the root of the product, not the product of roots: of equal vectors it is exact
    const double lengths = std::sqrt(static_cast<double>(s.a_squares) * static_cast<double>(s.b_squares));
    result.cosine = std::min(1.0, static_cast<double>(s.products) / lengths);
  }
  result.euclid = std::sqrt(static_cast<double>(s.difference_squares));
  result.unit_euclid = std::sqrt(2 - 2 * result.cosine);
  return result;
}

}  // namespace leitong::similarity
