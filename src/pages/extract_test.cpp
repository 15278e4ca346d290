#include "pages/extract.h"

#include <gtest/gtest.h>

#include <ctime>
#include <random>
#include <string>

#include "leitong/error.h"
#include "leitong/extract.h"
#include "leitong/page.h"
#include "pages/features.h"
#include "pages/linked_data.h"
#include "text/html.h"

namespace leitong::pages {
namespace {

std::string paragraphs(int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += "<p>Paragraph " + std::to_string(i) +
           " tells, as the council said on Monday, how the old bridge over the river was closed, why the repair takes two "
           "years, and what people who live on the other side have to pay for the ferry until then.</p>\n";
  return out;
}

std::string news(const std::string& body) {
  return "<html lang=en><head><title>The bridge is closed - The Paper</title></head><body><header class=site-header><a href=/>The "
         "Paper</a></header>"
         "<nav class=menu><ul><li><a href=/p>Politics</a></li><li><a href=/s>Sport</a></li><li><a href=/w>Weather</a></li></ul></nav>"
         "<main><article class=article><h1>The bridge is closed</h1><div class='article-body'>" +
         body +
         "</div></article></main><aside class='sidebar related'><h3>More news</h3><ul><li><a href=/1>A cat was found in the "
         "tree</a></li><li><a href=/2>"
         "The mayor goes</a></li></ul></aside><footer class=footer><p>Copyright The Paper. <a "
         "href=/i>Imprint</a></p></footer></body></html>";
}

TEST(Extract, TakesTheArticleOutOfItsShell) {
  Extractor extract;
  const Extraction& page = extract(news(paragraphs(8)), Wanted::main);
  EXPECT_EQ(page.source, Source::chosen);
  EXPECT_EQ(page.title, "The bridge is closed - The Paper");
  EXPECT_EQ(page.language, "en");
  EXPECT_NE(page.text.find("Paragraph 0 tells"), std::string::npos);
  EXPECT_NE(page.text.find("Paragraph 7 tells"), std::string::npos);
  EXPECT_EQ(page.text.find("Imprint"), std::string::npos) << page.text;
  EXPECT_EQ(page.text.find("Weather"), std::string::npos) << page.text;
  EXPECT_EQ(page.text.find("A cat"), std::string::npos) << page.text;
  EXPECT_FALSE(fell_back(page));
}

TEST(Extract, AllIsTheTextOfTheWholePage) {
  Extractor extract;
  const std::string html = news(paragraphs(2));
  std::string all;
  text::html_to_text(html, all);
  const Extraction& page = extract(html, Wanted::all);
  EXPECT_EQ(page.text, all);
  EXPECT_FALSE(fell_back(page));
}

TEST(Extract, IsNeverEmptyWhereThereIsText) {
  Extractor extract;
  const std::string linked =
      R"(<script type="application/ld+json">{"@graph":[{"articleBody":"What <b>happened</b> &amp; why."}]}</script>)";
  std::string links = "<nav class=menu><ul>";
  for (const char* name : {"Home", "News", "Sport", "Weather", "Culture", "Travel", "Money", "Food", "Jobs", "Cars", "Health", "Science"})
    links += std::string("<li><a href=/") + name + ">" + name + "</a></li>";
  links += "</ul></nav><footer class=footer><ul><li><a href=/c>Contact</a></li><li><a href=/p>Privacy</a></li></ul></footer>";
  EXPECT_EQ(extract(links + linked, Wanted::article).text, "What happened & why.");
  EXPECT_EQ(extract(links + linked, Wanted::article).source, Source::linked_data);
  EXPECT_EQ(extract(links + "<div><a href=b>Next page</a></div>", Wanted::article).text, "Next page");
  EXPECT_EQ(extract(links + "<div><a href=b>Next page</a></div>", Wanted::article).source, Source::body);
  EXPECT_EQ(extract(links, Wanted::article).text.substr(0, 10), "Home\nNews\n");
  EXPECT_EQ(extract(links, Wanted::article).source, Source::everything);
  EXPECT_TRUE(fell_back(extract(links, Wanted::article)));
  EXPECT_EQ(extract("", Wanted::main).text, "");
  EXPECT_TRUE(fell_back(extract("", Wanted::main)));
}

TEST(Extract, OfLinkedDataTakesTheLongestBody) {
  const std::vector<std::string_view> contents{R"({"articleBody":"short"})", "not json {",
                                               R"([{"a":{"articleBody":"a longer one"}}, {"articleBody":7}])", R"({"description":"d"})"};
  EXPECT_EQ(linked_text(contents, LinkedText::article), "a longer one");
  EXPECT_EQ(linked_text(contents, LinkedText::description), "d");
  EXPECT_EQ(linked_text({}, LinkedText::article), "");
}

TEST(Extract, TracesEachBlock) {
  Extractor extract;
  const Extraction& page = extract(news(paragraphs(8)), Wanted::article, true);
  ASSERT_GT(page.trace.size(), 10U);
  std::string kept;
  for (const TracedBlock& block : page.trace) {
    EXPECT_EQ(block.kept, block.score >= block.cut);
    if (block.kept) (kept += kept.empty() ? "" : "\n") += block.text;
  }
  EXPECT_EQ(kept, page.text);
  EXPECT_EQ(traced(page).find("article from chosen, model "), 0U);
  EXPECT_TRUE(extract(news(""), Wanted::article).trace.empty());
}

TEST(Extract, GivesTheSameTextHoweverOftenItWasUsed) {
  Extractor used;
  const std::string page = news(paragraphs(5)), other = "<ul><li><a href=x>one</a><li>two</ul>" + paragraphs(30);
  const std::string first = used(page, Wanted::main).text;
  (void)used(other, Wanted::page, true);
  EXPECT_EQ(used(page, Wanted::main).text, first);
  EXPECT_EQ(Extractor()(page, Wanted::main).text, first);
}

TEST(Extract, RefusesAnUnknownWord) {
  EXPECT_EQ(wanted_named("article"), Wanted::article);
  EXPECT_THROW((void)wanted_named("content"), Error);
  EXPECT_EQ(page_rule("all"), "all");
  EXPECT_EQ(page_rule("main"), "main " + std::string(page_model()));
}

TEST(ExtractPage, SaysWhatTheExtractorSays) {
  const std::string html = news(paragraphs(8));
  Extractor extract;
  for (const Wanted wanted : {Wanted::main, Wanted::article, Wanted::page, Wanted::all}) {
    const Extraction& expected = extract(html, wanted);
    const PageText page = extract_page(html, name_of(wanted));
    EXPECT_EQ(page.text, expected.text);
    EXPECT_EQ(page.title, "The bridge is closed - The Paper");
    EXPECT_EQ(page.language, "en");
    EXPECT_EQ(page.kind, name_of(expected.kind));
    EXPECT_EQ(page.source, name_of(expected.source));
    EXPECT_FALSE(page.fell_back);
    EXPECT_EQ(page.model, wanted == Wanted::all ? "" : page_model());
  }
  EXPECT_EQ(extract_page(html).kind, "article");
  const PageText nothing = extract_page("");
  EXPECT_EQ(nothing.text, "");
  EXPECT_TRUE(nothing.fell_back);
  EXPECT_THROW((void)extract_page(html, "content"), Error);
}

TEST(Extract, TakesLinearTimeOfHostilePages) {
  Extractor extract;
  const auto seconds = [&](std::string_view piece, std::size_t times) {
    std::string html;
    for (std::size_t i = 0; i < times; ++i) html += piece;
    const std::clock_t begin = std::clock();  // of the processor: other programs may run, too
    EXPECT_FALSE(extract(html + "end", Wanted::main).text.empty());
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  for (const std::string_view piece :
       {"<div>", "<div>some words here", "<p>one, two.</p>", "<a href=x>y</a><br>", "<script type='application/ld+json'>{</script>"}) {
    const double small = seconds(piece, 5'000), large = seconds(piece, 40'000);
    EXPECT_LT(large, 24 * small + 0.3) << piece;
  }
}

TEST(Extract, SurvivesRandomPages) {
  const std::vector<std::string> pieces{"<div class='content ad'>",
                                        "</div>",
                                        "<p>",
                                        "word, ",
                                        "<table><tr><td>",
                                        "</table>",
                                        "<a href=x>",
                                        "</a>",
                                        "<br>",
                                        "<",
                                        ">",
                                        "&#1;",
                                        "\xFF",
                                        "中文。",
                                        "<li>",
                                        "<h1>",
                                        "<svg>",
                                        "</svg>",
                                        "<noscript>",
                                        "<!--",
                                        "-->",
                                        "=\"",
                                        "<title>",
                                        "</title>",
                                        " "};
  std::mt19937 random(7);
  Extractor extract;
  for (int round = 0; round < 3000; ++round) {
    std::string html;
    for (std::size_t i = random() % 60; i-- > 0;) html += pieces[random() % pieces.size()];
    const Extraction& page = extract(html, static_cast<Wanted>(random() % 4), round % 2 == 0);
    std::string all;
    text::html_to_text(html, all);
    EXPECT_TRUE(all.empty() || !page.text.empty()) << html;
  }
}

// The sums that the numbers are made of, added up block by block.
TEST(Features, OfElementsAreThoseOfTheirBlocks) {
  Page page;
  cut_into_blocks(news(paragraphs(6)), page);
  Features features;
  features.make(page);
  std::uint64_t all = 0;
  for (const Block& block : page.blocks) all += block.counts.units;
  const unsigned first_level = own_numbers + mark_count + neighbour_numbers + window_numbers;
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    std::uint64_t units = 0;
    const BlockElement& element = page.elements[page.blocks[i].element];
    for (std::uint32_t b = element.first; b < element.end; ++b) units += page.blocks[b].counts.units;
    EXPECT_EQ(features.row(i)[first_level], static_cast<int>(units * 1000 / all));
    EXPECT_EQ(features.row(i)[0], static_cast<int>(page.blocks[i].counts.units));
  }
}

TEST(Features, OfAChanceAreTheLogisticFunction) {
  EXPECT_EQ(chance_of(0), 500);
  EXPECT_EQ(chance_of(256), 731);
  EXPECT_EQ(chance_of(-256), 269);
  EXPECT_EQ(chance_of(100'000), 1000);
  EXPECT_EQ(chance_of(-100'000), 0);
}

}  // namespace
}  // namespace leitong::pages
