#include "report/label_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/difference.h"
#include "report/html.h"
#include "report/label_style.h"
#include "report/numbers.h"
#include "report/page_style.h"

namespace leitong::report {
namespace {

void append_side(std::string& out, std::string_view side, std::string_view name, const PairText& text) {
  fmt::format_to(std::back_inserter(out), "<div class=\"side {}\"><b>{}</b> <bdi class=\"origin\">{}</bdi></div>\n", side, name,
                 text_html(shortened(text.id == "null" ? text.source : text.source + " · " + text.id, 160)));
}

// A template: the browser keeps it, but makes nothing of it until the page's script shows it.
// `room`: bytes of page for the texts.
void append_pair(std::string& out, std::size_t number, const PairToLabel& pair, std::span<const DiffRun> diff, std::size_t room) {
  fmt::format_to(std::back_inserter(out), "<template id=\"pair-{}\">\n", number);
  append_side(out, "a", "A", pair.a);
  append_side(out, "b", "B", pair.b);
  const bool cut = pair.a.cut || pair.b.cut;
  append_difference(out, pair.a.text, pair.b.text, cut ? without_open_end(diff) : diff, Folded::hidden, room);
  if (cut) out += "<div class=\"fold\"><span>the texts go on; judge by what stands here</span></div>\n";
  out += "</template>\n";
}

// A letter a pair: y, n, u, or - for none.
std::string letters_of(const std::vector<PairLabel>& labels) {
  std::string letters;
  for (const PairLabel label : labels) letters += "-ynu"[static_cast<std::size_t>(label)];
  return letters;
}

void append_frame(std::string& out, const LabelPage& page, std::size_t pairs) {
  auto put = std::back_inserter(out);
  fmt::format_to(put, "<body data-sample=\"{}\" data-pairs=\"{}\" data-labels=\"{}\">\n", attribute_html(page.sample), pairs,
                 letters_of(page.labels));
  out +=
      "<header class=\"top\">\n<div class=\"titles\"><p class=\"eyebrow\">Calibration · Leitong <span lang=\"zh\">雷同</span></p>\n<h1 "
      "dir=\"auto\">";
  out += text_html(shortened(page.title, 200));
  out +=
      "</h1></div>\n<div class=\"files\"><button id=\"save\" type=\"button\">Save labels</button>"
      "<label class=\"button\">Load labels<input id=\"load\" type=\"file\" accept=\".json,.jsonl\"></label></div>\n"
      "<div class=\"state\"><progress id=\"bar\" value=\"0\" max=\"1\" aria-label=\"labelled\"></progress>"
      "<span id=\"count\" aria-live=\"polite\"></span></div>\n</header>\n";
  out +=
      "<noscript><p class=\"notice\">This page needs JavaScript. It loads nothing and sends nothing.</p></noscript>\n"
      "<p id=\"notice\" class=\"notice\" role=\"status\" hidden></p>\n";
  out +=
      "<main>\n<section id=\"question\" aria-labelledby=\"ask\">\n<div class=\"ask\"><h2 id=\"ask\">Would it be right to keep only one of "
      "these two?</h2><span id=\"which\" class=\"soft\"></span></div>\n<div id=\"stage\" class=\"diff\"></div>\n</section>\n"
      "<section id=\"done\" hidden>\n<h2>All pairs are labelled</h2>\n<p>Save the labels, and give the file to "
      "<code>leitong calibrate --labels labels.json DIR</code>.</p>\n"
      "<p><button id=\"save-too\" type=\"button\" class=\"main\">Save labels</button> <button id=\"again\" type=\"button\">Look at them "
      "again</button></p>\n</section>\n</main>\n";
  out +=
      "<footer class=\"answers\">\n<button id=\"back\" type=\"button\" aria-keyshortcuts=\"ArrowLeft\">‹ Back<kbd>←</kbd></button>\n"
      "<button id=\"yes\" type=\"button\" aria-keyshortcuts=\"y\">Yes<kbd>y</kbd></button>\n"
      "<button id=\"no\" type=\"button\" aria-keyshortcuts=\"n\">No<kbd>n</kbd></button>\n"
      "<button id=\"unsure\" type=\"button\" aria-keyshortcuts=\"u\">Unsure<kbd>u</kbd></button>\n"
      "<button id=\"skip\" type=\"button\" aria-keyshortcuts=\"ArrowRight\">Next ›<kbd>→</kbd></button>\n</footer>\n";
}

}  // namespace

std::string render_label_page(const LabelPage& page, std::span<const PairToLabel> pairs,
                              const std::vector<std::vector<DiffRun>>& differences) {
  std::string out;
  append_page_head(out, fmt::format("{}: {} to label – Leitong", shortened(page.title, 120), counted(pairs.size(), "pair", "pairs")),
                   label_style());
  append_frame(out, page, pairs.size());
  constexpr std::size_t all_texts = 1'200'000, least = 3'000, most = 60'000;  // bytes
  const std::size_t room = std::clamp(all_texts / std::max<std::size_t>(pairs.size(), 1), least, most);
  for (std::size_t i = 0; i < pairs.size(); ++i) append_pair(out, i + 1, pairs[i], differences.at(i), room);
  out += "<script>\n";
  out += label_script();
  out += "</script>\n</body>\n</html>\n";
  return out;
}

}  // namespace leitong::report
