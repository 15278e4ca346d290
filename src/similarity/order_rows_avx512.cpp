// Rows of the table of a longest common subsequence, eight words at a time. Twin: order_rows_portable.cpp.

#if defined(__AVX512VBMI2__)
#include <immintrin.h>

#include "similarity/order_rows.h"

namespace leitong::similarity {

// Eight words are added each for itself. A word passes a carry on if it overflowed, or if it is all ones and receives one: as numbers of
// eight bits, added to the words that are all ones, the carries run through these and flip the bits of all words that receive one.
void order_rows_avx512(const OrderRows& rows) noexcept {
  const __m512i ones = _mm512_set1_epi64(-1);
  for (size_t i = 0; i < rows.count; ++i) {
    if (rows.numbers[i] == 0) continue;
    const uint64_t* const matches = rows.masks + rows.numbers[i] * rows.words;
    unsigned carry = 0;
    for (size_t w = rows.first; w < rows.end; w += 8) {
      const __m512i word = _mm512_loadu_si512(rows.row + w), columns = _mm512_loadu_si512(matches + w);
      const __m512i sum = _mm512_add_epi64(word, _mm512_and_si512(word, columns));
      const unsigned overflowed = _mm512_cmplt_epu64_mask(sum, word), full = _mm512_cmpeq_epi64_mask(sum, ones);
      const unsigned carries = (overflowed << 1 | carry) + full;
      carry = carries >> 8;
      const __m512i whole = _mm512_mask_sub_epi64(sum, static_cast<__mmask8>(carries ^ full), sum, ones);
      // sum | (word & ~columns)
      _mm512_storeu_si512(rows.row + w, _mm512_ternarylogic_epi64(whole, word, columns, 0xF4));
    }
  }
}

}  // namespace leitong::similarity
#endif
