// A page of HTML as events: text, open and close tags, elements of raw text. One pass in the spirit of the HTML standard's tokenizer, no
// tree, nothing kept. Never fails: broken HTML gives the events of what stands in it. Time is linear in the page's size; no recursion.
//
// A Consumer has:
//   void text(std::string_view)               character data, with references; never empty
//   void raw(std::string_view)                character data without references: of a CDATA section, or after <plaintext>
//   void open(const OpenTag&)                 of any element but those of raw text; <pre>'s first line end is not in the text that follows
//   void close(const Element&)
//   void raw_element(const OpenTag&, std::string_view content)  title, textarea, xmp, script, style and the like, closed already
//   static bool wants_attributes(Tag)         whether the attributes of such an element are to be read: skipping them is faster
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "text/html_elements.h"
#include "text/html_lines.h"

namespace leitong::text {

// Values as they stand in the page: references are not decoded. Missing: a null pointer. Of repeated ones the first counts.
struct Attributes {
  std::string_view class_, id, role, itemprop, itemtype, style, lang, name, property, content, href, rel, type, datetime, aria_hidden;
  bool hidden = false;
};

struct OpenTag {
  Element element;
  std::string_view name;                   // as it stands in the page
  bool self_closing = false;               // "/>": of elements of HTML it means nothing, of svg and math that they are empty
  const Attributes* attributes = nullptr;  // null if they were not wanted
};

template <class Consumer>
class HtmlReader {
 public:
  HtmlReader(std::string_view html, Consumer& consumer) : html_(html), to_(consumer) {}

  void run() {
    while (at_ < html_.size()) {
      const std::size_t open = find('<', at_);
      if (open != at_) to_.text(html_.substr(at_, open - at_));
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
  [[nodiscard]] static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  [[nodiscard]] static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
  [[nodiscard]] bool starts(std::size_t at, std::string_view what) const { return html_.compare(at, what.size(), what) == 0; }
  [[nodiscard]] char peek(std::size_t at) const { return at < html_.size() ? html_[at] : '\0'; }
  void skip_past(std::size_t at) { at_ = std::min(at + 1, html_.size()); }

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
      to_.text("<");
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
    if (end > begin) to_.raw(html_.substr(begin, end - begin));
    at_ = std::min(end + 3, html_.size());
  }

  std::string_view tag_name() {
    const std::size_t begin = at_;
    while (at_ < html_.size() && !is_any_of(html_[at_], markup_space | markup_tag_end)) ++at_;
    return html_.substr(begin, at_ - begin);
  }

  void skip_spaces() {
    while (at_ < html_.size() && is_html_space(html_[at_])) ++at_;
  }

  // From the end of the tag's name to past its '>'; a '>' in a quoted value does not end the tag. True: the tag ends in "/>".
  bool attributes(Attributes* wanted) {
    bool slash = false;
    while (at_ < html_.size()) {
      const char c = html_[at_];
      if (c == '>') break;
      const std::size_t begin = at_++;  // of a name the first character, whatever it is: even a sign of equality
      if (is_html_space(c)) continue;
      slash = c == '/';
      if (slash) continue;
      while (at_ < html_.size() && !is_any_of(html_[at_], markup_space | markup_tag_end | markup_equals)) ++at_;
      const std::string_view name = html_.substr(begin, at_ - begin);
      skip_spaces();
      const std::string_view value = peek(at_) == '=' ? attribute_value() : std::string_view("", 0);
      if (wanted != nullptr) keep(name, value, *wanted);
    }
    skip_past(at_);
    return slash;
  }

  std::string_view attribute_value() {
    ++at_;
    skip_spaces();
    const char quote = peek(at_);
    if (quote == '"' || quote == '\'') {
      const std::size_t begin = at_ + 1, end = find(quote, begin);
      skip_past(end);
      return html_.substr(std::min(begin, html_.size()), end - std::min(begin, end));
    }
    const std::size_t begin = at_;
    while (at_ < html_.size() && !is_html_space(html_[at_]) && html_[at_] != '>') ++at_;
    return html_.substr(begin, at_ - begin);
  }

  static bool is(std::string_view name, std::string_view lower_case) {
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (lower(name[i]) != lower_case[i]) return false;
    }
    return true;
  }

  static void keep_if(std::string_view name, std::string_view lower_case, std::string_view value, std::string_view& to) {
    if (to.data() == nullptr && is(name, lower_case)) to = value;
  }

  static void keep(std::string_view name, std::string_view value, Attributes& to) {
    switch (name.size()) {
      case 2:
        return keep_if(name, "id", value, to.id);
      case 3:
        return keep_if(name, "rel", value, to.rel);
      case 4:
        keep_if(name, "href", value, to.href);
        keep_if(name, "role", value, to.role);
        keep_if(name, "name", value, to.name);
        keep_if(name, "lang", value, to.lang);
        return keep_if(name, "type", value, to.type);
      case 5:
        keep_if(name, "class", value, to.class_);
        return keep_if(name, "style", value, to.style);
      case 6:
        to.hidden = to.hidden || is(name, "hidden");
        return;
      case 7:
        return keep_if(name, "content", value, to.content);
      case 8:
        keep_if(name, "property", value, to.property);
        keep_if(name, "itemprop", value, to.itemprop);
        keep_if(name, "itemtype", value, to.itemtype);
        return keep_if(name, "datetime", value, to.datetime);
      case 11:
        return keep_if(name, "aria-hidden", value, to.aria_hidden);
      default:
        return;
    }
  }

  void start_tag() {
    ++at_;
    const std::string_view name = tag_name();
    OpenTag tag{element_named(name), name, false, nullptr};
    if (Consumer::wants_attributes(tag.element.tag)) {
      attributes_ = Attributes{};
      tag.attributes = &attributes_;
    }
    tag.self_closing = attributes(tag.attributes == nullptr ? nullptr : &attributes_);
    switch (tag.element.kind) {
      case Kind::title:
      case Kind::textarea:
      case Kind::xmp:
      case Kind::dropped:
        raw_text(tag);
        break;
      case Kind::pre:
        to_.open(tag);
        if (peek(at_) == '\r') ++at_;
        if (peek(at_) == '\n') ++at_;  // the first line end is not content
        break;
      case Kind::plaintext:
        to_.open(tag);
        if (at_ < html_.size()) to_.raw(html_.substr(at_));
        at_ = html_.size();
        break;
      default:
        to_.open(tag);
    }
  }

  void end_tag() {
    at_ += 2;
    const Element element = element_named(tag_name());
    attributes(nullptr);
    to_.close(element);
  }

  // An element whose content is not markup: up to its end tag, or to the end of the page.
  void raw_text(const OpenTag& tag) {
    const std::size_t begin = at_;
    std::size_t end = find('<', begin);
    while (end < html_.size() && !closes(end, tag.name)) end = find('<', end + 1);
    const std::string_view content = html_.substr(begin, end - begin);
    at_ = end;
    if (at_ < html_.size()) {
      at_ += 2 + tag.name.size();
      attributes(nullptr);
    }
    to_.raw_element(tag, content);
  }

  [[nodiscard]] bool closes(std::size_t at, std::string_view name) const {
    if (peek(at + 1) != '/' || html_.size() - at < name.size() + 3) return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (lower(html_[at + 2 + i]) != lower(name[i])) return false;
    }
    const char after = html_[at + 2 + name.size()];
    return is_html_space(after) || after == '/' || after == '>';
  }

  std::string_view html_;
  Consumer& to_;
  Attributes attributes_;
  std::size_t at_ = 0;
};

}  // namespace leitong::text
