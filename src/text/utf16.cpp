#include "text/utf16.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace leitong::text {
namespace {

constexpr char16_t replacement = 0xFFFD;

bool continues(unsigned char c) { return (c & 0xC0U) == 0x80; }

struct Character {
  char32_t point;
  std::size_t bytes;
};

// The character at `at`, which is not ASCII; an invalid part is U+FFFD.
Character wide_character(std::string_view s, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(at + i < s.size() ? s[at + i] : 0); };
  const unsigned char first = byte(0);
  if (first < 0xC2 || first > 0xF4) return {replacement, 1};
  if (!continues(byte(1))) return {replacement, 1};
  if (first < 0xE0) return {static_cast<char32_t>((first & 31U) << 6 | (byte(1) & 63U)), 2};
  if (first < 0xF0) {
    if (first == 0xE0 && byte(1) < 0xA0) return {replacement, 1};
    if (!continues(byte(2))) return {replacement, 2};
    return {static_cast<char32_t>((first & 15U) << 12 | (byte(1) & 63U) << 6 | (byte(2) & 63U)), 3};
  }
  if ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) return {replacement, 1};
  if (!continues(byte(2))) return {replacement, 2};
  if (!continues(byte(3))) return {replacement, 3};
  return {static_cast<char32_t>((first & 7U) << 18 | (byte(1) & 63U) << 12 | (byte(2) & 63U) << 6 | (byte(3) & 63U)), 4};
}

bool is_pair(char16_t high, char16_t low) { return (high & 0xFC00) == 0xD800 && (low & 0xFC00) == 0xDC00; }

// Units of ASCII characters and, from U+0800 on, of characters of three bytes, while enough bytes follow to read many at once.
void plain_characters(std::string_view s, std::size_t& at, char16_t*& to) {
  const char* from = s.data() + at;
  const char* const end = s.data() + s.size();
  while (end - from >= 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, 8);
    if ((bytes & 0x8080808080808080U) == 0) {
      for (std::size_t i = 0; i < 8; ++i) to[i] = static_cast<unsigned char>(from[i]);
      from += 8;
      to += 8;
      continue;
    }
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(from[i])); };
    if (byte(0) < 0x80) {
      *to++ = static_cast<char16_t>(byte(0));
      ++from;
      continue;
    }
    const std::uint32_t point = (byte(0) & 15U) << 12U | (byte(1) & 63U) << 6U | (byte(2) & 63U);
    if ((byte(0) & 0xF0U) != 0xE0 || (byte(1) & 0xC0U) != 0x80 || (byte(2) & 0xC0U) != 0x80 || point < 0x800) break;
    *to++ = static_cast<char16_t>(point);
    from += 3;
  }
  at = static_cast<std::size_t>(from - s.data());
}

}  // namespace

void append_utf16(std::string_view utf8, std::u16string& out) {
  const std::size_t begin = out.size();
  out.resize(begin + utf8.size());  // never more units than bytes
  char16_t* to = out.data() + begin;
  std::size_t at = 0;
  while (at < utf8.size()) {
    plain_characters(utf8, at, to);
    if (at == utf8.size()) break;
    const auto c = static_cast<unsigned char>(utf8[at]);
    if (c < 0x80) {
      *to++ = c;
      ++at;
      continue;
    }
    const Character wide = wide_character(utf8, at);
    at += wide.bytes;
    if (wide.point < 0x10000) {
      *to++ = static_cast<char16_t>(wide.point);
    } else {
      *to++ = static_cast<char16_t>(0xD7C0 + (wide.point >> 10));
      *to++ = static_cast<char16_t>(0xDC00 + (wide.point & 0x3FF));
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

std::u16string to_utf16(std::string_view utf8) {
  std::u16string out;
  append_utf16(utf8, out);
  return out;
}

void append_utf8(std::u16string_view units, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::uint32_t c = units[i];
    if (c < 0x80) {
      put(c);
    } else if (c < 0x800) {
      put(0xC0 | c >> 6);
      put(0x80 | (c & 63));
    } else if (i + 1 < units.size() && is_pair(units[i], units[i + 1])) {
      const std::uint32_t point = 0x10000 + ((c & 0x3FF) << 10) + (units[++i] & 0x3FFU);
      put(0xF0 | point >> 18);
      put(0x80 | (point >> 12 & 63));
      put(0x80 | (point >> 6 & 63));
      put(0x80 | (point & 63));
    } else {
      put(0xE0 | c >> 12);
      put(0x80 | (c >> 6 & 63));
      put(0x80 | (c & 63));
    }
  }
}

std::string to_utf8(std::u16string_view units) {
  std::string out;
  append_utf8(units, out);
  return out;
}

std::string without_surrogates(std::string_view utf8) {
  std::string text(utf8);
  for (std::size_t at = text.find('\xED'); at != std::string::npos; at = text.find('\xED', at + 1))
    if (at + 2 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xA0 && static_cast<unsigned char>(text[at + 1]) < 0xC0)
      text.replace(at, 3, "\xEF\xBF\xBD");
  return text;
}

}  // namespace leitong::text
