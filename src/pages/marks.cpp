#include "pages/marks.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace leitong::pages {
namespace {

using text::Tag;

constexpr std::uint8_t no_mark = 0xFF, single_item = 0xFE;

struct Word {
  std::string_view word;
  std::uint8_t mark;
};

constexpr std::uint8_t at(Mark mark) { return static_cast<std::uint8_t>(mark); }

struct Group {
  std::uint8_t mark;
  std::string_view words;  // separated by single spaces
};

constexpr std::array groups = std::to_array<Group>({
    {at(Mark::navigation),
     "nav navbar navi navigation menu menus submenu breadcrumb breadcrumbs crumb crumbs bread pagination pager paging paginator "
     "pages toc toolbar tabs tab sitemap skip jump dropdown prev previous next topnav subnav gnav daohang mianbaoxie"},
    {at(Mark::side), "sidebar side aside rail widget widgets sidenav secondary tertiary right left column sidecol sidecontent siderail"},
    {at(Mark::foot), "footer foot bottom copyright legal colophon disclaimer footnav footlink footlinks fineprint banquan"},
    {at(Mark::head), "header head masthead banner topbar top logo branding brand site hd skyline ticker breaking"},
    {at(Mark::related),
     "related relative recommended recommend recommendation recommendations recommends more similar trending popular latest also promo "
     "promos teaser teasers recirc recirculation carousel slider swiper tags tag taglist labels categories category archive archives "
     "hot ranking rank upnext readmore interlink xgxw xiangguan tuijian links blogroll tiles suggestions explore"},
    {at(Mark::social),
     "share sharing shares social sociallinks follow facebook twitter linkedin pinterest whatsapp weibo weixin qzone bdsharebuttonbox "
     "newsletter subscribe subscription signup sharedaddy addthis addtoany like likes print email bookmark fenxiang"},
    {at(Mark::advert),
     "ad ads adv advert advertise advertisement advertisements advertising adsense adslot adbox adsbygoogle sponsor sponsored sponsors "
     "outbrain taboola dfp gpt affiliate guanggao promoted partner donate donation paywall cta"},
    {at(Mark::comment),
     "comment comments commentlist commentbox disqus reply replies respond response responses discussion feedback pinglun "
     "livefyre commenter guestbook"},
    {at(Mark::byline),
     "author authors byline bylines date time timestamp meta metadata info bio published posted pubdate caption credit credits dateline "
     "infos source avatar profile kicker eyebrow"},
    {at(Mark::content),
     "content contents text body main prose markdown richtext rich rte wysiwyg entry copy maincontent bodytext wrapper mainbody "
     "neirong zhengwen documentation doc docs readable tinymce wiki mw"},
    {at(Mark::article),
     "article articles story post posts blog news page single hentry detail details artical art articlebody articlecontent storybody "
     "paragraph "
     "paragraphs para chapter wenzhang xinwen recipe lede longform"},
    {at(Mark::heading), "title headline heading headings subtitle subtitles subhead deck summary standfirst excerpt dek biaoti intro lead"},
    {at(Mark::product),
     "product products price prices pricing cart basket buy sku spec specs specification specifications review reviews rating ratings "
     "stars shop store item items goods variant quantity stock wishlist description features"},
    {at(Mark::forum),
     "thread threads topic topics message messages forum question questions answer answers postbody messagetext poster signature quote "
     "board votes vote accepted"},
    {at(Mark::concealed),
     "hidden hide invisible sr screenreader visually visuallyhidden noprint collapse collapsed offscreen hiddentext none mobile"},
    {at(Mark::dialog),
     "cookie cookies consent gdpr modal popup popover overlay dialog lightbox alert notice notification notifications onetrust tooltip "
     "login register registration search searchform form filter filters facet facets sort sorting error warning"},
    {single_item, "first last odd even active alt current selected open closed begin end small large medium"},
});

constexpr std::uint64_t step(std::uint64_t hash, unsigned char lower_letter) { return (hash ^ lower_letter) * 0x100000001B3; }
constexpr std::uint64_t start = 0xCBF29CE484222325;
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  return x ^ x >> 29;
}

struct Slot {
  std::uint64_t hash = 0;
  std::uint8_t mark = no_mark;
};
constexpr std::size_t slots = 2048;

struct Table {
  std::array<Slot, slots> slot{};
  std::size_t words = 0;
};

constexpr std::size_t place(std::uint64_t hash) { return static_cast<std::size_t>(mixed(hash) >> 53); }

constexpr void add(Table& table, std::uint64_t hash, std::uint8_t mark) {
  std::size_t i = place(hash);
  while (table.slot[i].mark != no_mark) i = (i + 1) % slots;
  table.slot[i] = {hash, mark};
  ++table.words;
}

