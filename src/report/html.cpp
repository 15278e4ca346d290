#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace leitong::report {
namespace {

constexpr char32_t replacement = 0xFFFD;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The character at the beginning of a text that is not empty, and its bytes; U+FFFD and one byte for what is no UTF-8.
struct Character {
  char32_t code;
  std::size_t bytes;
};

Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xC2 && lead < 0xE0 ? 2 : 0;
  if (length == 0 || text.size() < length) return {replacement, 1};
  char32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return {replacement, 1};
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {replacement, 1};
  return {code, length};
}

bool turns_direction(char32_t c) {
  return c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

void append_utf8(std::string& out, char32_t c) {  // of the three-byte range only
  out += static_cast<char>(0xE0U | (c >> 12));
  out += static_cast<char>(0x80U | ((c >> 6) & 0x3FU));
  out += static_cast<char>(0x80U | (c & 0x3FU));
}

// Continues a word of a script that is written with spaces; roughly, for places to cut only.
bool joins_word(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= 0xC0 && c < 0x2000);
}

bool is_letter(char32_t c) {
  if (c < 0x2000) return joins_word(c);
  const bool punctuation = c < 0x2070 || (c >= 0x3000 && c < 0x3005) || (c >= 0x3008 && c < 0x3021) || (c >= 0xFF00 && c < 0xFF10) ||
                           (c >= 0xFF1A && c < 0xFF21) || (c >= 0xFF3B && c < 0xFF41) || (c >= 0xFF5B && c < 0xFF66);
  return !punctuation;
}

// Belongs to the character before it.
bool is_attached(char32_t c) {
  return (c >= 0x300 && c < 0x370) || c == 0xE31 || (c >= 0xE34 && c < 0xE3B) || (c >= 0xE47 && c < 0xE4F) || c == 0x200D ||
         (c >= 0x20D0 && c < 0x2100) || (c >= 0xFE00 && c < 0xFE10) || (c >= 0x1F3FB && c < 0x1F400);
}

constexpr std::size_t longest_word = 40;  // characters, for places to cut only

// Where the character before a place begins.
std::size_t before(std::string_view text, std::size_t at) {
  std::size_t begin = at - 1;
  for (int i = 0; i < 3 && begin > 0 && is_continuation(text[begin]); ++i) --begin;
  return begin;
}

bool is_space(char32_t c) { return c <= ' ' || c == 0x3000; }

// Of a script that is written without spaces.
bool is_unspaced(char32_t c) {  // Thai and Lao, Burmese, Khmer; Chinese and what comes with it
  return (c >= 0xE00 && c < 0xF00) || (c >= 0x1000 && c < 0x10A0) || (c >= 0x1780 && c < 0x1800) || c >= 0x2E80;
}

// Whether a cut at a place between two characters leaves words and characters whole.
bool may_cut(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size()) return true;
  const char32_t left = decode(text.substr(before(text, at))).code, right = decode(text.substr(at)).code;
  if (is_attached(right) || left == 0x200D) return false;
  return is_space(left) || is_space(right) || is_unspaced(left) || is_unspaced(right);
}

bool append_escaped(std::string& out, char32_t c) {
  switch (c) {
    case '<':
      out += "&lt;";
      return true;
    case '>':
      out += "&gt;";
      return true;
    case '&':
      out += "&amp;";
      return true;
    case '"':
      out += "&quot;";
      return true;
    case '\'':
      out += "&#39;";
      return true;
    default:
      return false;
  }
}

}  // namespace

void append_text(std::string& out, std::string_view utf8, bool mark_line_ends) {
  while (!utf8.empty()) {
    const auto [code, bytes] = decode(utf8);
    if (code == '\n') {
      out += mark_line_ends ? "<span class=\"ctl\">↵</span>\n" : "\n";
    } else if (code == '\r' && utf8.size() > 1 && utf8[1] == '\n' && !mark_line_ends) {
      // half of a line end, which the other half shows
    } else if (turns_direction(code) || (is_control(code) && code != '\t')) {
      fmt::format_to(std::back_inserter(out), "<span class=\"ctl\">U+{:04X}</span>", static_cast<unsigned>(code));
    } else if (code == replacement) {
      append_utf8(out, replacement);
    } else if (!append_escaped(out, code)) {
      out.append(utf8.substr(0, bytes));
    }
    utf8.remove_prefix(bytes);
  }
}

