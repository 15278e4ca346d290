#include "text/html.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "text/entities.h"

namespace leitong::text {
namespace {

enum class Kind : std::uint8_t {
  inline_element,  // leaves the text as it is
  block,           // on its own line
  cell,            // a space before and after
  pre,             // block, white space kept
  title,           // character data with references; the first one is kept as a line
  textarea,        // the same, kept
  xmp,             // raw text, kept
  dropped,         // raw text, dropped
  hidden,          // its content is parsed and dropped (template)
  plaintext,       // all that follows is text
};

struct Element {
  std::string_view name;
  Kind kind;
};

constexpr std::array elements = std::to_array<Element>({
    {"address", Kind::block},     {"article", Kind::block},
    {"aside", Kind::block},       {"blockquote", Kind::block},
    {"body", Kind::block},        {"br", Kind::block},
    {"caption", Kind::block},     {"center", Kind::block},
    {"dd", Kind::block},          {"details", Kind::block},
    {"dialog", Kind::block},      {"dir", Kind::block},
    {"div", Kind::block},         {"dl", Kind::block},
    {"dt", Kind::block},          {"fieldset", Kind::block},
    {"figcaption", Kind::block},  {"figure", Kind::block},
    {"footer", Kind::block},      {"form", Kind::block},
    {"h1", Kind::block},          {"h2", Kind::block},
    {"h3", Kind::block},          {"h4", Kind::block},
    {"h5", Kind::block},          {"h6", Kind::block},
    {"head", Kind::block},        {"header", Kind::block},
    {"hgroup", Kind::block},      {"hr", Kind::block},
    {"html", Kind::block},        {"iframe", Kind::dropped},
    {"legend", Kind::block},      {"li", Kind::block},
    {"listing", Kind::pre},       {"main", Kind::block},
    {"menu", Kind::block},        {"nav", Kind::block},
    {"noembed", Kind::dropped},   {"noframes", Kind::dropped},
    {"noscript", Kind::dropped},  {"ol", Kind::block},
    {"optgroup", Kind::block},    {"option", Kind::block},
    {"p", Kind::block},           {"plaintext", Kind::plaintext},
    {"pre", Kind::pre},           {"script", Kind::dropped},
    {"section", Kind::block},     {"select", Kind::block},
    {"style", Kind::dropped},     {"summary", Kind::block},
    {"table", Kind::block},       {"tbody", Kind::block},
    {"td", Kind::cell},           {"template", Kind::hidden},
    {"textarea", Kind::textarea}, {"tfoot", Kind::block},
    {"th", Kind::cell},           {"thead", Kind::block},
    {"title", Kind::title},       {"tr", Kind::block},
    {"ul", Kind::block},          {"xmp", Kind::xmp},
});
static_assert(std::is_sorted(elements.begin(), elements.end(), [](const Element& a, const Element& b) { return a.name < b.name; }));
constexpr std::size_t longest_element = 10;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

Kind kind_of(std::string_view name) {
  if (name.size() > longest_element) return Kind::inline_element;
  std::array<char, longest_element> buffer{};
  std::transform(name.begin(), name.end(), buffer.begin(), lower);
  const std::string_view wanted(buffer.data(), name.size());
  const auto* const found =
      std::lower_bound(elements.begin(), elements.end(), wanted, [](const Element& e, std::string_view n) { return e.name < n; });
  return found != elements.end() && found->name == wanted ? found->kind : Kind::inline_element;
}

// The output: white space collapsed, a line a block.
class Lines {
 public:
  explicit Lines(std::string& out) : out_(out) {}

  void block() { line_ = true; }
  void space() { space_ = true; }

