// What a block's text is made of, in one pass.
#include <array>

#include "pages/blocks.h"
#include "text/utf8.h"

namespace leitong::pages {
namespace {

enum Class : std::uint8_t { other, space, small, capital, digit, sentence, comma, symbol, pause };

constexpr std::array<std::uint8_t, 128> classes() {
  std::array<std::uint8_t, 128> c{};
  for (unsigned i = 0; i <= ' '; ++i) c[i] = space;
  for (unsigned i = 'a'; i <= 'z'; ++i) c[i] = small;
  for (unsigned i = 'A'; i <= 'Z'; ++i) c[i] = capital;
  for (unsigned i = '0'; i <= '9'; ++i) c[i] = digit;
  for (const char s : {'.', '!', '?'}) c[static_cast<unsigned>(s)] = sentence;
  c[','] = comma;
  for (const char s : {':', ';'}) c[static_cast<unsigned>(s)] = pause;
  for (const char s : {'|', '/', '>', '<', '*', '+', '='}) c[static_cast<unsigned>(s)] = symbol;
  return c;
}
constexpr auto ascii = classes();

// Scripts written without spaces: each character counts as a word.
bool is_chinese(char32_t c) {
  return (c >= 0x3400 && c <= 0x9FFF) || (c >= 0x3041 && c <= 0x30FF) || (c >= 0x20000 && c <= 0x3FFFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x0E01 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) || (c >= 0x1780 && c <= 0x17FF);
}

std::uint8_t class_beyond_ascii(char32_t c) {
  switch (c) {
    case 0xA0:
    case 0x3000:
      return space;
    case 0x3002:
    case 0xFF01:
    case 0xFF0E:
    case 0xFF1F:
    case 0x2026:
      return sentence;
    case 0xFF0C:
    case 0x3001:
      return comma;
    case 0xFF1A:
    case 0xFF1B:
      return pause;
    case 0xA9:
    case 0xB7:
    case 0xBB:
    case 0xAB:
    case 0x2022:
    case 0x203A:
    case 0x2192:
    case 0xFF5C:
      return symbol;
    default:
      return (c >= 0x2000 && c <= 0x2BFF) || (c >= 0x3000 && c <= 0x303F) || (c >= 0xFF00 && c <= 0xFF0F) ? other : small;
  }
}

class Counter {
 public:
  void add(std::uint8_t kind) {
    ++counts_.characters;
    switch (kind) {
      case space:
        --counts_.characters;
        end_run();
        return;
      case small:
      case capital:
        ++counts_.letters;
        counts_.capitals += kind == capital ? 1U : 0U;
        word(kind == capital ? 2 : 1);
        return;
      case digit:
        ++counts_.digits;
        word(3);
        return;
      case sentence:
        ++counts_.sentences;
        counts_.last = 1;
        return;
      case comma:
        ++counts_.commas;
        counts_.last = 2;
        return;
      case pause:
        counts_.last = 2;
        return;
      case symbol:
        ++counts_.symbols;
        counts_.last = 0;
        return;
      default:
        counts_.last = 0;
    }
  }
  void add_chinese() {
    end_run();
    ++counts_.characters, ++counts_.letters, ++counts_.chinese, ++counts_.words, ++counts_.units;
    begin(4);
    counts_.last = 0;
  }
  TextCounts result() {
    end_run();
    return counts_;
  }

 private:
  void begin(std::uint8_t first) {
    if (!begun_) counts_.first = first;
    begun_ = true;
  }
  void word(std::uint8_t first) {
    begin(first);
    in_run_ = true;
    counts_.last = 0;
  }
  void end_run() {
    counts_.words += in_run_ ? 1U : 0U;
    counts_.units += in_run_ ? 2U : 0U;
    in_run_ = false;
  }

  TextCounts counts_;
  bool in_run_ = false, begun_ = false;
};

}  // namespace

TextCounts count_text(std::string_view utf8) {
  Counter counter;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if (byte < 0x80) {
      counter.add(ascii[byte]);
      ++i;
      continue;
    }
    const text::Decoded c = text::decode_utf8(utf8, i);
    i += c.size;
    if (is_chinese(c.value)) {
      counter.add_chinese();
    } else {
      counter.add(class_beyond_ascii(c.value));
    }
  }
  return counter.result();
}

}  // namespace leitong::pages
