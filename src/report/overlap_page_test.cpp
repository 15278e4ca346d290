#include "report/overlap_page.h"

#include <gtest/gtest.h>

#include <numeric>

namespace leitong::report {
namespace {

std::string joined(const std::vector<OverlapPart>& parts) {
  std::string out;
  for (const OverlapPart& part : parts)
    out += part.left_out > 0 ? "<" + std::to_string(part.left_out) + ">" : part.shared ? "[" + part.text + "]" : part.text;
  return out;
}

OverlapPage example() {
  OverlapPage page;
  page.version = "1.0", page.a_title = "crawl <script>", page.b_title = "tests", page.span = 20, page.contained = 0.5;
  page.counts.a_records = 10, page.counts.b_records = 5, page.counts.b_rejected = 1, page.counts.contained = 1, page.counts.partial = 2;
  page.counts.pairs = 9, page.counts.holding = 4;
  page.columns = {{"a/one.jsonl", 4, 3}, {"a/" + std::string(60, 'x') + ".jsonl", 6, 1}};
  page.rows = {{"b/mmlu & co", 3, {1, 2}, {{1, 1}, {0, 2}}}, {"b/none", 1, {0, 0}, {{0, 0}, {0, 0}}}};
  page.pairs = {{{"id-a", "a/one.jsonl", 7, 900, 0.03, {{"before ", false, 0}, {"shared <b>", true, 0}, {"", false, 123}}},
                 {"", "b/mmlu & co", 2, 30, 1, {{"shared <b>", true, 0}}},
                 30,
                 1,
                 true}};
  page.passages = {{"Answer & explain", 5000, 12}};
  page.warnings = {"B: something <odd>."};
  return page;
}

TEST(OverlapPage, SaysWhatIsKnown) {
  const std::string page = render_overlap(example());
  EXPECT_NE(page.find("Of the 4\u00A0texts of B <strong>1 (25.0\u00A0%)</strong> is contained in A; <strong>2</strong> have a passage"),
            std::string::npos);
  EXPECT_NE(page.find("<mark>shared &lt;b&gt;</mark>"), std::string::npos);
  EXPECT_NE(page.find("⋯ 123\u00A0characters ⋯"), std::string::npos);
  EXPECT_NE(page.find("b/mmlu &amp; co"), std::string::npos);
  EXPECT_NE(page.find("<b>1</b> · 33.3\u00A0%<small>2 partial</small>"), std::string::npos);
  EXPECT_NE(page.find("Answer &amp; explain"), std::string::npos);
  EXPECT_NE(page.find("something &lt;odd&gt;."), std::string::npos);
  EXPECT_EQ(page.find("<script>\n"), page.rfind("<script>"));
  EXPECT_EQ(page, render_overlap(example()));
}

TEST(OverlapPage, NothingInCommonAndNothingAtAll) {
  OverlapPage page = example();
  page.counts.pairs = page.counts.contained = page.counts.partial = 0;
  page.pairs.clear(), page.passages.clear(), page.warnings.clear();
  const std::string none = render_overlap(page);
  EXPECT_NE(none.find("A holds no passage of the <strong>4\u00A0texts</strong> of B."), std::string::npos);
  EXPECT_EQ(none.find("id=\"pairs\""), std::string::npos);
  EXPECT_EQ(none.find("id=\"warnings\""), std::string::npos);
  EXPECT_NE(render_overlap({}).find("B holds no text to look for."), std::string::npos);
}

TEST(OverlapParts, ShowWhatIsSharedAndALittleAround) {
  EXPECT_EQ(joined(overlap_parts("ab cd ef", {{3, 5}})), "ab [cd] ef");
  EXPECT_EQ(joined(overlap_parts("", {})), "");
  EXPECT_EQ(joined(overlap_parts("abc", {})), "abc");
  const std::string text = std::string(300, 'x') + "汉字" + std::string(300, 'y');
  EXPECT_EQ(joined(overlap_parts(text, {{300, 306}})), "<220>" + std::string(80, 'x') + "[汉字]" + std::string(80, 'y') + "<220>");
  EXPECT_EQ(joined(overlap_parts(text, {{300, 303}, {303, 306}})), joined(overlap_parts(text, {{300, 306}})));
  const std::string longer(5000, 'z');
  EXPECT_EQ(joined(overlap_parts(longer, {{0, 5000}})), "[" + std::string(300, 'z') + "]<4400>[" + std::string(300, 'z') + "]");
}

// Whatever the ranges: all characters are shown or counted, once and in order.
TEST(OverlapParts, LoseNothing) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += i % 2 == 0 ? "é" : "a";
  for (std::size_t step = 3; step < 3000; step = step * 2 + 1) {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    for (std::size_t at = step; at < 6000; at += 3 * step) ranges.emplace_back(at / 3 * 3, at / 3 * 3 + step / 3 * 3 + 3);
    std::uint64_t characters = 0;
    std::size_t place = 0;
    for (const OverlapPart& part : overlap_parts(text, ranges)) {
      if (part.left_out == 0) {
        EXPECT_EQ(text.substr(place, part.text.size()), part.text);
        place += part.text.size();
        for (const char c : part.text) characters += (c & 0xC0) != 0x80 ? 1 : 0;
        continue;
      }
      characters += part.left_out;
      for (std::uint64_t n = 0; n < part.left_out; ++n)
        for (++place; place < text.size() && (text[place] & 0xC0) == 0x80;) ++place;
    }
    EXPECT_EQ(characters, 4000U) << step;
    EXPECT_EQ(place, text.size()) << step;
  }
}

}  // namespace
}  // namespace leitong::report
