// The fast path's kernel: copies text in lower case and finds tokens, 64 bytes at a time, up to the first character that it does not know.
// It knows ASCII, Han from U+4E00 to U+9FFF and the punctuation of wide.h. The kernels of different instruction sets give the same.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong::text {

enum class ScanStop : std::uint8_t {
  end,   // `in` reached `in_end`
  hard,  // `in` stands at a character that the kernel does not know, or on an incomplete or invalid one
  full,  // `begun` went over `limit`; call again
};

struct Scan {
  const unsigned char* in;       // 66 bytes must be readable from every place before in_end
  const unsigned char* in_end;   // `in` may pass it by up to 63 bytes
  unsigned char* out;            // mirrors `in`; 64 bytes must be writable from every place that mirrors one before in_end
  std::uint32_t out_at;          // what token bounds call `out`
  std::uint32_t *begins, *ends;  // bounds of tokens; room for limit + 136 each
  std::size_t begun, ended;      // how many of either are written; at most one token is open
  std::size_t limit;
  const std::uint16_t* simplified;  // simplified_han(), or null
  bool underscores;                 // set when one was seen: tokens of nothing else must then be dropped by the caller
  // What the last character was: a letter, a digit, of an ASCII word, of any token (bits).
  std::uint64_t after_letter, after_digit, after_word, after_token;
};

using ScanFunction = ScanStop (*)(Scan&);

ScanStop scan_portable(Scan& scan);
ScanStop scan_avx2(Scan& scan);    // x86-64 only
ScanStop scan_avx512(Scan& scan);  // x86-64 only

}  // namespace leitong::text
