// FNV-1a of 64 bits.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace leitong::text {

// Takes in one unit a step: a byte of a std::string_view, which is FNV-1a as it is published, or all of a UTF-16 unit.
template <typename Unit>
[[nodiscard]] constexpr std::uint64_t fnv1a(std::basic_string_view<Unit> units) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const Unit unit : units) hash = (hash ^ static_cast<std::make_unsigned_t<Unit>>(unit)) * 1099511628211ULL;
  return hash;
}

}  // namespace leitong::text
