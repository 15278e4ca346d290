// Sorts numbers in memory, in linear time.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

namespace leitong::storage {

// By the 32 bits from bit `first` on, least significant digits first, eleven bits at a time. Stable. Takes as much memory again.
template <typename Number>
void sort_by_digits(std::vector<Number>& numbers, unsigned first) {
  constexpr unsigned digit_bits = 11;
  std::vector<Number> other(numbers.size());
  for (unsigned shift = first; shift < first + 32; shift += digit_bits) {
    const auto digit = [&](Number number) { return number >> shift & ((1U << digit_bits) - 1); };
    std::array<std::size_t, (1U << digit_bits) + 1> begins{};
    for (const Number number : numbers) ++begins[digit(number) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (const Number number : numbers) other[begins[digit(number)]++] = number;
    numbers.swap(other);
  }
}

}  // namespace leitong::storage
