// The text of a page: white space collapsed, character references decoded, a line a block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/entities.h"

namespace leitong::text {

// What a character of markup is, as bits: one look at a table for each instead of up to seven comparisons.
enum MarkupClass : std::uint8_t { markup_space = 1, markup_tag_end = 2, markup_equals = 4, markup_reference = 8 };

inline constexpr auto markup_classes = [] {
  std::array<std::uint8_t, 256> classes{};
  for (const char c : {' ', '\n', '\t', '\r', '\f'}) classes[static_cast<unsigned char>(c)] = markup_space;
  classes['/'] = classes['>'] = markup_tag_end;
  classes['='] = markup_equals;
  classes['&'] = markup_reference;
  return classes;
}();

inline bool is_any_of(char c, unsigned classes) { return (markup_classes[static_cast<unsigned char>(c)] & classes) != 0; }
inline bool is_html_space(char c) { return is_any_of(c, markup_space); }

// Appends to a string that somebody else owns.
class HtmlLines {
 public:
  explicit HtmlLines(std::string& out) : out_(out) {}

  void block() { line_ = true; }
  void space() { space_ = true; }

  void text(std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
      const char* word = at;
      while (at != end && !is_any_of(*at, markup_space | markup_reference)) ++at;
      if (at != word) {
        separate();
        out_.append(word, static_cast<std::size_t>(at - word));
      }
      if (at == end) return;
      if (*at == '&') {
        separate();
        at += append_reference({at, static_cast<std::size_t>(end - at)}, out_);
      } else {
        space_ = true;
        ++at;
      }
    }
  }

  // White space kept; CR LF and CR are line ends.
  void preformatted(std::string_view text, bool references) {
    if (text.empty()) return;
    separate();
    for (std::size_t i = 0; i < text.size();) {
      if (text[i] == '&' && references) {
        i += append_reference(text.substr(i), out_);
        continue;
      }
      const bool crlf = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
      if (!crlf) out_ += text[i] == '\r' ? '\n' : text[i];
      ++i;
    }
  }

  void raw(std::string_view text) {
    if (text.empty()) return;
    separate();
    out_.append(text);
  }

 private:
  void separate() {
    if ((line_ || space_) && !out_.empty() && out_.back() != '\n') {
      if (line_) {
        out_ += '\n';
      } else if (out_.back() != ' ') {
        out_ += ' ';
      }
    }
    line_ = space_ = false;
  }

  std::string& out_;
  bool line_ = false, space_ = false;
};

}  // namespace leitong::text
