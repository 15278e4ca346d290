// A web page in memory to its main content. Of files and fields of records: InputOptions::extract. docs/web-pages.md says how it is chosen.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

struct PageText {
  std::string text;                        // UTF-8, a line a block; empty only if the page has no text
  std::string title, url, date, language;  // what the page says of itself; empty: nothing
  std::string kind;                        // as what it was read: article, page, all
  std::string source;                      // chosen, linked-data, body or everything
  bool fell_back = false;                  // the model chose nothing: the source is another one
  std::string model;                       // the id of the model that chooses; empty: all text was wanted, and nothing is chosen
};

// What every command takes of this page. `extract` is main, article, page or all, as in InputOptions; another word is an Error(usage).
// `html` is UTF-8; bytes that are not pass through, and broken HTML gives the text that stands in it. Time and memory are linear in the
// page. Any thread.
[[nodiscard]] PageText extract_page(std::string_view html, std::string_view extract = "main");

}  // namespace leitong
