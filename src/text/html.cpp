#include "text/html.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "text/html_events.h"
#include "text/html_lines.h"

namespace leitong::text {
namespace {

// All text of a page that a person could read.
class AllText {
 public:
  explicit AllText(std::string& out) : lines_(out) {}

  static constexpr bool wants_attributes(Tag /*tag*/) { return false; }

  void text(std::string_view text) {
    if (hidden_ != 0) return;
    if (pre_ != 0) {
      lines_.preformatted(text, true);
    } else {
      lines_.text(text);
    }
  }

  void raw(std::string_view text) {
    if (hidden_ == 0) lines_.raw(text);
  }

  void open(const OpenTag& tag) {
    separate(tag.element.kind);
    if (tag.element.kind == Kind::pre) ++pre_;
    if (tag.element.kind == Kind::hidden) ++hidden_;
  }

  void close(const Element& element) {
    separate(element.kind);
    if (element.kind == Kind::pre && pre_ != 0) --pre_;
    if (element.kind == Kind::hidden && hidden_ != 0) --hidden_;
  }

  void raw_element(const OpenTag& tag, std::string_view content) {
    const Kind kind = tag.element.kind;
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

 private:
  // What an element puts between the text before and after its tag.
  void separate(Kind kind) {
    if (hidden_ != 0) return;
    if (kind == Kind::cell) lines_.space();
    if (kind == Kind::block || kind == Kind::pre || kind == Kind::plaintext) lines_.block();
  }

  HtmlLines lines_;
  std::size_t pre_ = 0, hidden_ = 0;
  bool titled_ = false;
};

}  // namespace

void html_to_text(std::string_view html, std::string& out) {
  out.clear();
  out.reserve(html.size());
  AllText all(out);
  HtmlReader(html, all).run();
}

}  // namespace leitong::text
