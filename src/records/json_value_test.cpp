// JsonValue and JsonParser: none where there is nothing, and every kind as itself alone.
#include "records/json_value.h"

#include <gtest/gtest.h>

#include <limits>

namespace leitong::records {
namespace {

class Parsed {
 public:
  explicit Parsed(std::string_view json) { EXPECT_TRUE(parser_.parse(json, root)) << json; }
  JsonValue operator[](std::string_view key) const { return root[key]; }
  JsonValue root;

 private:
  JsonParser parser_;
};

// What a value is read as by each get(), "text", "unsigned signed real" and so on.
std::string kinds_of(JsonValue value) {
  std::string_view text;
  std::uint64_t number = 0;
  std::int64_t signed_number = 0;
  double real = 0;
  bool boolean = false;
  JsonElements elements;
  JsonMembers members;
  std::string all;
  const auto add = [&](bool is, const char* name) { all += is ? (all.empty() ? "" : " ") + std::string(name) : ""; };
  add(value.get(text), "text");
  add(value.get(number), "unsigned");
  add(value.get(signed_number), "signed");
  add(value.get(real), "real");
  add(value.get(boolean), "boolean");
  add(value.get(elements), "elements");
  add(value.get(members), "members");
  add(value.is_null(), "null");
  return all;
}

template <class T>
T read(JsonValue value) {
  T out{};
  EXPECT_TRUE(value.get(out));
  return out;
}

TEST(JsonValue, NoneStaysNone) {
  static_assert(sizeof(JsonValue) == 2 * sizeof(void*) && std::is_trivially_copyable_v<JsonValue>);
  const Parsed json(R"({"a":{"b":[1]},"n":null})");
  for (const JsonValue none : {JsonValue(), JsonValue()["a"]["b"], json["b"], json["a"]["x"]["y"], json["a"]["b"]["0"], json["n"]["a"]}) {
    EXPECT_FALSE(none);
    EXPECT_EQ(kinds_of(none), "");
    EXPECT_EQ(none.minified(), "");
  }
  EXPECT_TRUE(json["n"]);
}

TEST(JsonValue, IsOfItsOwnKindOnly) {
  const Parsed json(
      R"({"text":"1","small":7,"minus":-7,"large":18446744073709551615,"real":1.0,"yes":true,"none":null,"list":[],"object":{}})");
  const std::vector<std::pair<const char*, std::string>> expected = {{"text", "text"},         {"small", "unsigned signed real"},
                                                                     {"minus", "signed real"}, {"large", "unsigned real"},
                                                                     {"real", "real"},         {"yes", "boolean"},
                                                                     {"none", "null"},         {"list", "elements"},
                                                                     {"object", "members"}};
  for (const auto& [key, kinds] : expected) EXPECT_EQ(kinds_of(json[key]), kinds) << key;
}

TEST(JsonValue, WhatIsOfAnotherKindStaysAsItWas) {
  const Parsed json(R"({"a":"x"})");
  std::uint64_t number = 5;
  JsonElements elements(2);
  EXPECT_FALSE(json["a"].get(number));
  EXPECT_FALSE(json["a"].get(elements));
  EXPECT_EQ(number, 5U);
  EXPECT_EQ(elements.size(), 2U);
}

TEST(JsonValue, NumbersAtTheirLimits) {
  const Parsed json(R"([18446744073709551615,-9223372036854775808,9223372036854775807,1e300,0.1])");
  const auto numbers = read<JsonElements>(json.root);
  ASSERT_EQ(numbers.size(), 5U);
  EXPECT_EQ(read<std::uint64_t>(numbers[0]), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(read<std::int64_t>(numbers[1]), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read<std::int64_t>(numbers[2]), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read<double>(numbers[3]), 1e300);
  EXPECT_EQ(read<double>(numbers[4]), .1);
}

TEST(JsonValue, NestedInTheOrderOfTheDocument) {
  const Parsed json(R"( {"b" : {"x\ny": [true, {"c": "\u4e2d"}]}, "a": -1.5, "b": 2} )");
  const auto members = read<JsonMembers>(json.root);
  ASSERT_EQ(members.size(), 3U);
  EXPECT_EQ(members[0].key, "b");
  EXPECT_EQ(members[1].key, "a");
  EXPECT_EQ(read<std::uint64_t>(members[2].value), 2U);
  const auto inner = read<JsonElements>(json["b"]["x\ny"]);  // of repeated keys the first
  ASSERT_EQ(inner.size(), 2U);
  EXPECT_EQ(read<std::string_view>(inner[1]["c"]), "\xE4\xB8\xAD");
  EXPECT_EQ(json.root.minified(), "{\"b\":{\"x\\ny\":[true,{\"c\":\"\xE4\xB8\xAD\"}]},\"a\":-1.5,\"b\":2}");
}

TEST(JsonParser, RefusesWhatIsNoJson) {
  JsonParser parser;
  for (const std::string_view bad : {"", " ", "{", "{}}", "[1,]", "{\"a\":1", "nul", "\"a", "18446744073709551616", "\"\xFF\""}) {
    JsonValue root;
    ASSERT_TRUE(parser.parse("1", root));
    EXPECT_FALSE(parser.parse(bad, root)) << bad;
    EXPECT_FALSE(root) << bad;
  }
}

TEST(JsonParser, ParsesOneAfterTheOther) {
  JsonParser parser, other;
  JsonValue first, second, third;
  ASSERT_TRUE(parser.parse(R"({"a":"one"})", first));
  ASSERT_TRUE(other.parse(R"("two")", second));
  EXPECT_EQ(read<std::string_view>(first["a"]), "one");
  const std::string large = "[" + std::string(100'000, ' ') + R"({"a":"three"}])";
  ASSERT_TRUE(parser.parse(large, third));
  EXPECT_EQ(read<std::string_view>(read<JsonElements>(third)[0]["a"]), "three");
  EXPECT_EQ(read<std::string_view>(second), "two");
}

}  // namespace
}  // namespace leitong::records
