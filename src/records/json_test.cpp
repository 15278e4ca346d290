#include "records/json.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "records/json_fields.h"
#include "records/utf8.h"

namespace leitong::records {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string number(double value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

TEST(Json, StringsAreEscaped) {
  EXPECT_EQ(quoted(""), "\"\"");
  EXPECT_EQ(quoted(std::string_view("a\"\\\n\r\t\x01\x1f\0/雷同😀\x7f", 21)), "\"a\\\"\\\\\\n\\r\\t\\u0001\\u001f\\u0000/雷同😀\x7f\"");
}

TEST(Json, InvalidUtf8IsReplaced) {
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(quoted("a\xFFz"), "\"a" + r + "z\"");
  EXPECT_EQ(quoted("\xE9\x9B"), "\"" + r + "\"");                        // cut off
  EXPECT_EQ(quoted("\xED\xA0\x80 \xED\xBF\xBF"), R"("\ud800 \udfff")");  // surrogates without a partner
  EXPECT_EQ(quoted("\xED\xA0"), "\"" + r + r + "\"");
  EXPECT_EQ(quoted("\xF0\x9F\x98!\xC0\xAF"), "\"" + r + "!" + r + r + "\"");
  EXPECT_EQ(valid_utf8_prefix("ab\xF4\x90\x80\x80"), 2U);
  EXPECT_EQ(valid_utf8_prefix("雷同"), 6U);
}

TEST(Json, Numbers) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(-0.0), "-0");
  EXPECT_EQ(number(1), "1");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(-2.5), "-2.5");
  EXPECT_EQ(number(1e-5), "0.00001");
  EXPECT_EQ(number(1e15), "1000000000000000");
  EXPECT_EQ(number(1e300), "1e+300");
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 200) - 160);
    const std::string text = number(value);
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    const double size = std::fabs(value);
    if (size >= 1e-5 && size <= 1e15) {
      EXPECT_EQ(text.find('e'), std::string::npos) << text;
    }
    // And it is JSON.
    const JsonPaths paths({"x"});
    JsonFields fields;
    std::string line = "{\"x\":" + text + "}";
    line.reserve(line.size() + 64);
    ASSERT_TRUE(fields.extract(paths, line));
    EXPECT_EQ(fields.value(0).raw, text);
  }
}

}  // namespace
}  // namespace leitong::records