  void text(std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
      const char* word = at;
      while (at != end && !is_space(*at) && *at != '&') ++at;
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

class Parser {
 public:
  Parser(std::string_view html, std::string& out) : html_(html), lines_(out) {}

  void run() {
    while (at_ < html_.size()) {
      const std::size_t open = find('<', at_);
      text(html_.substr(at_, open - at_));
      at_ = open;
      if (at_ < html_.size()) markup();
    }
  }

 private:
  [[nodiscard]] std::size_t find(char c, std::size_t from) const {
    if (from >= html_.size()) return html_.size();
    const void* const found = std::memchr(html_.data() + from, c, html_.size() - from);
    return found == nullptr ? html_.size() : static_cast<std::size_t>(static_cast<const char*>(found) - html_.data());
  }
  [[nodiscard]] bool starts(std::size_t at, std::string_view what) const { return html_.compare(at, what.size(), what) == 0; }
  [[nodiscard]] char peek(std::size_t at) const { return at < html_.size() ? html_[at] : '\0'; }
  void skip_past(std::size_t at) { at_ = std::min(at + 1, html_.size()); }

  void text(std::string_view text) {
    if (hidden_ != 0 || text.empty()) return;
    if (pre_ != 0) {
      lines_.preformatted(text, true);
    } else {
      lines_.text(text);
    }
  }

  // What an element puts between the text before and after its tag.
  void separate(Kind kind) {
    if (hidden_ != 0) return;
    if (kind == Kind::cell) lines_.space();
    if (kind == Kind::block || kind == Kind::pre || kind == Kind::plaintext) lines_.block();
  }

  void markup() {
    const char next = peek(at_ + 1);
    if (is_letter(next)) {
      start_tag();
    } else if (next == '/' && is_letter(peek(at_ + 2))) {
      end_tag();
    } else if (next == '!' && starts(at_, "<!--")) {
      comment();
    } else if (next == '!' && starts(at_, "<![CDATA[")) {
      cdata();
    } else if (next == '!' || next == '?' || (next == '/' && at_ + 2 < html_.size())) {
      skip_past(find('>', at_ + 2));  // a document type, a processing instruction, a bogus comment
    } else {
      text("<");
      ++at_;
    }
  }

  // Ends at "-->" or "--!>", and "<!-->" and "<!--->" are whole comments.
  void comment() {
    const std::size_t begin = at_ + 4;
    std::size_t end = find('>', begin);
    for (; end < html_.size(); end = find('>', end + 1)) {
      const std::size_t size = end - begin;
      if (size == 0 || (size == 1 && html_[begin] == '-')) break;
      if (size >= 2 && starts(end - 2, "--")) break;
      if (size >= 3 && starts(end - 3, "--!")) break;
    }
    skip_past(end);
  }

  void cdata() {
    const std::size_t begin = at_ + 9;
    std::size_t end = html_.find("]]>", begin);
    end = end == std::string_view::npos ? html_.size() : end;
    if (hidden_ == 0) lines_.raw(html_.substr(begin, end - begin));
    at_ = std::min(end + 3, html_.size());
  }

  std::string_view tag_name() {
    const std::size_t begin = at_;
    while (at_ < html_.size() && !is_space(html_[at_]) && html_[at_] != '/' && html_[at_] != '>') ++at_;
    return html_.substr(begin, at_ - begin);
  }

  void skip_spaces() {
    while (at_ < html_.size() && is_space(html_[at_])) ++at_;
  }

  // From the end of the tag's name to past its '>'; a '>' in a quoted value does not end the tag.
  void attributes() {
    while (at_ < html_.size()) {
      const char c = html_[at_];
      if (c == '>') break;
      ++at_;  // of a name the first character, whatever it is: even a sign of equality
      if (is_space(c) || c == '/') continue;
      while (at_ < html_.size() && !is_space(html_[at_]) && html_[at_] != '/' && html_[at_] != '>' && html_[at_] != '=') ++at_;
      skip_spaces();
      if (peek(at_) == '=') attribute_value();
    }
    skip_past(at_);
  }

  void attribute_value() {
    ++at_;
    skip_spaces();
    const char quote = peek(at_);
    if (quote == '"' || quote == '\'') {
      skip_past(find(quote, at_ + 1));
      return;
    }
    while (at_ < html_.size() && !is_space(html_[at_]) && html_[at_] != '>') ++at_;
  }

  void start_tag() {
    ++at_;
    const std::string_view name = tag_name();
    const Kind kind = kind_of(name);
    attributes();
    switch (kind) {
      case Kind::inline_element:
        break;
      case Kind::block:
      case Kind::cell:
        separate(kind);
        break;
      case Kind::pre:
        separate(kind);
        ++pre_;
        if (peek(at_) == '\r') ++at_;
        if (peek(at_) == '\n') ++at_;  // the first line end is not content
        break;
      case Kind::title:
      case Kind::textarea:
      case Kind::xmp:
      case Kind::dropped:
        raw_text(name, kind);
        break;
      case Kind::hidden:
        ++hidden_;
        break;
      case Kind::plaintext:
        separate(kind);
        if (hidden_ == 0) lines_.raw(html_.substr(at_));
        at_ = html_.size();
        break;
    }
  }

  void end_tag() {
    at_ += 2;
    const Kind kind = kind_of(tag_name());
    attributes();
    separate(kind);
    if (kind == Kind::pre && pre_ != 0) --pre_;
    if (kind == Kind::hidden && hidden_ != 0) --hidden_;
  }

  // An element whose content is not markup: up to its end tag, or to the end of the page.
  void raw_text(std::string_view name, Kind kind) {
    const std::size_t begin = at_;
    std::size_t end = find('<', begin);
    while (end < html_.size() && !closes(end, name)) end = find('<', end + 1);
    const std::string_view content = html_.substr(begin, end - begin);
    at_ = end;
    if (at_ < html_.size()) {
      at_ += 2 + name.size();
      attributes();
    }
    const bool first_title = kind == Kind::title && !titled_;
    titled_ = titled_ || kind == Kind::title;
    if (hidden_ != 0 || (kind != Kind::textarea && kind != Kind::xmp && !first_title)) return;
    lines_.block();
    if (kind == Kind::xmp) {
      lines_.preformatted(content, false);
    } else {
      lines_.text(content);
    }
    lines_.block();
  }

  [[nodiscard]] bool closes(std::size_t at, std::string_view name) const {
    if (peek(at + 1) != '/' || html_.size() - at < name.size() + 3) return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (lower(html_[at + 2 + i]) != lower(name[i])) return false;
    }
    const char after = html_[at + 2 + name.size()];
    return is_space(after) || after == '/' || after == '>';
  }

  std::string_view html_;
  Lines lines_;
  std::size_t at_ = 0;
  std::size_t pre_ = 0, hidden_ = 0;
  bool titled_ = false;
};

}  // namespace

void html_to_text(std::string_view html, std::string& out) {
  out.clear();
  out.reserve(html.size());
  Parser(html, out).run();
}

}  // namespace leitong::text
