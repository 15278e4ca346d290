// The word hashes of the articles' Java programs. All of them read UTF-16 units.
#pragma once

#include <cstdint>
#include <string_view>

#include "java/java_string.h"
#include "text/fnv.h"

namespace leitong::java {

__extension__ typedef unsigned __int128 Uint128;

// The "Python 2" hash, modulo the width of Word (32, 64 or 128 bits).
template <typename Word>
[[nodiscard]] constexpr Word python2_hash(std::u16string_view word) {
  if (word.empty()) return 0;
  Word x = static_cast<Word>(word[0]) << 7;
  for (const char16_t c : word) x = (x * 1000003U) ^ c;
  return x ^ static_cast<Word>(word.size());
}

// Program A's variant of it; 0 for a blank word.
[[nodiscard]] inline std::uint64_t length_profile_hash(std::u16string_view word) {
  if (word.empty() || (java_is_whitespace(word[0]) && java_is_blank(word))) return 0;
  std::uint64_t x = std::uint64_t{word[0]} << 12;
  for (const char16_t c : word) x = (x * 1000003U) ^ c;
  return x ^ word.size();
}

// Program A's weight of a word, by its length in units and its first unit; 0 for a blank word, which is left out.
[[nodiscard]] inline std::uint32_t length_profile_weight(std::u16string_view word) {
  if (word.empty() || (java_is_whitespace(word[0]) && java_is_blank(word))) return 0;
  if (word.size() == 1) return 1;
  const std::uint32_t two = word[0] >= 0x3040 ? 8 : 2;
  return word.size() == 2 ? two : 2 * two;
}

// Program B's takes in a whole unit at each step.
[[nodiscard]] constexpr std::uint64_t fnv1a_units(std::u16string_view word) { return text::fnv1a(word); }

}  // namespace leitong::java
