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

std::string page_of(const std::string& a, const std::string& b, const std::vector<DiffRun>& diff = {}) {
  const std::vector<PairToLabel> pairs = {{{evil, evil, a, false}, {"7", "news.jsonl", b, true}}};
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
  const std::string page = page_of(a, b, {{true, 0, size, 0, size}, {false, size, size + 3, size, size + 3}});
  EXPECT_EQ(occurrences(page, "level folded\" dir=\"auto\" hidden>"), 2U);
  for (int i = 100; i < 200; ++i) EXPECT_EQ(occurrences(page, "word" + std::to_string(i)), 2U) << i;
  EXPECT_NE(page.find("<del>one</del>"), std::string::npos);
  EXPECT_NE(page.find("<ins>two</ins>"), std::string::npos);
}

}  // namespace
}  // namespace leitong::report
