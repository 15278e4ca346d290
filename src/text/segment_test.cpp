#include "text/segment.h"

#include <gtest/gtest.h>
#include <unicode/brkiter.h>
#include <unicode/unistr.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace leitong::text {
namespace {

using End = std::size_t (*)(std::span<const char32_t>, std::size_t);

std::vector<std::size_t> ends(End end, const std::u32string& points) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < points.size(); out.push_back(i)) i = end(points, i);
  return out;
}

// The lines of Unicode's test files: "÷ 0001 × 0308 ÷".
void run_file(const std::string& name, End end) {
  std::ifstream file("/usr/share/unicode/auxiliary/" + name);
  if (!file) GTEST_SKIP() << "SKIPPED: the package unicode-data is not installed, no " << name;
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    line.resize(line.find('#') == std::string::npos ? line.size() : line.find('#'));
    std::u32string points;
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < line.size();) {
      if (line.compare(i, 2, "\xC3\xB7") == 0) {
        if (!points.empty()) expected.push_back(points.size());
        i += 2;
      } else if (std::isxdigit(static_cast<unsigned char>(line[i])) != 0) {
        std::size_t used = 0;
        points.push_back(static_cast<char32_t>(std::stoul(line.substr(i), &used, 16)));
        i += used;
      } else {
        ++i;
      }
    }
    if (points.empty()) continue;
    ++cases;
    ASSERT_EQ(ends(end, points), expected) << line;
  }
  EXPECT_GT(cases, 500U);
}

TEST(Segment, UnicodeWordBreakTest) { run_file("WordBreakTest.txt", word_end); }
TEST(Segment, UnicodeGraphemeBreakTest) { run_file("GraphemeBreakTest.txt", grapheme_end); }

TEST(Segment, RandomGraphemesAsIcuDoes) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> iterator(icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  ASSERT_TRUE(U_SUCCESS(status));
  const std::u32string pool =
      U"a "
      U"\r\n\u0301\u200D\u00AD\u0600\u0903\u0E01\u0E33\u1100\u1161\u11A8\uAC00\uAC01\u2764\uFE0F\U0001F468\U0001F1E6\U0001F3FD\u0E48\u17D2";
  std::mt19937_64 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::u32string points;
    for (std::size_t size = random() % 9 + 1; points.size() < size;) points += pool[random() % pool.size()];
    const icu::UnicodeString text =
        icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(points.data()), static_cast<int32_t>(points.size()));
    iterator->setText(text);
    std::vector<std::size_t> expected;
    iterator->first();
    for (int32_t at = iterator->next(); at != icu::BreakIterator::DONE; at = iterator->next()) {
      expected.push_back(static_cast<std::size_t>(text.countChar32(0, at)));
    }
    ASSERT_EQ(ends(grapheme_end, points), expected) << round;
  }
}

TEST(Segment, LookAheadOverLongMarksIsLinear) {
  // Every "a ." must look beyond its marks; so many in a row must not look again and again.
  std::u32string points;
  for (int i = 0; i < 1000; ++i) points += U"a." + std::u32string(1000, U'\u0301');
  EXPECT_EQ(ends(word_end, points).size(), 2U);  // the last full stop stands alone
  EXPECT_EQ(ends(word_end, std::u32string(2'000'000, U'\u0301')).size(), 1U);
}

}  // namespace
}  // namespace leitong::text
