#include "pages/blocks.h"

#include <algorithm>
#include <cstddef>

#include "text/html_events.h"
#include "text/html_lines.h"

namespace leitong::pages {
namespace {

using text::Element;
using text::Kind;
using text::OpenTag;
using text::Tag;

constexpr std::size_t close_levels = 24;  // an end tag closes no element that is further out
constexpr std::size_t most_linked_data = 8;
constexpr std::size_t least_without_script = 1000;  // bytes of a <noscript> that is read

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  return x ^ x >> 32;
}

// An element that is open.
struct Open {
  Tag tag = Tag::other;
  bool skipped = false;  // nothing in it is text of the page
  std::uint8_t preformatted = 0;
  std::uint32_t number = none;  // in Page::elements; none until there is a block in it
  std::uint64_t path = 0;
  std::array<std::uint8_t, mark_count> level{};  // the depth of the nearest element with the mark; 0: there is none
};

bool is_row_part(Tag tag) {
  return tag == Tag::td || tag == Tag::th || tag == Tag::tr || tag == Tag::tbody || tag == Tag::thead || tag == Tag::tfoot ||
         tag == Tag::table;
}
bool is_list(Tag tag) { return tag == Tag::ul || tag == Tag::ol || tag == Tag::menu || tag == Tag::dir; }
bool is_heading(Tag tag) { return tag >= Tag::h1 && tag <= Tag::h6; }
bool is_section(Tag tag) { return tag == Tag::tbody || tag == Tag::thead || tag == Tag::tfoot; }
bool is_cell(Tag tag) { return tag == Tag::td || tag == Tag::th; }
bool is_frame(Tag tag) { return tag == Tag::html || tag == Tag::head || tag == Tag::body; }

class Builder {
 public:
  explicit Builder(Page& page) : page_(page), lines_(page.text) {
    open_.reserve(max_depth + 1);
    open_.emplace_back();
  }

  static constexpr bool wants_attributes(Tag tag) {
    return text_blocks(tag) || tag == Tag::a || tag == Tag::meta || tag == Tag::link || tag == Tag::html || tag == Tag::script ||
           tag == Tag::time;
  }

  void text(std::string_view text) {
    if (open_.back().skipped) return;
    const std::size_t before = page_.text.size();
    if (open_.back().preformatted != 0) {
      lines_.preformatted(text, true);
    } else {
      lines_.text(text);
    }
    grown(before);
  }

  void raw(std::string_view text) {
    if (open_.back().skipped) return;
    const std::size_t before = page_.text.size();
    lines_.raw(text);
    grown(before);
  }

  void open(const OpenTag& tag) {
    const Tag t = tag.element.tag;
    if (is_frame(t)) {
      if (t == Tag::html && tag.attributes != nullptr && page_.language.empty()) page_.language = tag.attributes->lang;
      boundary(true);
      return;
    }
    switch (t) {
      case Tag::br:
      case Tag::hr:
        boundary(true);
        after_br_ = t == Tag::br;
        return;
      case Tag::meta:
      case Tag::link:
      case Tag::time:
        return note(tag);
      case Tag::svg:
      case Tag::math:
        if (!tag.self_closing) push(tag);
        return;
      case Tag::a:
        in_link_ = tag.attributes != nullptr && !tag.attributes->href.empty();
        link_depth_ = open_.size();
        links_ += in_link_ ? 1U : 0U;
        return;
      default:
        break;
    }
    if (!text_blocks(t)) {
      ++inline_tags_;
      return;
    }
    boundary(tag.element.kind != Kind::cell);
    end_implied(t);
    count(t);
    push(tag);
  }

  void close(const Element& element) {
    const Tag t = element.tag;
    if (t == Tag::a) in_link_ = false;
    if (t == Tag::svg || t == Tag::math) return pop_to(t);
    if (is_frame(t)) return boundary(true);
    if (t == Tag::br) return open({element, {}, false, nullptr});  // as browsers do
    if (!text_blocks(t)) return;
    boundary(element.kind != Kind::cell);
    if (beyond_ != 0) {
      --beyond_;
    } else {
      pop_to(t);
    }
  }

  void raw_element(const OpenTag& tag, std::string_view content) {
    if (tag.element.kind == Kind::title && !titled_ && !open_.back().skipped) {
      titled_ = true;
      text::HtmlLines(page_.title).text(content);
    }
    if (tag.element.tag == Tag::noscript) return without_script(tag, content);
    const bool data = tag.element.tag == Tag::script && tag.attributes != nullptr && tag.attributes->type == "application/ld+json";
    if (data && page_.linked_data.size() < most_linked_data) page_.linked_data.push_back(content);
  }

  void finish() {
    boundary(true);
    while (open_.size() > 1) pop();
  }