constexpr Table made() {
  Table table;
  for (const Group& group : groups) {
    std::uint64_t hash = start;
    for (const char c : group.words) {
      if (c != ' ') {
        hash = step(hash, static_cast<unsigned char>(c));
      } else {
        add(table, hash, group.mark);
        hash = start;
      }
    }
    add(table, hash, group.mark);
  }
  return table;
}

constexpr Table table = made();
static_assert(table.words < slots / 2);

std::uint8_t mark_of(std::uint64_t hash) {
  for (std::size_t i = place(hash);; i = (i + 1) % slots) {
    if (table.slot[i].hash == hash || table.slot[i].mark == no_mark) return table.slot[i].mark;
  }
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

void end_word(std::uint64_t hash, Names& names) {
  const std::uint8_t mark = mark_of(hash);
  if (mark < mark_count) names.marks |= Marks{1} << mark;
  if (mark != single_item) names.hash += mixed(hash);
}

constexpr Marks bit(Mark mark) { return Marks{1} << static_cast<unsigned>(mark); }

constexpr std::array<Marks, text::tag_count> marks_by_tag() {
  std::array<Marks, text::tag_count> marks{};
  const auto set = [&](Tag tag, Mark mark) { marks[static_cast<std::size_t>(tag)] = bit(mark); };
  set(Tag::article, Mark::article_tag), set(Tag::main, Mark::main_tag), set(Tag::nav, Mark::nav_tag), set(Tag::aside, Mark::aside_tag);
  set(Tag::footer, Mark::footer_tag), set(Tag::header, Mark::header_tag), set(Tag::form, Mark::form_tag);
  set(Tag::fieldset, Mark::form_tag), set(Tag::button, Mark::form_tag), set(Tag::table, Mark::table_tag);
  set(Tag::ul, Mark::list_tag), set(Tag::ol, Mark::list_tag), set(Tag::menu, Mark::list_tag), set(Tag::section, Mark::section_tag);
  set(Tag::figure, Mark::figure_tag), set(Tag::figcaption, Mark::figure_tag), set(Tag::blockquote, Mark::quote_tag);
  set(Tag::pre, Mark::code_tag), set(Tag::listing, Mark::code_tag), set(Tag::dl, Mark::definition_tag);
  return marks;
}

constexpr auto by_tag = marks_by_tag();

struct Value {
  std::string_view value;
  Mark mark;
};

constexpr std::array roles = std::to_array<Value>({
    {"main", Mark::main_tag},
    {"article", Mark::article_tag},
    {"navigation", Mark::nav_tag},
    {"menu", Mark::nav_tag},
    {"menubar", Mark::nav_tag},
    {"complementary", Mark::aside_tag},
    {"contentinfo", Mark::footer_tag},
    {"banner", Mark::header_tag},
    {"search", Mark::form_tag},
    {"form", Mark::form_tag},
    {"dialog", Mark::hidden_tag},
    {"alertdialog", Mark::hidden_tag},
});

constexpr std::array properties = std::to_array<Value>({
    {"articleBody", Mark::body_property},
    {"description", Mark::body_property},
    {"text", Mark::body_property},
    {"reviewBody", Mark::body_property},
    {"recipeInstructions", Mark::body_property},
    {"mainContentOfPage", Mark::main_tag},
});

template <std::size_t N>
Marks marked(const std::array<Value, N>& values, std::string_view value) {
  const auto* const found = std::find_if(values.begin(), values.end(), [&](const Value& v) { return v.value == value; });
  return found == values.end() ? 0 : bit(found->mark);
}

// style="display:none" and visibility:hidden, with or without a space.
bool hides(std::string_view style) {
  for (const std::string_view what : {"display:none", "display: none", "visibility:hidden", "visibility: hidden"}) {
    if (style.find(what) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

Names read_names(std::string_view value) {
  Names names;
  std::uint64_t hash = start;
  bool in_word = false, after_lower = false;
  for (const char c : value) {
    const bool upper = is_upper(c), letter = upper || is_lower(c);
    if (in_word && (!letter || (upper && after_lower))) {
      end_word(hash, names);
      in_word = false;
    }
    if (letter) {
      hash = step(in_word ? hash : start, static_cast<unsigned char>(c | 0x20));
      in_word = true;
    }
    after_lower = letter && !upper;
  }
  if (in_word) end_word(hash, names);
  return names;
}

Marks marks_of(const text::OpenTag& tag) {
  Marks marks = by_tag[static_cast<std::size_t>(tag.element.tag)];
  if (tag.attributes == nullptr) return marks;
  const text::Attributes& a = *tag.attributes;
  if (!a.role.empty()) marks |= marked(roles, a.role);
  if (!a.itemprop.empty()) marks |= marked(properties, a.itemprop);
  if (a.hidden || a.aria_hidden == "true" || (!a.style.empty() && hides(a.style))) marks |= bit(Mark::hidden_tag);
  return marks;
}

}  // namespace leitong::pages
