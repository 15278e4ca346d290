#include "report/report.h"

#include <gtest/gtest.h>

#include <string>

#include "report/difference.h"
#include "report/html.h"
#include "report/numbers.h"
#include "report/plots.h"

namespace leitong::report {
namespace {

bool holds(const std::string& page, std::string_view part) { return page.find(part) != std::string::npos; }

std::size_t times(const std::string& page, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = page.find(part); at != std::string::npos; at = page.find(part, at + part.size())) ++count;
  return count;
}

Report full_report() {
  Report r;
  r.title = "3 inputs";
  r.version = "9.8.7";
  r.profile = "leitong-1";
  r.profile_id = "0123456789abcdef0123456789abcdef";
  r.records = 1234;
  r.removed = 456;
  r.kept = 778;
  r.exact_removed = 100;
  r.clusters = 210;
  r.candidates = 5000;
  r.edges = 900;
  r.text_bytes = 3'000'000;
  r.removed_bytes = 1'000'000;
  r.sources = {{"gov.jsonl", 1000, 400, 0}, {"news/新闻.jsonl", 234, 56, 0}};
  r.cluster_sizes = {{2, 150}, {3, 40}, {7, 19}, {120, 1}};
  r.distances.assign(65, 0);
  r.distances[0] = 300;
  r.distances[9] = 156;
  r.similarities.assign(20, 0);
  r.similarities[14] = 156;
  r.similarities[19] = 300;
  r.keep_reasons = {{"length:max", 400}, {"first", 56}};
  r.warnings = {"Group 5 has 120 records"};
  r.recall = {{"0.80", "0.9991"}};
  r.configuration = {{"keep", "length:max,first"}, {"threshold", ""}};
  const Member kept{"a-1", 3, "gov.jsonl", true, 1, -1, 27};
  const Member removed{"b-2", 9, "news/新闻.jsonl", false, 0.75, 9, 27};
  r.largest = {{5, 120, {kept, removed}, "谢谢同学们的支持", true}};
  r.samples = {
      {removed, kept, 5, "谢谢童学们", "谢谢同学们", false, {{true, 0, 6, 0, 6}, {false, 6, 9, 6, 9}, {true, 9, 15, 9, 15}}, "length:max"}};
  return r;
}

TEST(Page, HoldsEverySection) {
  const std::string page = render_html(full_report());
  EXPECT_TRUE(
      holds(page, "Of 1,234\u00A0records <strong>456 (37.0\u00A0%)</strong> repeat another and were removed; <strong>778</strong> stay."));
  for (const std::string_view id : {"warnings", "sources", "distributions", "groups", "samples", "method", "configuration"}) {
    EXPECT_EQ(times(page, "<section id=\"" + std::string(id) + "\"") + times(page, "<section class=\"" + std::string(id) + "\""), 1U) << id;
  }
  for (const std::string_view part :
       {"gov.jsonl", "news/新闻.jsonl", "Group 5 has 120 records", "9.8.7", "0123456789abcdef0123456789abcdef", "0.9991",
        "length:max,first", "谢谢<del>童</del>学们", "谢谢<ins>同</ins>学们", "<h3>Distance 9</h3>", "0.750"}) {
    EXPECT_TRUE(holds(page, part)) << part;
  }
  EXPECT_EQ(times(page, "<svg "), 3U);
  EXPECT_EQ(times(page, "<svg "), times(page, "role=\"img\" aria-label=\""));
}

TEST(Page, SaysOfADocumentOfAStoreWhatIsKnown) {
  Report r = full_report();
  Member stored{"kept-there", 123456, "redis://host/0", true, 1, -1, 0};
  stored.stored = true;
  Member removed = r.samples[0].removed;
  removed.similarity = -1;
  r.largest = {{5, 2, {stored, removed}, "谢谢", false}};
  r.samples = {{removed, stored, 5, "谢谢童学们", "", false, {}, ""}};
  r.old_sources = {{"redis://host/0", 1, 1, 0, 0}};
  EXPECT_FALSE(holds(render_html(r), "Of stores, which keep no texts"));
  r.old_stores = 1;
  const std::string page = render_html(r);
  EXPECT_TRUE(holds(page, "Of stores, which keep no texts"));
  EXPECT_TRUE(holds(page, "no text is kept there"));
  EXPECT_TRUE(holds(page, "similarity <b>–</b>"));
  EXPECT_FALSE(holds(page, "123,456")) << "its number says nothing";
  EXPECT_FALSE(holds(page, "<del>谢谢")) << "there is nothing to compare it with";
}

TEST(Page, AsksForNothingElsewhere) {
  const std::string page = render_html(full_report());
  for (const std::string_view part : {"http://", "https://", "@import", "url(", " src="}) EXPECT_FALSE(holds(page, part)) << part;
}

TEST(Page, IsDeterministic) { EXPECT_EQ(render_html(full_report()), render_html(full_report())); }

TEST(Page, ElementsAreBalanced) {
  const std::string page = render_html(full_report());
  for (const std::string element : {"div", "section", "details", "summary", "table", "tr", "th", "td", "span", "svg", "figure", "ul", "li",
                                    "main", "dl", "p", "del", "ins"}) {
    const std::size_t opened = times(page, "<" + element + ">") + times(page, "<" + element + " ");
    EXPECT_EQ(opened, times(page, "</" + element + ">")) << element;
  }
}

TEST(Page, NothingRemoved) {
  Report r;
  r.title = "notes.jsonl";
  r.records = r.kept = 12;
  r.distances.assign(65, 0);
  r.similarities.assign(20, 0);
  const std::string page = render_html(r);
  EXPECT_TRUE(holds(page, "None of the 12\u00A0records repeats another; <strong>all stay</strong>."));
  EXPECT_FALSE(holds(page, "<svg"));
  EXPECT_FALSE(holds(page, "id=\"samples\""));
}

TEST(Page, NoRecords) {
  const std::string page = render_html(Report{});
  EXPECT_TRUE(holds(page, "There were no records in the input."));
  EXPECT_FALSE(holds(page, "nan"));
  EXPECT_FALSE(holds(page, "<svg"));
}

TEST(Page, OneRecordRemovedReadsWell) {
  Report r;
  r.records = 3;
  r.removed = 1;
  r.kept = 1;
  r.rejected = 1;
  EXPECT_TRUE(holds(
      render_html(r),
      "Of 2\u00A0readable records <strong>1 (50.0\u00A0%)</strong> repeats another and was removed; <strong>1</strong> stays; 1 could "
      "not be read."));
}

TEST(Page, RejectedHasAColumnOnlyWhereThereIsOne) {
  Report r = full_report();
  for (Source& source : r.sources) source.rejected = 0;
  EXPECT_FALSE(holds(render_html(r), ">Rejected</th>"));
  r.sources[0].rejected = 3;
  EXPECT_TRUE(holds(render_html(r), ">Rejected</th>"));
}

TEST(Page, ExcerptsCutRuledLinesShort) {
  Report r = full_report();
  r.largest[0].excerpt = "Title\n" + std::string(80, '=') + "\n\n  first words, 1000000000 of them";
  const std::string page = render_html(r);
  EXPECT_NE(page.find("Title ===== first words, 1000000000 of them"), std::string::npos);
  EXPECT_EQ(page.find(std::string(6, '=')), std::string::npos);
}

TEST(Page, StrangersTextMeansNothing) {
  Report r = full_report();
  const std::string evil = "<script>alert('x')</script>\"&\u202Eabc\x01";
  r.title = evil;
  r.version = evil;
  r.profile = evil;
  r.profile_id = evil;
  r.sources[0].path = evil;
  r.warnings = {evil};
  r.keep_reasons[0].first = evil;
  r.recall = {{evil, evil}};
  r.configuration = {{evil, evil}};
  r.largest[0].excerpt = evil;
  r.largest[0].members[0].id = evil;
  r.largest[0].members[0].source = evil;
  r.samples[0].removed.id = evil;
  r.samples[0].removed.source = evil;
  r.samples[0].removed_text = evil;
  r.samples[0].kept_text = evil;
  r.samples[0].reason = evil;
  r.samples[0].moved = {{evil, evil, {}, 1, 0, 3}};
  const std::string page = render_html(r);
  EXPECT_EQ(times(page, "<script"), 1U);
  EXPECT_FALSE(holds(page, "alert('x')"));
  EXPECT_FALSE(holds(page, "\u202E"));
  EXPECT_FALSE(holds(page, "\x01"));
}

TEST(Page, NamesWhatMovedTheFingerprint) {
  Report r = full_report();
  EXPECT_FALSE(holds(render_html(r), "class=\"moved\"")) << "nothing is said where nothing is known";
  r.samples[0].moved = {{"gone", "", {}, 1, 0, 3}, {"come", "", {}, 0, 1, 2}, {"more", "", {}, 1, 2.5, 1}};
  r.samples[0].moved_in_all = 12;
  const std::string page = render_html(r);
  EXPECT_TRUE(holds(page, "<del>gone</del> <ins>come</ins> <span>more <span class=\"soft\">1 → 2.5</span></span>"));
  EXPECT_TRUE(holds(page, "and 9 more"));
}

TEST(Page, StaysSmall) {
  Report r = full_report();
  std::string nasty;
  for (int i = 0; i < 3000; ++i) nasty += "\u202E\"\x01\x02";
  Sample& sample = r.samples[0];
  sample.removed_text = sample.kept_text = sample.removed.id = sample.kept.id = sample.removed.source = sample.reason = nasty;
  sample.diff.clear();
  r.samples.assign(300, sample);
  r.largest[0].members[1].source = r.largest[0].members[1].id = r.largest[0].excerpt = nasty;
  r.largest[0].members.assign(50, r.largest[0].members[1]);
  r.largest.assign(60, r.largest[0]);
  r.sources[0].path = r.keep_reasons[0].first = nasty;
  r.sources.assign(300, r.sources[0]);
  r.keep_reasons.assign(300, r.keep_reasons[0]);
  r.recall.assign(300, {nasty, nasty});
  r.warnings.assign(300, nasty);
  r.configuration.assign(300, {nasty, nasty});
  r.cluster_sizes.clear();
  for (std::uint64_t size = 2; size < 100'000; ++size) r.cluster_sizes.emplace_back(size, 1);
  const std::string page = render_html(r);
  EXPECT_LT(page.size(), 2'000'000U);
  EXPECT_TRUE(holds(page, "more pairs are left out"));
  EXPECT_TRUE(holds(page, "</html>"));
}

TEST(Difference, FoldsWhatIsEqualAtTheSameWord) {
  std::string a = "begin ";
  std::string b = "begin, ";
  for (int i = 0; i < 300; ++i) {
    a += "word" + std::to_string(i) + " ";
    b += "word" + std::to_string(i) + ",  ";
  }
  const auto same_a = static_cast<std::uint32_t>(a.size());
  const auto same_b = static_cast<std::uint32_t>(b.size());
  a += "left";
  b += "right";
  const std::vector<DiffRun> diff{{true, 0, same_a, 0, same_b},
                                  {false, same_a, static_cast<std::uint32_t>(a.size()), same_b, static_cast<std::uint32_t>(b.size())}};
  std::string out;
  append_difference(out, a, b, diff);
  EXPECT_EQ(times(out, "class=\"fold\""), 1U);
  EXPECT_EQ(times(out, "class=\"cell"), 4U);
  EXPECT_TRUE(holds(out, "<del>left</del>"));
  EXPECT_TRUE(holds(out, "<ins>right</ins>"));
  for (const std::string_view word : {"word0", "word10", "word299", "word290"})
    EXPECT_EQ(times(out, word) - times(out, std::string(word) + "0"), 2U) << word;
  EXPECT_FALSE(holds(out, "word150"));
}

TEST(Difference, RunsBeyondTheTextsAreCut) {
  std::string out;
  append_difference(out, "abc", "", std::vector<DiffRun>{{true, 0, 99, 0, 99}, {false, 99, 120, 99, 4'000'000'000U}, {false, 7, 2, 7, 2}});
  EXPECT_TRUE(holds(out, "abc"));
}

TEST(Html, EveryBytePasses) {
  EXPECT_EQ(text_html("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(text_html(std::string_view("\0\x7F", 2)), "<span class=\"ctl\">U+0000</span><span class=\"ctl\">U+007F</span>");
  EXPECT_EQ(text_html("\xC2\x85"), "<span class=\"ctl\">U+0085</span>");
  EXPECT_EQ(text_html("汉\xFF字\xE6\xB1"), "汉\uFFFD字\uFFFD\uFFFD");
  EXPECT_EQ(text_html("\xC0\x80\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(text_html("\u2066x"), "<span class=\"ctl\">U+2066</span>x");
  EXPECT_EQ(text_html("a\r\nb\tc"), "a\nb\tc");
  EXPECT_EQ(text_html("a\rb"), "a<span class=\"ctl\">U+000D</span>b");
  EXPECT_EQ(text_html("😀"), "😀");
  EXPECT_EQ(attribute_html("a\"\n\u202E<"), "a&quot; \uFFFD&lt;");
}

TEST(Html, Cuts) {
  EXPECT_EQ(shortened("雷同雷同", 2), "雷同…");
  EXPECT_EQ(shortened("雷同", 2), "雷同");
  EXPECT_EQ(shortened("a second sentence", 8), "a second…");
  EXPECT_EQ(shortened("a second sentence", 12), "a second…");
  EXPECT_EQ(shortened("so don't stop", 7), "so…");
  EXPECT_EQ(shortened("costs 1,234.50 today", 10), "costs…");
  EXPECT_EQ(shortened(std::string(200, 'x'), 100), std::string(100, 'x') + "…") << "no word, but something must be shown";
  EXPECT_EQ(shortened("雷同 is Chinese", 1), "雷…");
  EXPECT_EQ(shortened("ae\xCC\x81 x", 2), "a…") << "a mark belongs to its letter";
  EXPECT_EQ(shortened("mail someone@example.org now", 14), "mail…");
  EXPECT_EQ(fitted("雷同雷同", 5), "雷同…");
  EXPECT_EQ(fitted("abc def", 5), "abc…");
  EXPECT_EQ(fitted("abc def", 7), "abc def");
  EXPECT_EQ(cut_after("one, two three", 4), 8U) << "the word is finished";
  EXPECT_EQ(cut_before("one two, three", 6), 4U);
  EXPECT_EQ(cut_after("雷同，雷同", 2), 6U);
  EXPECT_EQ(letter_count("a b，c。雷"), 4U);
}

TEST(Numbers, ReadWell) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(18446744073709551615U), "18,446,744,073,709,551,615");
  EXPECT_EQ(share_text(0, 0), "0\u00A0%");
  EXPECT_EQ(share_text(1, 100'000), "<\u00A00.1\u00A0%");
  EXPECT_EQ(share_text(99'999, 100'000), ">\u00A099.9\u00A0%");
  EXPECT_EQ(share_text(5, 5), "100\u00A0%");
  EXPECT_EQ(bytes_text(999), "999\u00A0B");
  EXPECT_EQ(bytes_text(1234), "1.2\u00A0kB");
  EXPECT_EQ(bytes_text(999'999), "1.0\u00A0MB");
  EXPECT_EQ(bytes_text(18446744073709551615U), "18\u00A0EB");
  EXPECT_EQ(ratio_text(0.99999), "0.999");
  EXPECT_EQ(ratio_text(1), "1.000");
  EXPECT_EQ(counted(1, "group", "groups"), "1\u00A0group");
}

TEST(Plots, TicksAreRound) {
  const auto ticks = round_ticks(0, 64, 7);
  ASSERT_EQ(ticks.size(), 7U);
  EXPECT_EQ(ticks.back().second, "60");
  EXPECT_EQ(log_ticks(1, 20'000).size(), 5U);
  EXPECT_EQ(log_ticks(1, 20).size(), 5U);
}

TEST(Plots, AxisIsLogarithmicOnlyWhereItMustBe) {
  BarPlot plot;
  plot.y_label = "groups";
  plot.bars = {{0, 1, 3, "three"}, {1, 2, 100, "many"}};
  plot.x_max = 2;
  EXPECT_FALSE(holds(bar_plot_svg(plot), "log scale"));
  plot.bars[1].count = 100'000;
  EXPECT_TRUE(holds(bar_plot_svg(plot), "groups (log scale)"));
}

}  // namespace
}  // namespace leitong::report
