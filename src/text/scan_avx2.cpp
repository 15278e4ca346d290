// Runs of plain bytes found 32 at a time. Twin: scan_portable.cpp.

#if defined(__AVX2__)

#include <immintrin.h>

#include "text/scan_body.h"

namespace leitong::text {
namespace {

inline Mask movemask(__m256i low, __m256i high) {
  return static_cast<Mask>(static_cast<std::uint32_t>(_mm256_movemask_epi8(high))) << 32 |
         static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
}

inline __m256i all(char c) { return _mm256_set1_epi8(c); }
inline __m256i load(const unsigned char* in) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in)); }

// Signed: bytes that are not ASCII are below every bound.
inline __m256i between(__m256i v, char first, char last) {
  return _mm256_and_si256(_mm256_cmpgt_epi8(v, all(static_cast<char>(first - 1))), _mm256_cmpgt_epi8(all(static_cast<char>(last + 1)), v));
}

struct Half {
  __m256i bytes, letter, digit, underscore, mid, mid_kind;
};

inline Half classify(const unsigned char* in, unsigned char* out) {
  // By the lower four bits: the one mid that ends with them, and which kind it is (bit 7: between letters, bit 6: between digits).
  const __m256i mids = _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, -1, '\'', -1, -1, ':', ';', ',', -1, '.', -1,  //
                                        -1, -1, -1, -1, -1, -1, -1, '\'', -1, -1, ':', ';', ',', -1, '.', -1);
  constexpr char both = -64, letters = -128, digits = 64;
  const __m256i kinds = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, both, 0, 0, letters, digits, digits, 0, both, 0,  //
                                         0, 0, 0, 0, 0, 0, 0, both, 0, 0, letters, digits, digits, 0, both, 0);
  Half h;
  h.bytes = load(in);
  h.letter = between(_mm256_or_si256(h.bytes, all(0x20)), 'a', 'z');
  h.digit = between(h.bytes, '0', '9');
  h.underscore = _mm256_cmpeq_epi8(h.bytes, all('_'));
  h.mid = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(mids, h.bytes), h.bytes);
  h.mid_kind = _mm256_and_si256(_mm256_shuffle_epi8(kinds, h.bytes), h.mid);
  const __m256i lower = _mm256_or_si256(h.bytes, _mm256_and_si256(h.letter, all(0x20)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), lower);
  return h;
}

// Bits of the lead byte, the second and the third byte: a character of wide.h has one bit set in all three. Bits 0 and 1 are for
// E3 80 (third byte 8x, 9x), 2 to 4 for EF BC (8x, 9x, A0), 5 to 7 for E2 80 (8x, 9x, Ax).
struct WideTables {
  alignas(16) char lead[16] = {}, low[16] = {}, high[16] = {};

  constexpr WideTables() {
    lead[3] = 0x03;
    lead[15] = 0x1C;
    lead[2] = static_cast<char>(0xE0);
    for (unsigned third = 0x80; third < 0xC0; ++third) {
      const unsigned row = third >> 4 & 3;
      constexpr unsigned rows[4] = {1U | 4U | 32U, 2U | 8U | 64U, 16U | 128U, 0U};
      unsigned bits = 0;
      if (wide_class(0xE3, 0x80, third) != Wide::hard) bits |= 3;
      if (wide_class(0xEF, 0xBC, third) != Wide::hard) bits |= 0x1C;
      if (wide_class(0xE2, 0x80, third) != Wide::hard) bits |= 0xE0;
      low[third & 15] = static_cast<char>(static_cast<unsigned char>(low[third & 15]) | (bits & rows[row]));
      high[third >> 4] = static_cast<char>(rows[row]);
    }
  }
};
constexpr WideTables wide_tables;

inline __m256i table(const char* bytes) { return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(bytes))); }

struct BitPlaces {
  alignas(64) unsigned char of[256][8] = {};

  constexpr BitPlaces() {
    for (unsigned bits = 0; bits < 256; ++bits) {
      unsigned count = 0;
      for (unsigned i = 0; i < 8; ++i) {
        if ((bits >> i & 1) != 0) of[bits][count++] = static_cast<unsigned char>(i);
      }
    }
  }
};
constexpr BitPlaces bit_places;

struct WideHalf {
  __m256i han, unknown;
};

