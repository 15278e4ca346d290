// Rows of the table of a longest common subsequence, a word at a time.
#include "similarity/order_rows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace leitong::similarity {
namespace {

#if defined(__x86_64__)
using Word = unsigned long long;  // what the intrinsic takes
// sum = a + b + carry; returns the carry out.
inline unsigned char add_with_carry(unsigned char carry, Word a, Word b, Word& sum) { return _addcarry_u64(carry, a, b, &sum); }
#else
using Word = uint64_t;
inline unsigned char add_with_carry(unsigned char carry, Word a, Word b, Word& sum) {
  const Word without = a + b;
  sum = without + carry;
  return static_cast<unsigned char>((without < a ? 1 : 0) | (sum < without ? 1 : 0));
}
#endif

}  // namespace

void order_rows_portable(const OrderRows& rows) noexcept {
  for (size_t i = 0; i < rows.count; ++i) {
    if (rows.numbers[i] == 0) continue;
    const uint64_t* const matches = rows.masks + rows.numbers[i] * rows.words;
    unsigned char carry = 0;
    for (size_t w = rows.first; w < rows.end; ++w) {
      const Word word = rows.row[w], match = word & matches[w];
      Word sum;
      carry = add_with_carry(carry, word, match, sum);
      rows.row[w] = sum | (word ^ match);
    }
  }
}

}  // namespace leitong::similarity
