// The text of a page: white space collapsed, character references decoded, a line a block.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/entities.h"

namespace leitong::text {

inline bool is_html_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }

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
      while (at != end && !is_html_space(*at) && *at != '&') ++at;
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
