#include "pages/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "leitong/error.h"
#include "leitong/extract.h"
#include "leitong/page.h"
#include "pages/blocks.h"
#include "pages/features.h"
#include "pages/linked_data.h"
#include "pages/model_table.h"
#include "pages/trees.h"
#include "text/html.h"
#include "text/html_lines.h"

namespace leitong::pages {
namespace {

constexpr std::int32_t hopeless =
    -640;  // of the first stage: odds of 1 to 12; the third of all blocks that is below is not looked at again
constexpr std::array wanted_names{"main", "article", "page", "all"};
constexpr std::array source_names{"chosen", "linked-data", "body", "everything"};

bool has(const Block& block, Mark mark) { return block.marks[static_cast<unsigned>(mark)] != 0; }

// Not of the frame that a site puts around its pages.
bool in_body(const Block& block) {
  return !has(block, Mark::nav_tag) && !has(block, Mark::header_tag) && !has(block, Mark::footer_tag) && !has(block, Mark::aside_tag);
}

std::string_view text_of(const Page& page, const Block& block) {
  return std::string_view(page.text).substr(block.begin, block.end - block.begin);
}

template <class Keep>
void join(const Page& page, Keep keep, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    const Block& block = page.blocks[i];
    if (block.begin == block.end || !keep(i)) continue;
    if (!out.empty()) out += block.after_cell ? ' ' : '\n';
    out += text_of(page, block);
  }
}

std::string decoded(std::string_view attribute) {
  std::string out;
  text::HtmlLines(out).text(attribute);
  return out;
}

std::string place_of(const Block& block) {
  constexpr std::array<std::pair<Mark, const char*>, 12> shown{{{Mark::article_tag, "article"},
                                                                {Mark::main_tag, "main"},
                                                                {Mark::nav_tag, "nav"},
                                                                {Mark::aside_tag, "aside"},
                                                                {Mark::footer_tag, "footer"},
                                                                {Mark::header_tag, "header"},
                                                                {Mark::form_tag, "form"},
                                                                {Mark::table_tag, "table"},
                                                                {Mark::list_tag, "list"},
                                                                {Mark::comment, "comment"},
                                                                {Mark::related, "related"},
                                                                {Mark::hidden_tag, "hidden"}}};
  std::string out(text::name_of(block.tag));
  for (const auto& [mark, name] : shown)
    if (has(block, mark)) out.append(out.empty() ? "" : " ").append(name);
  return out;
}

}  // namespace

struct Extractor::Buffers {
  Page page;
  Features features;
  std::vector<const Number*> rows;
  std::vector<std::int32_t> first, again, scores;
  Extraction out;

  void choose(Wanted wanted);
  [[nodiscard]] bool is_article();
  void score_again(const Trees& second);
  void fall_back(std::string_view html);
  void trace(std::int32_t cut);
};

// Scores of both stages for the blocks, and the text of those that pass.
void Extractor::Buffers::choose(Wanted wanted) {
  features.make(page);
  const std::size_t count = page.blocks.size();
  rows.clear();
  for (std::size_t i = 0; i < count; ++i) rows.push_back(features.row(i));
  first.resize(count);
  score(model.first, rows, first);
  features.add_context(page, first);
  if (wanted == Wanted::main) wanted = is_article() ? Wanted::article : Wanted::page;
  out.kind = wanted;
  const Trees& second = wanted == Wanted::article ? model.article : model.page;
  score_again(second);
  join(page, [&](std::size_t i) { return scores[i] >= second.cut; }, out.text);
  out.source = Source::chosen;
}

bool Extractor::Buffers::is_article() {
  const Number* const row = features.page_row.data();
  std::int32_t chance = 0;
  score(model.choice, {&row, 1}, {&chance, 1});
  return chance >= model.choice.cut;
}

// The second stage, of the blocks that have a chance after the first; the others keep the first stage's score, which is below every cut.
void Extractor::Buffers::score_again(const Trees& second) {
  rows.clear();
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] >= hopeless) rows.push_back(features.row(i));
  again.resize(rows.size());
  score(second, rows, again);
  scores = first;
  std::size_t next = 0;
  for (std::int32_t& s : scores)
    if (s >= hopeless) s = again[next++];
}

