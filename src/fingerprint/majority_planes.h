// The carry-save majority, written once over four 64-bit lanes and compiled for each instruction set by majority_<isa>.cpp.
//
// Counts of each bit position stand in bit-sliced planes: plane p holds bit p of 256 counters (64 positions × 4 lanes). Sixteen vectors are
// added by a tree of carry-save adders into planes 0..3 and one carry of weight 16, which ripples up. Only the compiler's own vector type
// is used: no inline library template may be instantiated in a file that is compiled for one instruction set.
#pragma once

#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi"  // no vector crosses a file

namespace {  // NOLINT(google-build-namespaces): each instruction set has its copy

using Lanes __attribute__((vector_size(32))) = uint64_t;
constexpr int planes = 33;  // counts up to 2^32 a lane

inline void carry_save(Lanes& high, Lanes& low, const Lanes& a, const Lanes& b, const Lanes& c) {
  const Lanes u = a ^ b;
  high = (a & b) | (u & c);
  low = u ^ c;
}

inline Lanes load(const uint64_t* p) {
  Lanes v;
  memcpy(&v, p, sizeof v);
  return v;
}

inline int ripple(Lanes* plane, int from, int top, Lanes carry) {
  for (int p = from; p < top; ++p) {
    const Lanes next = plane[p] & carry;
    plane[p] ^= carry;
    carry = next;
  }
  if (carry[0] | carry[1] | carry[2] | carry[3]) plane[top++] = carry;
  return top;
}

// Number of planes that n vectors of sixteen can fill is found as they fill: `top` planes are in use.
inline int add_all(const uint64_t* h, uint64_t n, Lanes* plane) {
  int top = 4;
  uint64_t i = 0;
  for (; i + 64 <= n; i += 64) {
    Lanes v[16], two[8], four[4], eight[2], sixteen;
    for (int k = 0; k < 16; ++k) v[k] = load(h + i + 4 * k);
    Lanes ones = plane[0], twos = plane[1], fours = plane[2], eights = plane[3];
    for (int k = 0; k < 8; ++k) carry_save(two[k], ones, ones, v[2 * k], v[2 * k + 1]);
    for (int k = 0; k < 4; ++k) carry_save(four[k], twos, twos, two[2 * k], two[2 * k + 1]);
    for (int k = 0; k < 2; ++k) carry_save(eight[k], fours, fours, four[2 * k], four[2 * k + 1]);
    carry_save(sixteen, eights, eights, eight[0], eight[1]);
    plane[0] = ones, plane[1] = twos, plane[2] = fours, plane[3] = eights;
    top = ripple(plane, 4, top, sixteen);
  }
  for (; i + 4 <= n; i += 4) top = ripple(plane, 0, top, load(h + i));
  if (i < n) {
    uint64_t rest[4] = {0, 0, 0, 0};
    for (int k = 0; i + k < n; ++k) rest[k] = h[i + k];
    top = ripple(plane, 0, top, load(rest));
  }
  return top;
}

// Sum of the four lanes' counters, bit-sliced, and its comparison with n / 2: bit j of the result says count[j] > n / 2.
inline uint64_t compare(const Lanes* plane, int top, uint64_t n) {
  uint64_t sum[planes + 2] = {0};
  for (int p = 0; p < top; ++p) sum[p] = plane[p][0];
  for (int lane = 1; lane < 4; ++lane) {
    uint64_t carry = 0;
    for (int p = 0; p < top + 2; ++p) {
      const uint64_t a = sum[p], b = p < top ? plane[p][lane] : 0, u = a ^ b;
      sum[p] = u ^ carry;
      carry = (a & b) | (u & carry);
    }
  }
  const uint64_t half = n / 2;  // count > n / 2 as real numbers is count > floor(n / 2)
  uint64_t greater = 0, equal = ~0ULL;
  for (int p = top + 1; p >= 0; --p) {
    const uint64_t bit = (half >> p & 1) ? ~0ULL : 0;
    greater |= equal & sum[p] & ~bit;
    equal &= ~(sum[p] ^ bit);
  }
  return (half >> (top + 2)) != 0 ? 0 : greater;
}

inline uint64_t majority_of(const uint64_t* hashes, uint64_t n) {
  Lanes plane[planes + 1];
  memset(plane, 0, sizeof plane);
  const int top = add_all(hashes, n, plane);
  return compare(plane, top, n);
}

}  // namespace
