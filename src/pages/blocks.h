// A page cut into blocks: the text between two block-level tags (or <br>), with what the page says around it. Memory is linear in the
// blocks and the elements around them; time is linear in the page.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pages/marks.h"
#include "text/html_elements.h"

namespace leitong::pages {

inline constexpr unsigned max_depth = 250;        // elements that are open at once; deeper ones are not told apart
inline constexpr std::size_t max_blocks = 65536;  // a page with more is not taken apart
inline constexpr std::uint32_t none = ~std::uint32_t{0};

// What a stretch of text is made of. A character of Chinese or Japanese is a word. Counts saturate nowhere: a page has less than 4 GiB.
struct TextCounts {
  std::uint32_t words = 0;  // runs of other characters with a letter or digit in them, and each Chinese character
  std::uint32_t units = 0;  // the same, where a run counts two
  std::uint32_t characters = 0, letters = 0, capitals = 0, digits = 0, chinese = 0;
  std::uint32_t sentences = 0, commas = 0, symbols = 0;  // symbols: | / > · » ©
  std::uint8_t first = 0;                                // 0 other, 1 small letter, 2 capital, 3 digit, 4 Chinese
  std::uint8_t last = 0;                                 // 0 other, 1 end of a sentence, 2 colon, semicolon or comma
};

[[nodiscard]] TextCounts count_text(std::string_view utf8);

struct Block {
  std::uint32_t begin = 0, end = 0;  // in Page::text
  std::uint32_t element = none;      // the innermost around it, in Page::elements
  std::uint32_t links = 0, link_bytes = 0, inline_tags = 0;
  TextCounts counts;
  std::uint64_t path = 0, outer_path = 0;  // hashes of tags and names from the root to the innermost element, and to the one around it
  std::array<std::uint8_t, mark_count> marks{};  // levels up to the nearest element with the mark, from 1; 0: there is none
  text::Tag tag = text::Tag::other;              // of the innermost
  std::uint8_t depth = 0;
  bool after_br = false, preformatted = false;
  bool after_cell = false;  // nothing but the bound of a table's cell lies before it
};

// An element around blocks.
struct BlockElement {
  std::uint32_t parent = none;
  std::uint32_t first = 0, end = 0;  // blocks in it
  text::Tag tag = text::Tag::other;
};

struct Page {
  std::string text;                            // of all blocks, a line end between each and the next
  std::string title;                           // of <title>
  std::vector<Block> blocks;                   // in the order of the page
  std::vector<BlockElement> elements;          // a parent stands before its children
  std::string_view language, url, date, kind;  // views into the page's source: lang, canonical URL, date of publication, og:type
  std::vector<std::string_view> linked_data;   // contents of <script type="application/ld+json">, the first few
  std::uint32_t tables = 0, headings = 0, paragraphs = 0, items = 0, forms = 0, articles = 0, first_heading = none;  // none: no <h1>
  bool too_long = false;  // it has more than max_blocks blocks: those behind are left out

  void clear();
};

// Replaces `page`, whose views point into `html`.
void cut_into_blocks(std::string_view html, Page& page);

}  // namespace leitong::pages
