#include "java/java_distance.h"

#include <bit>
#include <cstddef>
#include <limits>

#include "leitong/error.h"

namespace leitong::java {
namespace {

std::int32_t differing_units(std::u16string_view a, std::u16string_view b) {
  if (a.size() != b.size()) return -1;
  std::int32_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

// hashbits / (distance + 1) in int, where the sum may wrap.
std::int64_t block_size(std::int32_t hash_bits, std::int32_t distance) {
  const std::int64_t blocks =
      distance == std::numeric_limits<std::int32_t>::max() ? std::numeric_limits<std::int32_t>::min() : distance + 1;
  if (blocks == 0)
    throw Error(ErrorCode::usage, "subByDistance with distance -1 divides by zero (java.lang.ArithmeticException); use 0 or more");
  return std::int64_t{hash_bits} / blocks;
}

template <typename BitAt>
std::vector<Uint128> blocks_of(std::size_t count, std::int64_t size, BitAt bit_at) {
  std::vector<Uint128> blocks;
  if (count == 0) return blocks;
  if (size == 0) {
    throw Error(ErrorCode::usage,
                "subByDistance makes more blocks than there are bits (java.lang.ArithmeticException); use a smaller distance");
  }
  Uint128 value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (value >> 127 != 0) throw Error(ErrorCode::limit, "a block of subByDistance has more than 128 bits; use a larger distance");
    value = value << 1 | static_cast<Uint128>(bit_at(i));
    if (static_cast<std::int64_t>(i + 1) % size != 0) continue;  // a negative size divides as its absolute value does
    blocks.push_back(value);
    value = 0;
  }
  return blocks;
}

std::size_t bit_length(Uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64), low = static_cast<std::uint64_t>(value);
  return static_cast<std::size_t>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low));
}

}  // namespace

std::int32_t java_get_distance(JavaString a, JavaString b) {
  if (!a || !b) throw Error(ErrorCode::usage, "getDistance of a missing fingerprint (java.lang.NullPointerException); leave it out");
  return differing_units(*a, *b);
}

std::int32_t java_hamming_distance(JavaString a, JavaString b, std::int32_t for_null) {
  return a && b ? differing_units(*a, *b) : for_null;
}

std::int32_t java_hamming_distance(Uint128 a, Uint128 b) {
  const Uint128 x = a ^ b;
  return std::popcount(static_cast<std::uint64_t>(x >> 64)) + std::popcount(static_cast<std::uint64_t>(x));
}

std::vector<Uint128> java_blocks(std::u16string_view bits, std::int32_t hash_bits, std::int32_t distance) {
  const std::int64_t size = block_size(hash_bits, distance);
  return blocks_of(bits.size(), size, [bits](std::size_t i) { return bits[i] == u'1'; });
}

std::vector<Uint128> java_blocks(Uint128 self, Uint128 other, std::int32_t hash_bits, std::int32_t distance) {
  const std::int64_t size = block_size(hash_bits, distance);
  return blocks_of(bit_length(self), size, [other](std::size_t i) { return (other >> i & 1) != 0; });
}

}  // namespace leitong::java
