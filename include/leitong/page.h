// What was found in a web page beside its text. docs/web-pages.md says how the text is chosen.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

// Views live as long as the record's text.
struct PageFacts {
  std::string_view title, url, date, language;  // what the page says of itself; empty: nothing
  std::string_view kind;                        // as what it was read: article, page, all
  std::string_view source;                      // chosen, linked-data, body or everything
  bool fell_back = false;                       // the model chose nothing: the source is another one
  std::string_view trace;                       // InputOptions::page_trace: a line a block
};

// The id of the model that chooses. It is frozen: the same id gives the same text of the same page, on every machine.
[[nodiscard]] std::string_view page_model();

// What is said of texts made of pages, so that they are compared with their like: "main pages-1", or "all". `extract` as in InputOptions.
[[nodiscard]] std::string page_rule(std::string_view extract);

}  // namespace leitong
