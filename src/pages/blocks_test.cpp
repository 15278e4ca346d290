#include "pages/blocks.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <vector>

namespace leitong::pages {
namespace {

Page cut(std::string_view html) {
  Page page;
  cut_into_blocks(html, page);
  return page;
}

std::vector<std::string> texts(const Page& page) {
  std::vector<std::string> out;
  for (const Block& b : page.blocks) out.push_back(page.text.substr(b.begin, b.end - b.begin));
  return out;
}

unsigned mark(const Block& block, Mark mark) { return block.marks[static_cast<unsigned>(mark)]; }

using Texts = std::vector<std::string>;

TEST(Blocks, EndAtBlockLevelTagsAndBreaks) {
  EXPECT_EQ(texts(cut("<p>One <b>two</b></p><p>three<br>four<div>five &amp; six</div>seven")),
            (Texts{"One two", "three", "four", "five & six", "seven"}));
}

TEST(Blocks, ScriptsStylesAndSelectsHoldNone) {
  EXPECT_EQ(
      texts(cut("<p>a</p><script>b</script><style>c</style><select><option>d</select><svg><text>e</text></svg><template>f</template><p>g")),
      (Texts{"a", "g"}));
}

TEST(Blocks, TheTextOfPagesForReadersWithoutScriptsIsRead) {
  const std::string words(1200, 'x');
  EXPECT_EQ(texts(cut("<p>a</p><noscript><p>" + words + "</p><p>b</p></noscript><p>c")), (Texts{"a", words, "b", "c"}));
  EXPECT_EQ(texts(cut("<p>a</p><noscript><p>short</p></noscript><p>c")), (Texts{"a", "c"}));
}

TEST(Blocks, ImpliedEndsAreFollowed) {
  const Page list = cut("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>");
  EXPECT_EQ(texts(list), (Texts{"a", "b", "c", "d"}));
  EXPECT_EQ(list.blocks[0].depth, 2);
  EXPECT_EQ(list.blocks[2].depth, 4);
  EXPECT_EQ(list.blocks[3].depth, 2);
  const Page table = cut("<table><tr><td>a<td>b<tr><td>c</table>d");
  EXPECT_EQ(table.blocks[1].depth, table.blocks[0].depth);
  EXPECT_EQ(table.blocks[2].depth, table.blocks[0].depth);
  EXPECT_EQ(table.blocks[3].depth, 0);
  EXPECT_TRUE(table.blocks[1].after_cell);
  EXPECT_FALSE(table.blocks[2].after_cell);
}

TEST(Blocks, AnEndTagClosesNothingBeyondACell) {
  const Page page = cut("<div class=content><table><tr><td>a</div>b</td></tr></table>c</div>d");
  EXPECT_EQ(mark(page.blocks[1], Mark::table_tag), 3U);
  EXPECT_EQ(mark(page.blocks[2], Mark::content), 1U);
  EXPECT_EQ(mark(page.blocks[3], Mark::content), 0U);
}

TEST(Blocks, CarryTheMarksOfTheElementsAround) {
  const Page page =
      cut("<body class=sidebar><article class='post-body'><div id=relatedPosts><p>a</p></div><p>b</p></article><nav role=x><p>c");
  EXPECT_EQ(mark(page.blocks[0], Mark::related), 2U);
  EXPECT_EQ(mark(page.blocks[0], Mark::article_tag), 3U);
  EXPECT_EQ(mark(page.blocks[0], Mark::side), 0U) << "hints on body do not count";
  EXPECT_EQ(mark(page.blocks[1], Mark::article_tag), 2U);
  EXPECT_EQ(mark(page.blocks[1], Mark::content), 2U);
  EXPECT_EQ(mark(page.blocks[2], Mark::nav_tag), 2U);
  EXPECT_EQ(mark(page.blocks[2], Mark::article_tag), 0U);
}

TEST(Blocks, CountLinksAndTheirText) {
  const Page page = cut("<p><a href=x>1234</a> 5678 <a name=y>9</a></p><p><a href=z>all</a>");
  EXPECT_EQ(page.blocks[0].links, 1U);
  EXPECT_EQ(page.blocks[0].link_bytes, 4U);
  EXPECT_EQ(page.blocks[1].link_bytes, 3U);
}

TEST(Blocks, SharePathsWhereTagsAndClassesAreTheSame) {
  const Page page = cut("<div class='a post-1'><p class=odd>x</div><div class='post-2 a'><p class=even>y</div><div class=b><p>z</div>");
  EXPECT_EQ(page.blocks[0].path, page.blocks[1].path);
  EXPECT_NE(page.blocks[0].path, page.blocks[2].path);
}

TEST(Blocks, ElementsSpanTheirBlocks) {
  const Page page = cut("<main><section><p>a<p>b</section><p>c</main>d");
  ASSERT_EQ(page.elements.size(), 5U);
  EXPECT_EQ(page.elements[0].tag, text::Tag::main);
  EXPECT_EQ(page.elements[0].first, 0U);
  EXPECT_EQ(page.elements[0].end, 3U);
  EXPECT_EQ(page.elements[1].end, 2U);
  EXPECT_EQ(page.blocks[3].element, none);
}

TEST(Blocks, OfWhatThePageSaysOfItself) {
  const Page page =
      cut("<html lang=de><head><title>A &amp; B</title><link rel=canonical href='https://x/y'><meta property='article:published_time' "
          "content=2026-01-02><meta property=og:type content=article><script "
          "type='application/ld+json'>{}</script></head><svg><title>no</title>");
  EXPECT_EQ(page.title, "A & B");
  EXPECT_EQ(page.language, "de");
  EXPECT_EQ(page.url, "https://x/y");
  EXPECT_EQ(page.date, "2026-01-02");
  EXPECT_EQ(page.kind, "article");
  EXPECT_EQ(page.linked_data, std::vector<std::string_view>{"{}"});
}

TEST(Blocks, TextIsCountedInWordsAndCharacters) {
  const TextCounts latin = count_text("It's 12 o'clock, Anna. A|B");
  EXPECT_EQ(latin.words, 5U);
  EXPECT_EQ(latin.digits, 2U);
  EXPECT_EQ(latin.capitals, 4U);
  EXPECT_EQ(latin.sentences, 1U);
  EXPECT_EQ(latin.commas, 1U);
  EXPECT_EQ(latin.symbols, 1U);
  EXPECT_EQ(latin.first, 2);
  const TextCounts chinese = count_text("雷同，2026年。");
  EXPECT_EQ(chinese.words, 4U);
  EXPECT_EQ(chinese.chinese, 3U);
  EXPECT_EQ(chinese.units, 5U);
  EXPECT_EQ(chinese.last, 1);
}

double seconds_of(const std::string& html) {
  Page page;
  const std::clock_t begin = std::clock();  // of the processor: other programs may run, too
  cut_into_blocks(html, page);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

std::string repeated(std::string_view what, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += what;
  return out;
}

// Time must not grow faster than the page: eight times the page in far less than 64 times the time.
TEST(Blocks, OfHostilePagesTakeLinearTime) {
  for (const std::string_view piece : {"<div>a", "<div class=a>", "</div>", "<p><b><i>", "<table><tr><td>x", "<a href=x>y", "<noscript>",
                                       "<li>z<ul>", "<br>q", "<svg>", "&amp;&#x4e2d;", "<x y=\""}) {
    const double small = seconds_of(repeated(piece, 20'000)), large = seconds_of(repeated(piece, 160'000));
    EXPECT_LT(large, 24 * small + 0.2) << piece;
  }
}

TEST(Blocks, OfAMillionNestedElementsAndOfOneHugeAttribute) {
  const Page nested = cut(repeated("<div>", 1'000'000) + "deep");
  ASSERT_EQ(nested.blocks.size(), 1U);
  EXPECT_LE(nested.blocks[0].depth, max_depth);
  EXPECT_LE(nested.elements.size(), max_depth);
  const Page attribute = cut("<div class='" + std::string(std::size_t{16} << 20, 'a') + "'>text");
  EXPECT_EQ(texts(attribute), Texts{"text"});
}

TEST(Blocks, BeyondTheMostAreLeftOut) {
  const Page page = cut(repeated("a<br>", max_blocks + 10));
  EXPECT_EQ(page.blocks.size(), max_blocks);
  EXPECT_TRUE(page.too_long);
}

}  // namespace
}  // namespace leitong::pages