 private:
  // Elements that stand in the stack: those that make a block of their text, and those that hide it.
  static constexpr bool text_blocks(Tag tag) {
    const bool no_block = tag == Tag::other || tag == Tag::a || tag == Tag::canvas || tag == Tag::input || tag == Tag::label ||
                          tag == Tag::link || tag == Tag::math || tag == Tag::meta || tag == Tag::svg || tag == Tag::time;
    return !no_block;
  }
  static bool skips(Tag tag) {
    return tag == Tag::svg || tag == Tag::math || tag == Tag::template_ || tag == Tag::select || tag == Tag::option;
  }

  // What a page shows where scripts do not run. Some forums have all of their text there; notices and pictures are shorter.
  void without_script(const OpenTag& tag, std::string_view content) {
    if (content.size() < least_without_script || in_noscript_) return;
    in_noscript_ = true;
    boundary(true);
    push(tag);
    text::HtmlReader(content, *this).run();
    boundary(true);
    pop_to(Tag::noscript);
    in_noscript_ = false;
  }

  void grown(std::size_t before) {
    if (page_.text.size() == before) return;
    if (in_link_) link_bytes_ += static_cast<std::uint32_t>(page_.text.size() - before);
    if (!in_block_) begin_block(before);
  }

  void begin_block(std::size_t at) {
    in_block_ = true;
    if (page_.blocks.size() >= max_blocks) {
      page_.too_long = true;
      return;
    }
    const Open& top = open_.back();
    Block& block = page_.blocks.emplace_back();
    block.begin = static_cast<std::uint32_t>(at);
    block.tag = top.tag;
    block.depth = static_cast<std::uint8_t>(open_.size() - 1);
    block.path = top.path;
    block.outer_path = open_[open_.size() < 2 ? 0 : open_.size() - 2].path;
    for (unsigned m = 0; m < mark_count; ++m)
      block.marks[m] = top.level[m] == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(block.depth - top.level[m] + 1);
    block.after_br = after_br_;
    block.preformatted = top.preformatted != 0;
    block.after_cell = after_cell_ && page_.blocks.size() > 1;
    number_elements();
    block.element = open_.back().number;
    after_br_ = false;
    bounded_ = after_cell_ = false;
  }

  // Gives the open elements that have none a number: from now on there is a block in them.
  void number_elements() {
    std::size_t from = open_.size();
    while (from > 1 && open_[from - 1].number == none) --from;
    for (; from < open_.size(); ++from) {
      open_[from].number = static_cast<std::uint32_t>(page_.elements.size());
      const auto first = static_cast<std::uint32_t>(page_.blocks.size() - 1);
      page_.elements.push_back({open_[from - 1].number, first, first, open_[from].tag});
    }
  }

  // The block that was begun ends here. Line ends and spaces before and after its text are not of it.
  void boundary(bool line) {
    if (in_block_) end_block();
    after_br_ = false;
    after_cell_ = !line && (!bounded_ || after_cell_);
    bounded_ = true;
    lines_.block();
    links_ = link_bytes_ = inline_tags_ = 0;
  }

  void end_block() {
    in_block_ = false;
    if (page_.too_long) return;
    Block& block = page_.blocks.back();
    std::size_t end = page_.text.size();
    while (block.begin < end && page_.text[block.begin] == '\n') ++block.begin;
    while (end > block.begin && (text::is_html_space(page_.text[end - 1]))) --end;
    block.end = static_cast<std::uint32_t>(end);
    block.links = links_;
    block.link_bytes = std::min(link_bytes_, block.end - block.begin);
    block.inline_tags = inline_tags_;
    block.counts = count_text(std::string_view(page_.text).substr(block.begin, end - block.begin));
  }

  void push(const OpenTag& tag) {
    if (open_.size() > max_depth) {
      ++beyond_;
      return;
    }
    const Tag t = tag.element.tag;
    Open& inner = open_.emplace_back(open_.back());
    inner.tag = t;
    inner.number = none;
    inner.skipped = inner.skipped || skips(t);
    inner.preformatted = static_cast<std::uint8_t>(inner.preformatted | (tag.element.kind == Kind::pre ? 1 : 0));
    Names names;
    if (tag.attributes != nullptr) names = names_of(*tag.attributes);
    inner.path = mixed(inner.path * 31 + static_cast<std::uint64_t>(t) + names.hash);
    Marks marks = names.marks | marks_of(tag);
    const auto depth = static_cast<std::uint8_t>(open_.size() - 1);
    for (; marks != 0; marks &= marks - 1) inner.level[static_cast<unsigned>(__builtin_ctz(marks))] = depth;
  }

  static Names names_of(const text::Attributes& attributes) {
    Names names;
    if (!attributes.class_.empty()) names = read_names(attributes.class_);
    if (attributes.id.empty()) return names;
    const Names id = read_names(attributes.id);
    names.marks |= id.marks;
    const bool numbered = attributes.id.find_first_of("0123456789") != std::string_view::npos;
    if (!numbered) names.hash += id.hash * 3;
    return names;
  }

