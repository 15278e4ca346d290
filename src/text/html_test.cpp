#include "text/html.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/entities.h"
#include "text/entities_table.h"
#include "text/normalize.h"
#include "text/tokenize.h"
#include "text/utf8.h"

namespace leitong::text {
namespace {

std::string converted(std::string_view html) {
  std::string out = "left over";
  html_to_text(html, out);
  return out;
}

using Cases = std::vector<std::pair<std::string_view, std::string_view>>;

void run(const Cases& cases) {
  for (const auto& [html, text] : cases) EXPECT_EQ(converted(html), text) << html;
}

TEST(Html, TextAndBlocks) {
  run({{"", ""},
       {"plain", "plain"},
       {"  a \n\t b  ", "a b"},
       {"<p>one</p><p>two</p>", "one\ntwo"},
       {"<p>one<p>two", "one\ntwo"},
       {"a<br>b<br/>c<BR />d", "a\nb\nc\nd"},
       {"a<b>b</b><i>c</i> <u> d</u>", "abc d"},
       {"<div><div>x</div></div><div></div>y", "x\ny"},
       {"<ul><li>a<li>b</ul>c", "a\nb\nc"},
       {"<h1>T</h1>text", "T\ntext"},
       {"<table><tr><td>a</td><td>b</td></tr><tr><th>c<td>d</table>", "a b\nc d"},
       {"<p> </p>\n<p>x </p>\n", "x"},
       {"<p>a<p>  <span> b</span>", "a\nb"},
       {"文<wbr>字<p>段", "文字\n段"},
       {"a<img src=x alt='>'>b", "ab"},
       {"<option>a<option>b", "a\nb"}});
}

TEST(Html, Tags) {
  run({{"<a href='x>y'>z</a>", "z"},
       {"<a href=\"x>y\" title='\">'>z</a>", "z"},
       {"<a href=x'y>z</a>", "z"},
       {"<a href = \"q>\" b>z", "z"},
       {"<a =\">\" >z", "\" >z"},  // the sign of equality is the name, and so the quote is one of its characters
       {"<a b=>z", "z"},
       {"<a b='c'd>z", "z"},
       {"<a/b='>'/>z", "z"},
       {"a < b", "a < b"},
       {"a <3 b", "a <3 b"},
       {"a<", "a<"},
       {"a</", "a</"},
       {"a</>b", "ab"},
       {"a</ b>c", "ac"},
       {"a<?php x ?>b", "ab"},
       {"<!DOCTYPE html>a", "a"},
       {"<!doctype html PUBLIC \"-//W3C\">a", "a"},
       {"<!bogus>a", "a"},
       {"a<b", "a"},
       {"a<b c='", "a"},
       {"a<b c='>", "a"},
       {"</p x='>'>a", "a"},
       {"x<custom-element-with-a-long-name>y", "xy"}});
}

TEST(Html, Comments) {
  run({{"a<!-- b -->c", "ac"},
       {"a<!-- b > c -->d", "ad"},
       {"a<!-->b", "ab"},
       {"a<!--->b", "ab"},
       {"a<!---->b", "ab"},
       {"a<!-- b --!>c", "ac"},
       {"a<!-- b -- >c-->d", "ad"},
       {"a<!--- b --->c", "ac"},
       {"a<!-- <!-- b -->c", "ac"},
       {"a<!-- b", "a"},
       {"a<!-b>c", "ac"},
       {"a<![CDATA[x < y & <b>]]>c", "ax < y & <b>c"},
       {"a<![CDATA[x", "ax"}});
}

TEST(Html, RawElements) {
  run({{"a<script>if (a < b) '</p>'</script>b", "ab"},
       {"a<SCRIPT type='x'>y</Script >b", "ab"},
       {"a<script>x</scripty></script>b", "ab"},
       {"a<script>x", "a"},
       {"a<script>x</script", "a"},
       {"a<style>p > b {}</style>b", "ab"},
       {"a<noscript><p>x</p></noscript>b", "ab"},
       {"a<template><p>x<template>y</template>z</p></template>b", "ab"},
       {"a<template>x</template></template>b", "ab"},
       {"a<iframe><p>x</iframe>b", "ab"},
       {"<textarea>a <b> &amp;</textarea>c", "a <b> &\nc"},
       {"<xmp><b>&amp;</xmp>c", "<b>&amp;\nc"},
       {"<plaintext>a</plaintext><b>", "a</plaintext><b>"},
       {"<html><head><meta charset=utf-8><title> A &lt;title&gt; </title><link rel=x><script>1</script></head><body>b</body></html>",
        "A <title>\nb"},
       {"<title>a</title><svg><title>icon</title></svg>b", "a\nb"},
       {"<title>a <b> c</title>d", "a <b> c\nd"}});
}

TEST(Html, Preformatted) {
  run({{"<pre>\n a\n  b </pre>c", " a\n  b \nc"},
       {"<pre>a\r\nb\rc</pre>", "a\nb\nc"},
       {"<pre>a &lt; <b>b</b>\n</pre>  c  d", "a < b\nc d"},
       {"x<pre>y</pre></pre>  z", "x\ny\nz"}});
}

TEST(Html, References) {
  run({{"&amp;&lt;&gt;&quot;&apos;", "&<>\"'"},
       {"&eacute;&Eacute;&hellip;", "éÉ…"},
       {"&amp &ampx &lt3", "& &x <3"},
       {"&notit; &notin; &not", "¬it; ∉ ¬"},
       {"&hellip &unknown; & &; &#; &#x; &#xg;", "&hellip &unknown; & &; &#; &#x; &#xg;"},
       {"&#65;&#x41;&#X4e2D;&#65 &#x41z", "AA中A Az"},
       {"&#128;&#x99;&#129;", "€™\u0081"},
       {"&#0;&#xD800;&#x110000;&#99999999999999999999;", "\uFFFD\uFFFD\uFFFD\uFFFD"},
       {"&NotEqualTilde;", "\u2242\u0338"},
       {"&CounterClockwiseContourIntegral;", "∳"},
       {"&#32;a&#32;", " a "},
       {"a&nbsp;b", "a\u00A0b"},
       {"&", "&"},
       {"&am", "&am"},
       {"<p title='&lt;'>&#x1F600;", "😀"}});
}

TEST(Html, EveryNamedReference) {
  ASSERT_EQ(entity_count, 2231U);
  for (std::size_t i = 0; i < entity_count; ++i) {
    const Entity& e = entities[i];
    std::string expected, out;
    append_utf8(e.first, expected);
    if (e.second != 0) append_utf8(e.second, expected);
    EXPECT_EQ(append_reference(std::string("&") + e.name, out), std::string_view(e.name).size() + 1) << e.name;
    EXPECT_EQ(out, expected) << e.name;
  }
}

TEST(Html, AnythingEndsQuicklyAndStaysUtf8) {
  const std::vector<std::string> pieces{
      "<",    ">",   "</", "<!--",   "-->",      "--!>",     "<![CDATA[", "]]>",   "<p",     "<a b='",     "'", "\"", "=",  "/", "&",
      "&amp", "&#x", ";",  "script", "<script>", "</script", "<title>",   "<pre>", "</pre>", "<template>", " ", "\n", "文", "x", "<td>"};
  std::mt19937_64 random(11);
  for (int round = 0; round < 30000; ++round) {
    std::string html;
    for (std::size_t n = random() % 30; n != 0; --n) html += pieces[random() % pieces.size()];
    const std::string text = converted(html);
    ASSERT_TRUE(is_valid_utf8(text)) << html;
    ASSERT_LE(text.size(), html.size() * 2) << html;
  }
  const std::clock_t begin = std::clock();  // of this process: the machine may be busy
  for (const std::string& piece : pieces) {
    std::string html;
    while (html.size() < 2'000'000) html += piece;
    converted(html);
  }
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 20);
}

std::filesystem::path pages() {
  const char* const shared = std::getenv("LEITONG_SHARED");
  const std::filesystem::path root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  return (shared != nullptr ? std::filesystem::path(shared) : root.parent_path() / "shared") / "corpora" / "html";
}

// The content of a gzip file. By the program, so that the room need not link zlib for its tests.
std::string read_all(const std::filesystem::path& path) {
  std::string out;
  std::FILE* const pipe = popen(("gzip -dc '" + path.string() + "'").c_str(), "r");
  if (pipe == nullptr) return out;
  std::vector<char> buffer(1 << 20);
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) out.append(buffer.data(), n);
  pclose(pipe);
  return out;
}

