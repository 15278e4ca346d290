#include "remote/pattern.h"

#include <gtest/gtest.h>

#include <string>

#include "leitong/error.h"

namespace leitong::remote {
namespace {

std::string wrong(std::string_view text) {
  try {
    Pattern{text};
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

std::string written(std::string_view pattern, const PatternFields& fields) {
  std::string out = "prefix/";
  Pattern(pattern).append(fields, out);
  return out.substr(7);
}

// "position|block|id|fingerprint"
std::string matched(std::string_view pattern, std::string_view text) {
  const auto found = Pattern(pattern).match(text);
  if (!found) return "none";
  return std::string(found->position) + "|" + std::string(found->block) + "|" + std::string(found->id) + "|" +
         std::string(found->fingerprint);
}

TEST(Pattern, Writes) {
  const PatternFields fields{"3", "0101", "a:b", "ff"};
  EXPECT_EQ(written("{position}:{block}", fields), "3:0101");
  EXPECT_EQ(written("b{position}{block}!", fields), "b30101!");
  EXPECT_EQ(written("{id}:{fingerprint}", fields), "a:b:ff");
  EXPECT_EQ(written("{{tag}}{id}{{}}", fields), "{tag}a:b{}");
  EXPECT_EQ(written("plain", fields), "plain");
  EXPECT_EQ(written("", fields), "");
  const Pattern pattern("{position}:{block}");
  EXPECT_TRUE(pattern.has_position() && pattern.has_block());
  EXPECT_FALSE(pattern.has_id() || pattern.has_fingerprint());
  EXPECT_EQ(pattern.text(), "{position}:{block}");
  EXPECT_EQ(pattern, Pattern("{position}:{block}"));
  EXPECT_FALSE(pattern == Pattern("{block}"));
}

TEST(Pattern, SaysWhatIsWrong) {
  EXPECT_NE(wrong("{blok}").find("\"{blok}\": there is no field \"blok\""), std::string::npos) << wrong("{blok}");
  EXPECT_NE(wrong("{id}{id}").find("{id} stands in it twice"), std::string::npos) << wrong("{id}{id}");
  EXPECT_NE(wrong("a{").find("a '{' without its partner"), std::string::npos) << wrong("a{");
  for (const char* text : {"{", "}", "a}b", "{id", "{id{block}", "{}", "{{{", "{ id}", "{id}{fingerprint}", "{block}{id}",
                           "{id}{position}{block}", "{position}{block}{id}", "{id}x{id}"}) {
    EXPECT_NE(wrong(text), "") << text;
  }
  for (const char* text : {"", "x", "{{", "}}", "{position}{block}", "{id}{position}", "{id} {block}", "{{{id}}}"}) {
    EXPECT_EQ(wrong(text), "") << text;
  }
}

TEST(Pattern, ReadsBack) {
  EXPECT_EQ(matched("{position}:{block}", "3:0101"), "3|0101||");
  EXPECT_EQ(matched("{position}:{block}", "15:0101"), "15|0101||");
  EXPECT_EQ(matched("{position}{block}", "30101"), "3|0101||");
  EXPECT_EQ(matched("{block}{position}", "01013"), "3|0101||");
  EXPECT_EQ(matched("{block}{position}:x", "01013:x"), "3|0101||");
  EXPECT_EQ(matched("{block}_{position}", "ab_12"), "12|ab||");
  EXPECT_EQ(matched("k:{block}", "k:ab"), "|ab||");
  EXPECT_EQ(matched("{{{block}}}", "{ab}"), "|ab||");
  EXPECT_EQ(matched("x", "x"), "|||");
  EXPECT_EQ(matched("{block}", std::string_view("\0:", 2)).size(), 5U);
}

TEST(Pattern, AnIdHoldsAnything) {
  EXPECT_EQ(matched("{id}:{fingerprint}", "a:b:ff"), "||a:b|ff");
  EXPECT_EQ(matched("{fingerprint}:{id}", "ff:a:b"), "||a:b|ff");
  EXPECT_EQ(matched("{block}-{id}-{fingerprint}", "01-a-b-ff"), "|01|a-b|ff");
  EXPECT_EQ(matched("fp:{id}", "fp:fp:1"), "||fp:1|");
  EXPECT_EQ(matched("{id}.fp", "x.fp.fp"), "||x.fp|");
  EXPECT_EQ(matched("{id}:{position}", "a:1:15"), "15||a:1|");
  EXPECT_EQ(matched("{id}{position}", "a15"), "5||a1|");
  EXPECT_EQ(matched("{position}{id}", "15a"), "1||5a|");
  EXPECT_EQ(matched("{id}:{block}{position}", "a:b:013"), "3|01|a:b|");
  EXPECT_EQ(matched("{id}:{position}{block}", "a:b:301"), "3|01|a:b|");
  EXPECT_EQ(matched("{id}", ""), "|||");
  EXPECT_EQ(matched("a{id}a", "aa"), "|||");
}

TEST(Pattern, RefusesWhatIsNotOfIt) {
  for (const char* text : {"", ":", "x:01", ":01", "123:01", "3.01"}) EXPECT_EQ(matched("{position}:{block}", text), "none") << text;
  for (const char* text : {"", "f", "fp", "FP:1"}) EXPECT_EQ(matched("fp:{id}", text), "none") << text;
  EXPECT_EQ(matched("{id}:{fingerprint}", "ff"), "none");
  EXPECT_EQ(matched("a{id}a", "a"), "none") << "one character is not two";
  EXPECT_EQ(matched("x", "xx"), "none");
  EXPECT_EQ(matched("{position}", "x"), "none");
  EXPECT_EQ(matched("{block}{position}", "01x"), "none");
  EXPECT_EQ(matched("{block}{position}", ""), "none");
}

}  // namespace
}  // namespace leitong::remote
