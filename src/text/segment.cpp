#include "text/segment.h"

#include <cstddef>
#include <span>

#include "text/unicode_tables.h"

namespace leitong::text {
namespace {

using unicode::GraphemeBreak;
using unicode::Properties;
using unicode::WordBreak;

bool is_newline(WordBreak w) { return w == WordBreak::cr || w == WordBreak::lf || w == WordBreak::newline; }
bool is_ignored(WordBreak w) { return w == WordBreak::extend || w == WordBreak::format || w == WordBreak::zwj; }
bool is_ahletter(WordBreak w) { return w == WordBreak::aletter || w == WordBreak::hebrew_letter; }
bool is_mid_num_let_q(WordBreak w) { return w == WordBreak::mid_num_let || w == WordBreak::single_quote; }

// WB4: the first class at or after `i` that is not ignored; the end of the text counts as other.
WordBreak class_after(std::span<const char32_t> points, std::size_t i) {
  for (; i < points.size(); ++i) {
    const WordBreak w = Properties(points[i]).word_break();
    if (!is_ignored(w)) return w;
  }
  return WordBreak::other;
}

// Rules WB5 to WB13b for classes a2 a | b, ignored characters left out, `next()` the class after b.
template <typename Next>
bool joins(WordBreak a2, WordBreak a, WordBreak b, Next next) {
  const bool letters = is_ahletter(a) && is_ahletter(b);
  if (letters) return true;  // WB5
  if (is_ahletter(a)) {
    if ((b == WordBreak::mid_letter || is_mid_num_let_q(b)) && is_ahletter(next())) return true;                           // WB6
    if (a == WordBreak::hebrew_letter && b == WordBreak::single_quote) return true;                                        // WB7a
    if (a == WordBreak::hebrew_letter && b == WordBreak::double_quote && next() == WordBreak::hebrew_letter) return true;  // WB7b
    if (b == WordBreak::numeric) return true;                                                                              // WB9
  }
  if (is_ahletter(b)) {
    if ((a == WordBreak::mid_letter || is_mid_num_let_q(a)) && is_ahletter(a2)) return true;                           // WB7
    if (b == WordBreak::hebrew_letter && a == WordBreak::double_quote && a2 == WordBreak::hebrew_letter) return true;  // WB7c
    if (a == WordBreak::numeric) return true;                                                                          // WB10
  }
  if (b == WordBreak::numeric) {
    if (a == WordBreak::numeric) return true;                                                       // WB8
    if ((a == WordBreak::mid_num || is_mid_num_let_q(a)) && a2 == WordBreak::numeric) return true;  // WB11
  }
  if (a == WordBreak::numeric && (b == WordBreak::mid_num || is_mid_num_let_q(b)) && next() == WordBreak::numeric) return true;  // WB12
  if (a == WordBreak::katakana && b == WordBreak::katakana) return true;                                                         // WB13
  const bool a_word = is_ahletter(a) || a == WordBreak::numeric || a == WordBreak::katakana || a == WordBreak::extend_num_let;
  const bool b_word = is_ahletter(b) || b == WordBreak::numeric || b == WordBreak::katakana;
  if (a_word && b == WordBreak::extend_num_let) return true;  // WB13a
  return a == WordBreak::extend_num_let && b_word;            // WB13b
}

}  // namespace

std::size_t word_end(std::span<const char32_t> points, std::size_t begin) {
  WordBreak a2 = WordBreak::other, a = Properties(points[begin]).word_break(), previous = a;  // previous: WB4 not applied
  std::size_t indicators = a == WordBreak::regional_indicator ? 1 : 0;
  for (std::size_t i = begin + 1; i < points.size(); ++i) {
    const Properties properties(points[i]);
    const WordBreak b = properties.word_break();
    if (previous == WordBreak::cr && b == WordBreak::lf) {  // WB3
      previous = a = b;
      continue;
    }
    if (is_newline(previous) || is_newline(b)) return i;  // WB3a, WB3b
    if (is_ignored(b)) {                                  // WB4
      previous = b;
      continue;
    }
    bool joined = (previous == WordBreak::zwj && properties.pictographic()) ||        // WB3c
                  (previous == WordBreak::wseg_space && b == WordBreak::wseg_space);  // WB3d
    joined = joined || joins(a2, a, b, [&] { return class_after(points, i + 1); });
    if (b == WordBreak::regional_indicator) {
      joined = joined || (a == WordBreak::regional_indicator && indicators % 2 == 1);  // WB15, WB16
      ++indicators;
    }
    if (!joined) return i;  // WB999
    a2 = a;
    previous = a = b;
  }
  return points.size();
}

std::size_t grapheme_end(std::span<const char32_t> points, std::size_t begin) {
  const Properties first(points[begin]);
  GraphemeBreak a = first.grapheme_break();
  bool pictographic = first.pictographic();  // the text so far ends with ExtPict Extend*
  bool joined_pictographic = false;          // and then a ZWJ
  std::size_t indicators = a == GraphemeBreak::regional_indicator ? 1 : 0;
  for (std::size_t i = begin + 1; i < points.size(); ++i) {
    const Properties properties(points[i]);
    const GraphemeBreak b = properties.grapheme_break();
    const bool a_control = a == GraphemeBreak::cr || a == GraphemeBreak::lf || a == GraphemeBreak::control;
    const bool b_control = b == GraphemeBreak::cr || b == GraphemeBreak::lf || b == GraphemeBreak::control;
    bool joined = false;
    if (a_control || b_control) {
      joined = a == GraphemeBreak::cr && b == GraphemeBreak::lf;  // GB3 to GB5
    } else {
      joined =
          b == GraphemeBreak::extend || b == GraphemeBreak::zwj || b == GraphemeBreak::spacing_mark || a == GraphemeBreak::prepend;  // GB9
      joined = joined || (a == GraphemeBreak::l &&
                          (b == GraphemeBreak::l || b == GraphemeBreak::v || b == GraphemeBreak::lv || b == GraphemeBreak::lvt));    // GB6
      joined = joined || ((a == GraphemeBreak::lv || a == GraphemeBreak::v) && (b == GraphemeBreak::v || b == GraphemeBreak::t));    // GB7
      joined = joined || ((a == GraphemeBreak::lvt || a == GraphemeBreak::t) && b == GraphemeBreak::t);                              // GB8
      joined = joined || (joined_pictographic && properties.pictographic());                                                         // GB11
      joined = joined || (a == GraphemeBreak::regional_indicator && b == GraphemeBreak::regional_indicator && indicators % 2 == 1);  // GB12
    }
    if (!joined) return i;
    joined_pictographic = pictographic && b == GraphemeBreak::zwj;
    pictographic = properties.pictographic() || (pictographic && b == GraphemeBreak::extend);
    if (b == GraphemeBreak::regional_indicator) ++indicators;
    a = b;
  }
  return points.size();
}

}  // namespace leitong::text
