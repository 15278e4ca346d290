// The hot step of reading JSON: how far a string goes on without a quote, a backslash or a control character.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace leitong::records {

// True for the three kinds of bytes at which a run of plain string bytes ends.
[[nodiscard]] inline bool is_string_special(unsigned char c) noexcept { return c == '"' || c == '\\' || c < 0x20; }

// Copies (if `out` is not null) and skips plain string bytes from `in` up to `end`; returns how many. Reads and writes up to 16 bytes
// beyond what it reports, so both buffers need that slack.
[[nodiscard]] inline std::size_t plain_run_portable(const char* in, const char* end, char* out) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  constexpr std::uint64_t highs = 0x8080808080808080ULL;
  const char* p = in;
  while (p < end) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    if (out != nullptr) std::memcpy(out + (p - in), &word, 8);
    const std::uint64_t quote = word ^ (ones * '"');
    const std::uint64_t slash = word ^ (ones * '\\');
    // Zero bytes of the first two, and bytes below 0x20 of the word; false alarms are only possible above a true one, or for none at all.
    const std::uint64_t hit = (((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((word - ones * 0x20) & ~word)) & highs;
    if (hit == 0) {
      p += 8;
      continue;
    }
    while (p < end && !is_string_special(static_cast<unsigned char>(*p))) ++p;
    break;
  }
  return static_cast<std::size_t>((p < end ? p : end) - in);
}

#if defined(__SSE2__)
[[nodiscard]] inline std::size_t plain_run(const char* in, const char* end, char* out) noexcept {
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i slash = _mm_set1_epi8('\\');
  const __m128i control = _mm_set1_epi8(0x1F);
  for (const char* p = in; p < end; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    if (out != nullptr) _mm_storeu_si128(reinterpret_cast<__m128i*>(out + (p - in)), bytes);
    const __m128i special = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)),
                                         _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(special));
    if (mask != 0) {
      p += __builtin_ctz(mask);
      return static_cast<std::size_t>((p < end ? p : end) - in);
    }
  }
  return static_cast<std::size_t>(end - in);
}
#else
[[nodiscard]] inline std::size_t plain_run(const char* in, const char* end, char* out) noexcept { return plain_run_portable(in, end, out); }
#endif

}  // namespace leitong::records
