#include "similarity/measures.h"

#include <algorithm>
#include <cstddef>

namespace leitong::similarity {

double Overlap::jaccard() const {
  const std::uint64_t all = a + b - common;
  return all == 0 ? 0.0 : static_cast<double>(common) / static_cast<double>(all);
}

double Overlap::containment() const {
  const std::uint64_t smaller = std::min(a, b);
  return smaller == 0 ? 0.0 : static_cast<double>(common) / static_cast<double>(smaller);
}

namespace {

template <typename Number>
Overlap overlap_of(std::span<const Number> a, std::span<const Number> b) {
  std::uint64_t common = 0;
  const Number* x = a.data();
  const Number* y = b.data();
  const Number* const x_end = x + a.size();
  const Number* const y_end = y + b.size();
  while (x != x_end && y != y_end) {  // the only branch; the outcome of the comparison is random and must not become one
    const Number u = *x;
    const Number v = *y;
    common += static_cast<std::uint64_t>(u == v);
    x += static_cast<std::ptrdiff_t>(u <= v);
    y += static_cast<std::ptrdiff_t>(v <= u);
  }
  return {common, a.size(), b.size()};
}

}  // namespace

Overlap overlap(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) { return overlap_of(a, b); }
Overlap overlap(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) { return overlap_of(a, b); }

}  // namespace leitong::similarity
