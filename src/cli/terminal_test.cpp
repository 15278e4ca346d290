#include "cli/terminal.h"

#include <gtest/gtest.h>

#include "cli/diff.h"
#include "cli/progress.h"

namespace leitong::cli {
namespace {

TEST(Terminal, NumbersForPeople) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_count(1000), "1,000");
  EXPECT_EQ(human_count(1234567), "1,234,567");
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1234567), "1.2 MB");
  EXPECT_EQ(human_bytes(250e9), "250 GB");
  EXPECT_EQ(human_time(1.25), "1.2 s");
  EXPECT_EQ(human_time(42), "42 s");
  EXPECT_EQ(human_time(3723), "1 h 2 min");
  EXPECT_EQ(human_time(200000), "2 days 7 h");
}

TEST(Terminal, ControlCharactersDoNotReachIt) {
  EXPECT_EQ(harmless("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(harmless("\x1b[31m"), "\xEF\xBF\xBD[31m");
  EXPECT_EQ(harmless("\xC2\x9B"
                     "31m"),
            "\xEF\xBF\xBD"
            "31m");
  EXPECT_EQ(harmless("雷同 \xC2\xA9"), "雷同 \xC2\xA9");
  EXPECT_EQ(harmless("\x7F\r"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(harmless("a\xFF\xE9\x9B"), "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // no UTF-8
  EXPECT_EQ(harmless("\xED\xA0\x80"), "\xEF\xBF\xBD");                            // half a surrogate pair
}

TEST(Progress, SaysRateAndTimeLeft) {
  const Progress half{.stage = "sketch", .done = 500'000'000, .total = 1'000'000'000, .records = 140233};
  EXPECT_EQ(progress_text(half, 10, 200), "sketch  500 MB of 1.0 GB (50 %), 50.0 MB/s, 140,233 records, 10 s left");
  const Progress stream{.stage = "sketch", .done = 5'000'000, .total = 0, .records = 7};
  EXPECT_EQ(progress_text(stream, 1, 200), "sketch  5.0 MB, 5.0 MB/s, 7 records");
  const Progress pairs{.stage = "join", .done = 10, .total = 40, .records = 0};
  EXPECT_EQ(progress_text(pairs, 5, 200), "join    25 %, 15 s left");
  EXPECT_EQ(progress_text(half, 10, 20).size(), 20U);
}

TEST(Diff, MarksWhatDiffers) {
  const std::string a = "one two three", b = "one 2 three four";
  const std::vector<DiffRun> runs{{true, 0, 4, 0, 4}, {false, 4, 7, 4, 5}, {true, 7, 13, 5, 11}, {false, 13, 13, 11, 16}};
  EXPECT_EQ(marked_diff(a, b, runs, 0, false), "one [-two-]{+2+} three{+ four+}");
  EXPECT_EQ(marked_diff(a, b, runs, 0, true), "one \x1b[31;9mtwo\x1b[0m\x1b[32;1m2\x1b[0m three\x1b[32;1m four\x1b[0m");
}

TEST(Diff, ShortensLongEqualRunsAtCharacters) {
  std::string han;
  for (int i = 0; i < 100; ++i) han += "雷";
  const auto size = static_cast<std::uint32_t>(han.size());
  const std::vector<DiffRun> whole{{true, 0, size, 0, size}};
  EXPECT_EQ(marked_diff(han, han, whole, 0, false), han);
  const std::string b = "x" + han + "y";
  const std::vector<DiffRun> runs{{false, 0, 0, 0, 1}, {true, 0, size, 1, size + 1}, {false, size, size, size + 1, size + 2}};
  const std::string got = marked_diff(han, b, runs, 20, false);
  EXPECT_EQ(got, "{+x+}雷雷雷 [... 282 equal bytes ...] 雷雷雷{+y+}");
}

TEST(Json, EscapesAndRepairs) {
  EXPECT_EQ(json_string("a\"b\\c\nd\x01"), R"("a\"b\\c\nd\u0001")");
  EXPECT_EQ(json_string("雷同\xF0\x9F\x98\x80"), "\"雷同\xF0\x9F\x98\x80\"");
  EXPECT_EQ(json_string("\xFF\xC0\x80\xED\xA0\x80z"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\"");
  EXPECT_EQ(json_string("\xE9\x9B"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace leitong::cli
