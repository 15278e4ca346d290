// Numbers to what a person reads: thousands separated, shares with one decimal, bytes with a unit. The same on every machine (no locale).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace leitong::report {

[[nodiscard]] std::string count_text(std::uint64_t n);                          // 1,234,567
[[nodiscard]] std::string share_text(std::uint64_t part, std::uint64_t whole);  // 36.9 %, < 0.1 %, > 99.9 %; whole 0: 0 %
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);                      // 999 B, 1.2 kB, 34 MB
[[nodiscard]] std::string ratio_text(double value);                             // 0.934; below 1 it never reads 1.000
// "1 group", "2 groups"
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view one, std::string_view many);

}  // namespace leitong::report
