// UTF-8 by the character: WHATWG's decoder, in which every maximal invalid part is one U+FFFD.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::text {

inline constexpr char32_t replacement = 0xFFFD;

struct Decoded {
  char32_t value = 0;
  unsigned size = 0;  // bytes of the input, 1..4
  bool valid = true;
};

// The character at `at`, which must be inside.
inline Decoded decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {replacement, 1, false};
  const unsigned size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte alone rules out overlong forms, surrogates and what is beyond U+10FFFF.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (at + 1 >= text.size() || byte(at + 1) < low || byte(at + 1) > high) return {replacement, 1, false};
  char32_t value = (lead & (0x7FU >> size)) << 6 | (byte(at + 1) & 0x3F);
  for (unsigned i = 2; i < size; ++i) {
    if (at + i >= text.size() || (byte(at + i) & 0xC0) != 0x80) return {replacement, i, false};
    value = value << 6 | (byte(at + i) & 0x3F);
  }
  return {value, size, true};
}

// Writes 1 to 4 bytes and returns the place after them; `c` must be a Unicode scalar value.
inline char* encode_utf8(char32_t c, char* out) {
  const auto put = [&](char32_t byte) { *out++ = static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
  return out;
}

inline void append_utf8(char32_t c, std::string& out) {
  char buffer[4];
  out.append(buffer, encode_utf8(c, buffer));
}

}  // namespace leitong::text
