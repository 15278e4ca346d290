// The distances and search blocks of the articles' Java programs. Where Java throws, these throw Error (usage) naming the exception.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "java/java_hash.h"

namespace leitong::java {

using JavaString = std::optional<std::u16string_view>;  // nothing is null

// getDistance of 000 and 004: places that differ, -1 for different lengths; a null throws.
[[nodiscard]] std::int32_t java_get_distance(JavaString a, JavaString b);
// hammingDistance of 001: the same, but a null gives `for_null` (-1 in the service class, 0 in the standalone ones).
[[nodiscard]] std::int32_t java_hamming_distance(JavaString a, JavaString b, std::int32_t for_null);
// hammingDistance of 004: bits that differ.
[[nodiscard]] std::int32_t java_hamming_distance(Uint128 a, Uint128 b);

// subByDistance of 000: blocks of hash_bits / (distance + 1) units of a bit string, the first unit of a block being its highest digit;
// what is left over is dropped. Throws for a distance of -1, for blocks of no bits, and (limit) if a block has more than 128.
[[nodiscard]] std::vector<Uint128> java_blocks(std::u16string_view bits, std::int32_t hash_bits, std::int32_t distance);
// subByDistance of 004, `self.subByDistance(other, distance)`: reads only as many bits of `other` as `self` has without leading zeros.
[[nodiscard]] std::vector<Uint128> java_blocks(Uint128 self, Uint128 other, std::int32_t hash_bits, std::int32_t distance);

}  // namespace leitong::java
