// Runs of plain bytes found 64 at a time: comparisons give masks. Twin: scan_portable.cpp.

#if defined(__AVX512VBMI2__)

#include <immintrin.h>

#include "text/scan_body.h"

namespace leitong::text {
namespace {

inline __m512i all(unsigned char c) { return _mm512_set1_epi8(static_cast<char>(c)); }
inline __m512i load(const unsigned char* in) { return _mm512_loadu_si512(in); }

inline Mask between(__m512i v, unsigned char first, unsigned char last) {
  return _mm512_cmple_epu8_mask(_mm512_sub_epi8(v, all(first)), all(static_cast<unsigned char>(last - first)));
}

// A table of sixteen bytes, in each of the four parts that a shuffle looks into.
struct Table {
  alignas(64) unsigned char of[64] = {};

  constexpr void set(unsigned at, unsigned bits) {
    for (unsigned part = 0; part < 64; part += 16) of[part + at] = static_cast<unsigned char>(of[part + at] | bits);
  }
  [[nodiscard]] __m512i look_up(__m512i at) const { return _mm512_shuffle_epi8(_mm512_load_si512(of), at); }
};

// By the lower four bits: the one mid that ends with them, and which kind it is.
constexpr unsigned char between_letters = 1, between_digits = 2;
struct Mids {
  Table bytes, kinds;

  constexpr Mids() {
    add('\'', between_letters | between_digits);
    add('.', between_letters | between_digits);
    add(':', between_letters);
    add(',', between_digits);
    add(';', between_digits);
  }
  constexpr void add(char mid, unsigned kind) {
    bytes.set(static_cast<unsigned>(mid) & 15, static_cast<unsigned>(mid));
    kinds.set(static_cast<unsigned>(mid) & 15, kind);
  }
};
constexpr Mids mids;

// Bits of the lead byte, the second and the third byte: a character of wide.h has one bit set in all three. Bits 0 and 1 are for
// E3 80 (third byte 8x, 9x), 2 to 4 for EF BC (8x, 9x, A0), 5 to 7 for E2 80 (8x, 9x, Ax).
struct WideTables {
  Table lead, low, high;

  constexpr WideTables() {
    lead.set(3, 0x03);
    lead.set(15, 0x1C);
    lead.set(2, 0xE0);
    constexpr unsigned rows[4] = {1U | 4U | 32U, 2U | 8U | 64U, 16U | 128U, 0U};
    for (unsigned third = 0x80; third < 0xC0; ++third) {
      unsigned bits = 0;
      if (wide_class(0xE3, 0x80, third) != Wide::hard) bits |= 3;
      if (wide_class(0xEF, 0xBC, third) != Wide::hard) bits |= 0x1C;
      if (wide_class(0xE2, 0x80, third) != Wide::hard) bits |= 0xE0;
      low.set(third & 15, bits & rows[third >> 4 & 3]);
      high.set(third >> 4, rows[third >> 4 & 3]);
    }
  }
};
constexpr WideTables wide_tables;

inline __m512i low_nibbles(__m512i v) { return _mm512_and_si512(v, all(15)); }
inline __m512i high_nibbles(__m512i v) { return low_nibbles(_mm512_srli_epi16(v, 4)); }

struct Places {
  alignas(64) unsigned char of[64] = {};
  constexpr Places() {
    for (unsigned i = 0; i < 64; ++i) of[i] = static_cast<unsigned char>(i);
  }
};
constexpr Places places;

// The places of the bits, in order, one a byte.
inline __m512i places_of(Mask bits) { return _mm512_maskz_compress_epi8(bits, _mm512_load_si512(places.of)); }
inline __m512i widened(__m128i sixteen, __m512i base) { return _mm512_add_epi32(_mm512_cvtepu8_epi32(sixteen), base); }

struct Avx512 {
  static std::size_t write_bits(Mask bits, std::uint32_t base, std::uint32_t* to) {
    const auto count = static_cast<std::size_t>(_mm_popcnt_u64(bits));
    const __m512i found = places_of(bits), bases = _mm512_set1_epi32(static_cast<int>(base));
    _mm512_storeu_si512(to, widened(_mm512_castsi512_si128(found), bases));
    if (count > 16) {  // rare in prose: words are longer than three bytes
      _mm512_storeu_si512(to + 16, widened(_mm512_extracti32x4_epi32(found, 1), bases));
      _mm512_storeu_si512(to + 32, widened(_mm512_extracti32x4_epi32(found, 2), bases));
      _mm512_storeu_si512(to + 48, widened(_mm512_extracti32x4_epi32(found, 3), bases));
    }
    return count;
  }