std::string text_html(std::string_view utf8) {
  std::string out;
  append_text(out, utf8);
  return out;
}

std::string attribute_html(std::string_view utf8) {
  std::string out;
  while (!utf8.empty()) {
    const auto [code, bytes] = decode(utf8);
    if (code == '\n' || code == '\r' || code == '\t') {
      out += ' ';
    } else if (is_control(code) || turns_direction(code) || code == replacement) {
      append_utf8(out, replacement);
    } else if (!append_escaped(out, code)) {
      out.append(utf8.substr(0, bytes));
    }
    utf8.remove_prefix(bytes);
  }
  return out;
}

std::size_t head_bytes(std::string_view utf8, std::size_t characters) {
  std::size_t at = 0;
  for (; characters > 0 && at < utf8.size(); --characters) at += decode(utf8.substr(at)).bytes;
  return at;
}

std::size_t word_end(std::string_view utf8, std::size_t at) {
  at = std::min(at, utf8.size());
  while (at > 0 && at < utf8.size() && is_continuation(utf8[at])) --at;
  std::size_t cut = at;
  for (std::size_t steps = 0; steps < longest_word && cut > 0; ++steps, cut = before(utf8, cut))
    if (may_cut(utf8, cut)) return cut;
  while (at > 0 && at < utf8.size() && is_attached(decode(utf8.substr(at)).code)) at = before(utf8, at);
  return at;
}

std::size_t word_begin(std::string_view utf8, std::size_t at) {
  at = std::min(at, utf8.size());
  while (at < utf8.size() && is_continuation(utf8[at])) ++at;
  std::size_t cut = at;
  for (std::size_t steps = 0; steps < longest_word && cut < utf8.size(); ++steps, cut += decode(utf8.substr(cut)).bytes)
    if (may_cut(utf8, cut)) return cut;
  return at;
}

namespace {

// Up to the word that ends before `end`, with an ellipsis.
std::string cut_off(std::string_view utf8, std::size_t end) {
  if (end >= utf8.size()) return std::string(utf8);
  end = word_end(utf8, end);
  while (end > 0 && (utf8[end - 1] == ' ' || utf8[end - 1] == '\n' || utf8[end - 1] == '\t')) --end;
  return std::string(utf8.substr(0, end)) + "…";
}

}  // namespace

std::size_t cut_after(std::string_view utf8, std::size_t letters) {
  std::size_t at = 0;
  while (at < utf8.size()) {
    const auto [code, bytes] = decode(utf8.substr(at));
    if (letters == 0 && !joins_word(code)) break;
    if (letters > 0 && is_letter(code)) --letters;
    at += bytes;
  }
  return at;
}

std::size_t cut_before(std::string_view utf8, std::size_t letters) {
  std::size_t at = utf8.size();
  while (at > 0) {
    const std::size_t begin = before(utf8, at);
    const char32_t code = decode(utf8.substr(begin)).code;
    if (letters == 0 && !joins_word(code)) break;
    if (letters > 0 && is_letter(code)) --letters;
    at = begin;
  }
  return at;
}

std::size_t letter_count(std::string_view utf8) {
  std::size_t count = 0;
  while (!utf8.empty()) {
    const auto [code, bytes] = decode(utf8);
    count += static_cast<std::size_t>(is_letter(code));
    utf8.remove_prefix(bytes);
  }
  return count;
}

std::string shortened(std::string_view utf8, std::size_t characters) { return cut_off(utf8, head_bytes(utf8, characters)); }

std::string fitted(std::string_view utf8, std::size_t columns) {
  constexpr char32_t first_wide = 0x1100;  // Hangul; from there on nearly all is wide
  std::size_t end = 0;
  for (std::size_t used = 0; end < utf8.size();) {
    const auto [code, bytes] = decode(utf8.substr(end));
    used += code < first_wide || (code >= 0x2000 && code < 0x2E80) ? 1 : 2;
    if (used > columns) break;
    end += bytes;
  }
  return cut_off(utf8, end);
}

}  // namespace leitong::report
