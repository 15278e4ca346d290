// The main content of a web page. The room's front door.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::pages {

enum class Wanted : std::uint8_t {
  main,     // article or page, whichever the page is
  article,  // the body of an article, strictly: no comments, no lists of other articles
  page,     // what a forum, a product, a documentation or a list is made of
  all,      // all text that a person could read, as html_to_text gives it
};

enum class Source : std::uint8_t {
  chosen,       // blocks that the model chose
  linked_data,  // it chose none: articleBody of the page's JSON-LD; description, if there is no text at all
  body,         // there is none: all blocks outside of nav, header, footer and aside
  everything,   // there are none: all text
};

struct TracedBlock {
  std::string text;
  std::string path;        // tag of the block and marks around it, for a person
  std::int32_t score = 0;  // in 1/256 of a logarithm of odds, and what it needs
  std::int32_t cut = 0;
  bool kept = false;
};

struct Extraction {
  std::string text;                        // UTF-8, a line a block
  std::string title, url, date, language;  // what the page says of itself, or empty
  Wanted kind = Wanted::all;               // as what it was read: article, page or all
  Source source = Source::everything;
  std::vector<TracedBlock> trace;  // if it was asked for
};

// Frozen; other models give other texts.
[[nodiscard]] std::string_view model_id();
[[nodiscard]] bool fell_back(const Extraction& extraction);  // everything but chosen, where a choice was wanted
[[nodiscard]] const char* name_of(Wanted wanted);
// The trace, a line a block: + or - for kept or not, its score in logarithms of odds beside the cut, where it stands, how its text begins.
[[nodiscard]] std::string traced(const Extraction& extraction);
// "main", "article", "page", "all"; throws Error(usage) for another word.
[[nodiscard]] Wanted wanted_named(std::string_view name);
[[nodiscard]] const char* name_of(Source source);

// Owns buffers: one a thread. The same page gives the same bytes on every machine. Never fails: broken HTML gives the text that stands in
// it, and a page that has any text never an empty one. Time and memory are linear in the page; a page of more than 65,536 blocks is taken
// whole.
class Extractor {
 public:
  Extractor();
  ~Extractor();
  Extractor(Extractor&&) noexcept;
  // Valid until the next call. Bytes that are not UTF-8 pass through.
  const Extraction& operator()(std::string_view html, Wanted wanted, bool trace = false);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace leitong::pages
