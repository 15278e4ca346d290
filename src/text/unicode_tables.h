// The Unicode 15.0 properties that text needs, as two-stage tables (a block number by the upper bits, a value by the lower 7).
// unicode_tables.cpp is written by generate_unicode.py; the enumerations here have the order that the generator uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong::text::unicode {

enum class WordBreak : std::uint8_t {
  other,
  cr,
  lf,
  newline,
  extend,
  zwj,
  format,
  regional_indicator,
  katakana,
  hebrew_letter,
  aletter,
  single_quote,
  double_quote,
  mid_num_let,
  mid_letter,
  mid_num,
  numeric,
  extend_num_let,
  wseg_space,
};

enum class GraphemeBreak : std::uint8_t {
  other,
  cr,
  lf,
  control,
  extend,
  zwj,
  regional_indicator,
  prepend,
  spacing_mark,
  l,
  v,
  t,
  lv,
  lvt
};

// What NFKC_Casefold makes of one code point taken alone: decomposed (before composition) and composed, both in normal_pool.
struct NormalRecord {
  std::uint16_t decomposed, composed;
  std::uint8_t decomposed_size, composed_size;
  std::uint8_t identity;         // it stays itself; the sizes are then 0 and mean nothing
  std::uint8_t boundary_before;  // nothing before it can reorder or compose with it
};

struct Composition {
  std::uint64_t pair;  // first << 32 | second
  char32_t composite;
};

struct Simplification {
  char32_t traditional, simplified;
};

extern const std::uint16_t property_first[], property_second[], ccc_first[], normal_first[], normal_second[];
extern const std::uint8_t ccc_second[];
extern const NormalRecord normal_records[];  // record 0: itself, a starter, a boundary before it
extern const char32_t normal_pool[];
extern const Composition compositions[];  // sorted; Hangul is computed instead
extern const std::size_t composition_count;
extern const Simplification simplifications[];  // sorted
extern const std::size_t simplification_count;

// All properties of one code point that segmentation asks for.
class Properties {
 public:
  explicit Properties(char32_t c) : bits_(property_second[static_cast<std::size_t>(property_first[c >> 7]) << 7 | (c & 127)]) {}
  [[nodiscard]] WordBreak word_break() const { return static_cast<WordBreak>(bits_ & 31); }
  [[nodiscard]] GraphemeBreak grapheme_break() const { return static_cast<GraphemeBreak>(bits_ >> 5 & 15); }
  [[nodiscard]] bool pictographic() const { return (bits_ >> 9 & 1) != 0; }      // Extended_Pictographic
  [[nodiscard]] bool letter_or_digit() const { return (bits_ >> 10 & 1) != 0; }  // General_Category L* or N*
  // A letter or digit of the scripts in which a word is not found by spaces: Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer, Myanmar.
  [[nodiscard]] bool single() const { return (bits_ >> 11 & 1) != 0; }

 private:
  std::uint16_t bits_;
};

inline std::uint8_t combining_class(char32_t c) { return ccc_second[static_cast<std::size_t>(ccc_first[c >> 7]) << 7 | (c & 127)]; }

inline const NormalRecord& normal_record(char32_t c) {
  return normal_records[normal_second[static_cast<std::size_t>(normal_first[c >> 7]) << 7 | (c & 127)]];
}

}  // namespace leitong::text::unicode
