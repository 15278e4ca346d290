#include "report/label_page.h"

#include <gtest/gtest.h>

namespace leitong::report {
namespace {

const std::string evil =
    "</script></template><script>alert(1)</script> <img src=x onerror=alert(2)> \"'& \x01\x1b[31m \xE2\x80\xAE \xff 雷同";

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string page_of(const std::string& a, const std::string& b, const std::vector<DiffRun>& diff = {}, bool cut = true) {
  const std::vector<PairToLabel> pairs = {{{evil, evil, a, false}, {"7", "news.jsonl", b, cut}}};
  return render_label_page({"news " + evil, "0123", {}}, pairs, {diff});
}

TEST(LabelPage, StrangersTextStaysText) {
  const std::string page = page_of(evil, "x " + evil);
  EXPECT_EQ(occurrences(page, "<script"), 1U);
  EXPECT_EQ(occurrences(page, "</script"), 1U);
  EXPECT_EQ(occurrences(page, "<template"), 1U);
  EXPECT_EQ(occurrences(page, "</template"), 1U);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find('\x01'), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(page.find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_EQ(page.find('\xff'), std::string::npos);
  EXPECT_NE(page.find("雷同"), std::string::npos);
  EXPECT_NE(page.find("&lt;/script&gt;"), std::string::npos);
  EXPECT_NE(page.find("the texts go on"), std::string::npos);
}

TEST(LabelPage, NeedsNothingFromElsewhere) {
  const std::string page = page_of("a", "b");
  EXPECT_EQ(page.find("http"), page.find("http-equiv")) << "an address";
  EXPECT_EQ(occurrences(page, "http"), 1U);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page, page_of("a", "b"));
}

TEST(LabelPage, FoldedTextCanBeOpened) {
  std::string same;
  for (int i = 0; i < 200; ++i) same += "word" + std::to_string(i) + " ";
  const std::string a = same + "one", b = same + "two";
  const auto size = static_cast<std::uint32_t>(same.size());
  const std::string page = page_of(a, b, {{true, 0, size, 0, size}, {false, size, size + 3, size, size + 3}}, false);
  EXPECT_EQ(occurrences(page, "cell a b level folded\" dir=\"auto\" hidden>"), 1U) << "equal texts stand once";
  for (int i = 100; i < 180; ++i) EXPECT_EQ(occurrences(page, "word" + std::to_string(i)), 1U) << i;
  EXPECT_NE(page.find("<del>one</del>"), std::string::npos);
  EXPECT_NE(page.find("<ins>two</ins>"), std::string::npos);
}

// Scattered edits in long texts, each pair of 100 kB: the page shows where they begin, and how many follow.
TEST(LabelPage, ManyLongPairsMakeASmallPage) {
  std::string a, b;
  std::vector<DiffRun> diff;
  const auto add = [&](const std::string& left, const std::string& right) {
    const auto size = [](const std::string& text) { return static_cast<std::uint32_t>(text.size()); };
    diff.push_back({left == right, size(a), size(a + left), size(b), size(b + right)});
    a += left, b += right;
  };
  for (int i = 0; i < 100; ++i) {
    std::string same;
    for (int word = 0; word < 20; ++word) same += "word" + std::to_string(i) + " ";
    add(same, same);
    add("before" + std::to_string(i) + " ", "after" + std::to_string(i) + " ");
  }
  add(std::string(20'000, 'x') + " ", std::string(20'000, 'y') + " ");
  const std::vector<PairToLabel> pairs(204, {{"1", "a.jsonl", a, false}, {"2", "b.jsonl", b, false}});
  const std::string page = render_label_page({"long", "0123", {}}, pairs, std::vector(pairs.size(), diff));
  EXPECT_LT(page.size(), 1'500'000U);
  EXPECT_EQ(occurrences(page, "<del>before0 </del>"), 204U);
  EXPECT_EQ(occurrences(page, "more differences in "), 204U);
  EXPECT_EQ(occurrences(page, "pairs to label – Leitong</title>"), 1U);
}

TEST(LabelPage, WhereTextsWereCutNothingDiffers) {
  const std::vector<PairToLabel> pairs = {{{"1", "s", "same old zebra", true}, {"2", "s", "same", true}}};
  const std::vector<DiffRun> diff = {{true, 0, 4, 0, 4}, {false, 4, 13, 4, 4}};
  EXPECT_EQ(occurrences(render_label_page({"", "", {}}, pairs, {diff}), "zebra"), 0U);
}

}  // namespace
}  // namespace leitong::report
