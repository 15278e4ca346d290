// Web pages as records: files and fields, what --extract takes of them, and the same text again when they are read once more.
#include <gtest/gtest.h>

#include "leitong/error.h"
#include "leitong/page.h"
#include "records/json.h"
#include "records/read_input_test.h"

namespace leitong::records {
namespace {

const std::string sentence =
    "The ferry goes every twenty minutes, the council said, from six in the morning to eleven at night, and takes bicycles for nothing.";

std::string page() {
  std::string paragraphs;
  for (int i = 1; i <= 6; ++i) paragraphs += "<p>" + std::to_string(i) + ". " + sentence + "</p>";
  return "<html lang=en><head><title>The ferry</title></head><body><nav class=menu><ul><li><a href=/a>Politics</a><li><a "
         "href=/b>Weather</a></ul>"
         "</nav><article class=post><h1>The ferry</h1>" +
         paragraphs + "</article><footer class=footer><a href=/i>Imprint</a></footer></body></html>";
}

std::string json_page() {
  std::string line = R"({"id":"p","text":"not this","html":)";
  append_json_string(line, page());
  return line + "}\n{\"id\":\"q\",\"text\":\"no page\"}\n";
}

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

void expect_main(const std::string& text) {
  EXPECT_TRUE(has(text, "1. " + sentence)) << text;
  EXPECT_TRUE(has(text, "6. " + sentence)) << text;
  EXPECT_FALSE(has(text, "Weather")) << text;
  EXPECT_FALSE(has(text, "Imprint")) << text;
}

TEST(PageText, OfAFileIsItsMainContentOrAll) {
  const TemporaryDirectory dir;
  InputOptions options = options_for(dir.write("a.html", page()));
  expect_main(read_all(options).all.at(0).text);
  options.extract = "all";
  const std::string all = read_all(options).all.at(0).text;
  EXPECT_TRUE(has(all, "Weather") && has(all, "Imprint") && all.starts_with("The ferry\n")) << all;
  options.extract = "most";
  EXPECT_THROW((void)read_all(options), Error);
}

TEST(PageText, OfAFieldStandsInThePlaceOfTheTextField) {
  const TemporaryDirectory dir;
  InputOptions options = options_for(dir.write("a.jsonl", json_page()));
  EXPECT_TRUE(are(read_all(options).texts(), {"not this", "no page"}));
  options.html_field = "html";
  const ReadAll jsonl = read_all(options);
  ASSERT_EQ(jsonl.texts().size(), 1U);
  expect_main(jsonl.texts()[0]);
  EXPECT_TRUE(are(jsonl.reasons(), {"no field \"html\""}));
  std::string quoted = page();
  for (std::size_t i = 0; (i = quoted.find('"', i)) != std::string::npos; i += 2) quoted.insert(i, 1, '"');
  options.paths = {dir.write("a.csv", "id,html\np,\"" + quoted + "\"\n")};
  EXPECT_EQ(read_all(options).texts().at(0), jsonl.texts()[0]);
}

TEST(PageText, IsTheSameWhenItIsReadAgain) {
  const TemporaryDirectory dir;
  InputOptions options;
  options.html_field = "html";
  options.paths = {dir.write("a.html", page()), dir.write("b.jsonl", json_page()), dir.write("c.html.gz", gzip(page()))};
  for (const char* extract : {"main", "article", "page", "all"}) {
    options.extract = extract;
    const ReadAll read = read_all(options);
    Reread again(options, read.sources, "");
    unsigned good = 0;
    for (const Seen& seen : read.all) {
      if (!seen.good) continue;
      ++good;
      EXPECT_EQ(again.text(seen.source, seen.offset, seen.length), seen.text);
    }
    EXPECT_EQ(good, 3U);
  }
}

TEST(PageText, IsCountedAndTellsWhatThePageSays) {
  const TemporaryDirectory dir;
  std::string links = "<nav class=menu><ul>";
  for (const char* name : {"Home", "News", "Sport", "Weather", "Culture", "Travel", "Money", "Food", "Jobs", "Cars", "Health", "Science"})
    links += std::string("<li><a href=/") + name + ">" + name + "</a></li>";
  links += "</ul></nav><footer class=footer><ul><li><a href=/c>Contact</a></li><li><a href=/p>Privacy</a></li></ul></footer>";
  InputOptions options;
  options.paths = {dir.write("a.html", page()), dir.write("b.html", links), dir.write("c.txt", "a text")};
  options.page_facts = true;
  options.extract = "article";
  Input input(options, "");
  Chunk chunk;
  Parsed parsed;
  unsigned pages = 0, fallen_back = 0;
  std::vector<std::string> kinds;
  while (input.next(chunk)) {
    input.parse(chunk, parsed);
    pages += parsed.pages;
    fallen_back += parsed.pages_fallen_back;
    for (const Record& record : parsed.records) {
      kinds.emplace_back(record.page == nullptr ? "none" : record.page->kind);
      if (record.page != nullptr && !record.page->fell_back) {
        EXPECT_EQ(record.page->title, "The ferry");
        EXPECT_EQ(record.page->language, "en");
        EXPECT_EQ(record.page->source, "chosen");
      }
    }
  }
  EXPECT_EQ(pages, 2U);
  EXPECT_EQ(fallen_back, 1U);
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[2], "none");
}

}  // namespace
}  // namespace leitong::records
