// Sorts numbers in memory, in linear time.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace leitong::storage {

// By `digits` times `digit_bits` bits from bit `first` on, least significant digits first. Stable. `other` has the same size; returns which
// of both holds the result.
template <unsigned digit_bits, typename Number>
std::span<Number> sort_by_digits(std::span<Number> numbers, std::span<Number> other, unsigned first, unsigned digits) {
  for (unsigned shift = first; digits > 0; --digits, shift += digit_bits) {
    const auto digit = [&](Number number) { return number >> shift & ((1U << digit_bits) - 1); };
    std::array<std::size_t, (1U << digit_bits) + 1> begins{};
    for (const Number number : numbers) ++begins[digit(number) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (const Number number : numbers) other[begins[digit(number)]++] = number;
    std::swap(numbers, other);
  }
  return numbers;
}

// By the 32 bits from bit `first` on. Stable. Takes as much memory again.
template <typename Number>
void sort_by_digits(std::vector<Number>& numbers, unsigned first) {
  std::vector<Number> other(numbers.size());
  static_cast<void>(sort_by_digits<11>(std::span(numbers), std::span(other), first, 3));
  numbers.swap(other);  // after an odd number of digits
}

}  // namespace leitong::storage