  // No two of the bits are less than three apart, so that there are 22 at most.
  static std::size_t write_threes(Mask bits, std::uint32_t base, std::uint32_t* to, std::uint32_t* ends) {
    const __m512i found = places_of(bits), bases = _mm512_set1_epi32(static_cast<int>(base)), three = _mm512_set1_epi32(3);
    const __m512i first = widened(_mm512_castsi512_si128(found), bases);
    const __m512i rest = widened(_mm512_extracti32x4_epi32(found, 1), bases);
    _mm512_storeu_si512(to, first);
    _mm512_storeu_si512(ends, _mm512_add_epi32(first, three));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 16), _mm512_castsi512_si256(rest));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(ends + 16), _mm512_castsi512_si256(_mm512_add_epi32(rest, three)));
    return static_cast<std::size_t>(_mm_popcnt_u64(bits));
  }

  static AsciiMasks copy(const unsigned char* in, unsigned char* out) {
    const __m512i bytes = load(in);
    const Mask letter = between(_mm512_or_si512(bytes, all(0x20)), 'a', 'z');
    _mm512_storeu_si512(out, _mm512_mask_blend_epi8(letter, bytes, _mm512_or_si512(bytes, all(0x20))));
    const Mask mid = _mm512_cmpeq_epi8_mask(mids.bytes.look_up(bytes), bytes);
    const __m512i kind = mids.kinds.look_up(bytes);
    AsciiMasks m;
    m.letter = letter;
    m.digit = between(bytes, '0', '9');
    m.underscore = _mm512_cmpeq_epi8_mask(bytes, all('_'));
    m.mid_letter = _mm512_mask_test_epi8_mask(mid, kind, all(between_letters));
    m.mid_num = _mm512_mask_test_epi8_mask(mid, kind, all(between_digits));
    m.wide = _mm512_movepi8_mask(bytes);
    return m;
  }

  static WideMasks wide(const unsigned char* in) {
    const __m512i v0 = load(in), v1 = load(in + 1), v2 = load(in + 2);
    const __m512i tail_end = all(0xC0);  // signed: what is below are the tails
    const Mask tails = _mm512_mask_cmplt_epi8_mask(_mm512_cmplt_epi8_mask(v1, tail_end), v2, tail_end);
    const Mask early = _mm512_mask_cmplt_epi8_mask(_mm512_cmpeq_epi8_mask(v0, all(0xE4)), v1, all(0xB8));
    const __m512i first =
        _mm512_maskz_shuffle_epi8(_mm512_cmpge_epu8_mask(v0, all(0xE0)), _mm512_load_si512(wide_tables.lead.of), low_nibbles(v0));
    const __m512i second = _mm512_or_si512(_mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(v1, all(0x80)), all(0xE3)),
                                           _mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(v1, all(0xBC)), all(0x1C)));
    const __m512i third = _mm512_and_si512(wide_tables.low.look_up(low_nibbles(v2)), wide_tables.high.look_up(high_nibbles(v2)));
    return {between(v0, 0xE4, 0xE9) & tails & ~early, _mm512_test_epi8_mask(_mm512_and_si512(first, second), third)};
  }
};

}  // namespace

ScanStop scan_avx512(Scan& scan) { return scan_blocks<Avx512>(scan); }

}  // namespace leitong::text

#endif