struct Recall {
  std::size_t found = 0, all = 0;
};

// Of the words of the main text, counted with repetitions, those that are in the whole text.
void add_recall(std::string_view html, std::string_view gold, Recall& recall) {
  std::unordered_map<std::string, int> words;
  Tokens tokens;
  tokenize(converted(html), {}, tokens);
  for (std::size_t i = 0; i < tokens.size(); ++i) ++words[std::string(tokens[i])];
  tokenize(gold, {}, tokens);
  for (std::size_t i = 0; i < tokens.size(); ++i) recall.found += words[std::string(tokens[i])]-- > 0 ? 1 : 0;
  recall.all += tokens.size();
}

class Pages : public testing::TestWithParam<const char*> {};

TEST_P(Pages, HoldTheirMainText) {
  const std::filesystem::path path = pages() / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "SKIPPED: no " << path << "; set LEITONG_SHARED";
  const std::string content = read_all(path);
  simdjson::dom::parser parser;
  Recall recall;
  for (std::size_t at = 0, end = 0; (end = content.find('\n', at)) != std::string::npos; at = end + 1) {
    std::string_view html, gold;
    simdjson::dom::element page;
    if (parser.parse(content.data() + at, end - at).get(page) != simdjson::SUCCESS) continue;
    ASSERT_EQ(page["html"].get(html), simdjson::SUCCESS);
    ASSERT_EQ(page["gold"].get(gold), simdjson::SUCCESS);
    add_recall(html, gold, recall);
  }
  ASSERT_GT(recall.all, 10000U);
  const double rate = static_cast<double>(recall.found) / static_cast<double>(recall.all);
  RecordProperty("recall", std::to_string(rate));
  EXPECT_GE(rate, .98);
}

INSTANTIATE_TEST_SUITE_P(Corpora, Pages, testing::Values("readability.pages.jsonl.gz", "aeb.pages.jsonl.gz"));

}  // namespace
}  // namespace leitong::text
