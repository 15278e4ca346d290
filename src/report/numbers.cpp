#include "report/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace leitong::report {

std::string count_text(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  constexpr std::string_view sign = "\u00A0%";
  if (whole == 0 || part == 0) return fmt::format("0{}", sign);
  if (part == whole) return fmt::format("100{}", sign);
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (percent < 0.1) return fmt::format("<\u00A00.1{}", sign);
  if (percent > 99.9) return fmt::format(">\u00A099.9{}", sign);
  return fmt::format("{:.1f}{}", percent, sign);
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{}\u00A0B", bytes);
  constexpr std::array<const char*, 6> units{"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
  return value < 9.95 ? fmt::format("{:.1f}\u00A0{}", value, units[unit]) : fmt::format("{:.0f}\u00A0{}", value, units[unit]);
}

std::string ratio_text(double value) {
  if (value < 1) value = std::min(value, 0.999);
  return fmt::format("{:.3f}", value);
}

std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{}\u00A0{}", count_text(n), n == 1 ? one : many);
}

}  // namespace leitong::report