// The model kept nothing.
void Extractor::Buffers::fall_back(std::string_view html) {
  out.source = Source::linked_data;
  out.text = linked_text(page.linked_data, LinkedText::article);
  if (!out.text.empty()) return;
  out.source = Source::body;
  if (!page.too_long) join(page, [&](std::size_t i) { return in_body(page.blocks[i]); }, out.text);
  if (!out.text.empty()) return;
  out.source = Source::everything;
  text::html_to_text(html, out.text);
  if (!out.text.empty()) return;
  out.text = linked_text(page.linked_data, LinkedText::description);
  if (!out.text.empty()) out.source = Source::linked_data;
}

void Extractor::Buffers::trace(std::int32_t cut) {
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    const Block& block = page.blocks[i];
    if (block.begin == block.end) continue;
    const bool kept = out.source == Source::chosen ? scores[i] >= cut
                                                   : out.source == Source::everything || (out.source == Source::body && in_body(block));
    out.trace.push_back({std::string(text_of(page, block)), place_of(block), i < scores.size() ? scores[i] : 0, cut, kept});
  }
}

Extractor::Extractor() : buffers_(std::make_unique<Buffers>()) {}
Extractor::~Extractor() = default;
Extractor::Extractor(Extractor&&) noexcept = default;

const Extraction& Extractor::operator()(std::string_view html, Wanted wanted, bool trace) {
  Buffers& b = *buffers_;
  cut_into_blocks(html, b.page);
  Extraction& out = b.out;
  out.trace.clear(), out.text.clear(), b.scores.clear();
  out.title = b.page.title;
  out.url = decoded(b.page.url), out.date = decoded(b.page.date), out.language = decoded(b.page.language);
  out.kind = wanted == Wanted::main ? Wanted::page : wanted;
  out.source = Source::everything;
  if (wanted == Wanted::all) {
    text::html_to_text(html, out.text);
  } else {
    if (!b.page.blocks.empty() && !b.page.too_long) b.choose(wanted);
    if (out.text.empty()) b.fall_back(html);
  }
  if (trace) b.trace(out.kind == Wanted::article ? model.article.cut : out.kind == Wanted::page ? model.page.cut : 0);
  return out;
}

}  // namespace leitong::pages

std::string_view leitong::page_model() { return pages::model_id(); }

std::string leitong::page_rule(std::string_view extract) {
  return pages::wanted_named(extract) == pages::Wanted::all ? "all" : fmt::format("{} {}", extract, pages::model_id());
}

leitong::PageText leitong::extract_page(std::string_view html, std::string_view extract) {
  pages::Extractor extractor;
  const pages::Wanted wanted = pages::wanted_named(extract);
  const pages::Extraction& page = extractor(html, wanted);
  return {.text = page.text,
          .title = page.title,
          .url = page.url,
          .date = page.date,
          .language = page.language,
          .kind = pages::name_of(page.kind),
          .source = pages::name_of(page.source),
          .fell_back = pages::fell_back(page),
          .model = wanted == pages::Wanted::all ? std::string() : std::string(pages::model_id())};
}

namespace leitong::pages {

std::string_view model_id() { return model.id; }
bool fell_back(const Extraction& e) { return e.kind != Wanted::all && e.source != Source::chosen; }
const char* name_of(Wanted wanted) { return wanted_names[static_cast<std::size_t>(wanted)]; }
const char* name_of(Source source) { return source_names[static_cast<std::size_t>(source)]; }

std::string traced(const Extraction& e) {
  constexpr std::size_t shown = 100;
  std::string out = fmt::format("{} from {}, model {}\n", name_of(e.kind), name_of(e.source), model.id);
  for (const TracedBlock& block : e.trace) {
    std::size_t size = std::min(block.text.size(), shown);
    while (size < block.text.size() && size > 0 && (static_cast<unsigned char>(block.text[size]) & 0xC0) == 0x80) --size;
    std::string begin = block.text.substr(0, size);
    std::ranges::replace(begin, '\n', ' ');
    out += fmt::format("{} {:6.2f} (cut {:.2f})  {:24}  {}{}\n", block.kept ? '+' : '-', block.score / 256.0, block.cut / 256.0, block.path,
                       begin, size < block.text.size() ? " ..." : "");
  }
  return out;
}

Wanted wanted_named(std::string_view name) {
  for (std::size_t i = 0; i < wanted_names.size(); ++i)
    if (name == wanted_names[i]) return static_cast<Wanted>(i);
  throw Error(ErrorCode::usage, fmt::format("extract \"{}\": it is one of main, article, page and all", name));
}

}  // namespace leitong::pages