  void pop() {
    const Open& top = open_.back();
    if (top.number != none) page_.elements[top.number].end = static_cast<std::uint32_t>(page_.blocks.size());
    open_.pop_back();
    if (open_.size() < link_depth_) in_link_ = false;
  }

  // Closes the nearest open element of that name with all inside it; nothing if it is too far out, or behind a cell's bound.
  void pop_to(Tag tag) {
    const std::size_t least = open_.size() > close_levels ? open_.size() - close_levels : 1;
    for (std::size_t i = open_.size(); i-- > least;) {
      if (open_[i].tag == tag) {
        while (open_.size() > i) pop();
        return;
      }
      if (is_cell(open_[i].tag) && !is_row_part(tag)) return;
      if (open_[i].tag == Tag::table) return;
    }
  }

  // Elements that end where another begins, though their end tag is missing.
  void end_implied(Tag next) {
    if (open_.back().tag == Tag::p || (is_heading(open_.back().tag) && is_heading(next))) pop();
    if (next == Tag::li) end_nearest([](Tag t) { return t == Tag::li; }, is_list);
    if (next == Tag::dt || next == Tag::dd)
      end_nearest([](Tag t) { return t == Tag::dt || t == Tag::dd; }, [](Tag t) { return t == Tag::dl; });
    if (is_cell(next)) end_nearest(is_cell, [](Tag t) { return t == Tag::tr || t == Tag::table; });
    if (next == Tag::tr) end_nearest([](Tag t) { return t == Tag::tr; }, [](Tag t) { return is_section(t) || t == Tag::table; });
    if (is_section(next)) end_nearest(is_section, [](Tag t) { return t == Tag::table; });
    if (next == Tag::option) end_nearest([](Tag t) { return t == Tag::option; }, [](Tag t) { return t == Tag::select; });
  }

  template <class Ends, class Bound>
  void end_nearest(Ends ends, Bound bound) {
    const std::size_t least = open_.size() > close_levels ? open_.size() - close_levels : 1;
    for (std::size_t i = open_.size(); i-- > least;) {
      if (bound(open_[i].tag)) return;
      if (ends(open_[i].tag)) {
        while (open_.size() > i) pop();
        return;
      }
    }
  }

  void count(Tag tag) {
    page_.tables += tag == Tag::table ? 1U : 0U;
    page_.headings += is_heading(tag) ? 1U : 0U;
    page_.paragraphs += tag == Tag::p ? 1U : 0U;
    page_.items += tag == Tag::li ? 1U : 0U;
    page_.forms += tag == Tag::form ? 1U : 0U;
    page_.articles += tag == Tag::article ? 1U : 0U;
    if (tag == Tag::h1 && page_.first_heading == none) page_.first_heading = static_cast<std::uint32_t>(page_.blocks.size());
  }

  static void keep_first(std::string_view value, std::string_view& to) {
    if (to.empty()) to = value;
  }

  // What the head of the page says of it.
  void note(const OpenTag& tag) {
    const text::Attributes& a = *tag.attributes;
    if (tag.element.tag == Tag::link) {
      if (a.rel == "canonical") keep_first(a.href, page_.url);
    } else if (tag.element.tag == Tag::time) {
      if (a.itemprop == "datePublished") keep_first(a.datetime, page_.date);
    } else if (a.property == "article:published_time" || a.itemprop == "datePublished" || a.name == "pubdate") {
      keep_first(a.content, page_.date);
    } else if (a.property == "og:type") {
      keep_first(a.content, page_.kind);
    } else if (a.property == "og:url") {
      keep_first(a.content, page_.url);
    }
  }

  Page& page_;
  text::HtmlLines lines_;
  std::vector<Open> open_;  // the first stands for the page itself
  std::size_t beyond_ = 0;  // open elements deeper than max_depth
  std::size_t link_depth_ = 0;
  std::uint32_t links_ = 0, link_bytes_ = 0, inline_tags_ = 0;
  bool in_block_ = false, in_link_ = false, titled_ = false, in_noscript_ = false;
  bool after_br_ = false, after_cell_ = false, bounded_ = false;
};

}  // namespace

void Page::clear() {
  text.clear(), title.clear(), blocks.clear(), elements.clear(), linked_data.clear();
  language = url = date = kind = {};
  tables = headings = paragraphs = items = forms = articles = 0;
  first_heading = none;
  too_long = false;
}

void cut_into_blocks(std::string_view html, Page& page) {
  page.clear();
  Builder builder(page);
  text::HtmlReader(html, builder).run();
  builder.finish();
}

}  // namespace leitong::pages
