#include "segment/java_properties.h"

#include <gtest/gtest.h>

namespace leitong::segment {
namespace {

using Map = std::map<std::string, std::string>;

TEST(JavaProperties, ReadsAsJavaDoes) {
  EXPECT_EQ(read_java_properties(""), Map());
  EXPECT_EQ(read_java_properties("a=1\r\n b : 2 \n\fc 3\rd\n=e"), (Map{{"a", "1"}, {"b", "2 "}, {"c", "3"}, {"d", ""}, {"", "e"}}));
  EXPECT_EQ(read_java_properties("# a=1\\\n  ! b=2\nc=# no comment\nc=last"), (Map{{"c", "last"}}));
  EXPECT_EQ(read_java_properties("a=1; \\\n    2;\\\\\nb=x\\"), (Map{{"a", "1; 2;\\"}, {"b", "x"}}));
  EXPECT_EQ(read_java_properties("a\\=b\\ c=\\u96F7\\u540c\\t\\q\\uD83D\\uDE00词"), (Map{{"a=b c", "雷同\tq\U0001F600词"}}));
  EXPECT_EQ(read_java_properties("a==b\n\n\nroot=C:\\\\data\\\\"), (Map{{"a", "=b"}, {"root", "C:\\data\\"}}));
}

}  // namespace
}  // namespace leitong::segment