inline WideHalf classify_wide(const unsigned char* in) {
  const __m256i v0 = load(in), v1 = load(in + 1), v2 = load(in + 2);
  const __m256i tail_end = all(static_cast<char>(0xC0)), nibble = all(15);
  const __m256i tails = _mm256_and_si256(_mm256_cmpgt_epi8(tail_end, v1), _mm256_cmpgt_epi8(tail_end, v2));
  const __m256i early =
      _mm256_and_si256(_mm256_cmpeq_epi8(v0, all(static_cast<char>(0xE4))), _mm256_cmpgt_epi8(all(static_cast<char>(0xB8)), v1));
  const __m256i lead = between(v0, static_cast<char>(0xE4), static_cast<char>(0xE9));
  const __m256i first = _mm256_and_si256(_mm256_shuffle_epi8(table(wide_tables.lead), _mm256_and_si256(v0, nibble)),
                                         between(v0, static_cast<char>(0xE0), static_cast<char>(0xEF)));
  const __m256i second =
      _mm256_or_si256(_mm256_and_si256(_mm256_cmpeq_epi8(v1, all(static_cast<char>(0x80))), all(static_cast<char>(0xE3))),
                      _mm256_and_si256(_mm256_cmpeq_epi8(v1, all(static_cast<char>(0xBC))), all(0x1C)));
  const __m256i third = _mm256_and_si256(_mm256_shuffle_epi8(table(wide_tables.low), _mm256_and_si256(v2, nibble)),
                                         _mm256_shuffle_epi8(table(wide_tables.high), _mm256_and_si256(_mm256_srli_epi16(v2, 4), nibble)));
  const __m256i bits = _mm256_and_si256(_mm256_and_si256(first, second), third);
  return {_mm256_andnot_si256(early, _mm256_and_si256(lead, tails)), _mm256_cmpeq_epi8(bits, _mm256_setzero_si256())};
}

struct Avx2 {
  // Eight bits a step by a table of their places: no branch depends on the text, and there are fewer stores than by bit.
  static std::size_t write_bits(Mask bits, std::uint32_t base, std::uint32_t* to) {
    const std::size_t count = static_cast<std::size_t>(_mm_popcnt_u64(bits));
    for (unsigned group = 0; group < 8; ++group) {
      const Mask eight = bits >> 8 * group & 255;
      const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bit_places.of[eight]));
      const __m256i numbers = _mm256_add_epi32(_mm256_cvtepu8_epi32(places), _mm256_set1_epi32(static_cast<int>(base + 8 * group)));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), numbers);
      to += _mm_popcnt_u64(eight);
    }
    return count;
  }

  // No two of the bits are less than three apart, so eight hold three at most.
  static std::size_t write_threes(Mask bits, std::uint32_t base, std::uint32_t* to, std::uint32_t* ends) {
    const std::size_t count = static_cast<std::size_t>(_mm_popcnt_u64(bits));
    for (unsigned group = 0; group < 8; ++group) {
      const Mask eight = bits >> 8 * group & 255;
      const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bit_places.of[eight]));
      const __m128i numbers = _mm_add_epi32(_mm_cvtepu8_epi32(places), _mm_set1_epi32(static_cast<int>(base + 8 * group)));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), numbers);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(ends), _mm_add_epi32(numbers, _mm_set1_epi32(3)));
      const auto written = _mm_popcnt_u64(eight);
      to += written;
      ends += written;
    }
    return count;
  }

  static AsciiMasks copy(const unsigned char* in, unsigned char* out) {
    const Half a = classify(in, out), b = classify(in + 32, out + 32);
    AsciiMasks m;
    m.letter = movemask(a.letter, b.letter);
    m.digit = movemask(a.digit, b.digit);
    m.underscore = movemask(a.underscore, b.underscore);
    m.mid_letter = movemask(a.mid_kind, b.mid_kind);
    m.mid_num = movemask(_mm256_slli_epi16(a.mid_kind, 1), _mm256_slli_epi16(b.mid_kind, 1));
    m.wide = movemask(a.bytes, b.bytes);
    return m;
  }

  static WideMasks wide(const unsigned char* in) {
    const WideHalf a = classify_wide(in), b = classify_wide(in + 32);
    return {movemask(a.han, b.han), ~movemask(a.unknown, b.unknown)};
  }
};

}  // namespace

ScanStop scan_avx2(Scan& scan) { return scan_blocks<Avx2>(scan); }

}  // namespace leitong::text

#endif
