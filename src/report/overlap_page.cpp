#include "report/overlap_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/html.h"
#include "report/numbers.h"
#include "report/page_style.h"
#include "report/sections.h"

namespace leitong::report {
namespace {

constexpr std::size_t context = 80;          // characters around a shared range
constexpr std::size_t longest_shared = 600;  // of a shared range; of a longer one the ends are shown
constexpr std::size_t most_parts = 24;       // of a text
constexpr std::size_t most_warnings = 50;
constexpr std::size_t most_path = 200, most_heading = 26;

constexpr std::string_view style = R"css(
.matrix { width: auto; min-width: min(100%, 36em); }
.matrix th, .matrix td { padding: 8px 14px; border: 1px solid var(--line); }
.matrix thead th { vertical-align: bottom; white-space: normal; min-width: 7em; max-width: 13em; }
.matrix tbody th { min-width: 11em; max-width: 26em; }
.matrix .heat { position: relative; text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; isolation: isolate; }
.matrix .heat::before { content: ""; position: absolute; inset: 0; background: var(--orange); opacity: calc(var(--heat) * .62); z-index: -1; }
.matrix .heat b { font-weight: 620; }
.matrix .heat small { display: block; }
.matrix .heat:not(.nothing) small { color: inherit; opacity: .82; }
.matrix .nothing { color: var(--soft); }
.matrix .all { border-inline-end: 2px solid var(--grey); }
mark { background: var(--orange-soft); color: inherit; border-radius: 2px; padding: .08em 0; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.left-out { color: var(--soft); font-size: 13px; white-space: nowrap; }
.passages td { unicode-bidi: isolate; }
@media (prefers-color-scheme: dark) { .matrix .heat::before { opacity: calc(var(--heat) * .4); } }
@media (min-width: 721px) { .cell.b { border-inline-start: 0; } .cell.a { border-inline-start: 1px solid var(--line); } }
@media (max-width: 720px) { .side.b { order: 1; } .cell.b { order: 2; } .side.a { order: 3; } .cell.a { order: 4; } }
.holds { color: var(--orange); } .holds.part { color: var(--soft); }
)css";

bool is_lead(char c) { return (c & 0xC0) != 0x80; }

// The place `characters` after (or before) a byte of a text.
std::size_t forward(std::string_view text, std::size_t at, std::size_t characters) {
  for (; at < text.size() && characters > 0; --characters)
    for (++at; at < text.size() && !is_lead(text[at]);) ++at;
  return at;
}
std::size_t backward(std::string_view text, std::size_t at, std::size_t characters) {
  for (; at > 0 && characters > 0; --characters)
    for (--at; at > 0 && !is_lead(text[at]);) --at;
  return at;
}

std::uint64_t characters_in(std::string_view text) { return static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), is_lead)); }

class Parts {
 public:
  explicit Parts(std::string_view text) : text_(text) {}
  void add(std::size_t begin, std::size_t end, bool shared) {
    if (begin < end) parts_.push_back({std::string(text_.substr(begin, end - begin)), shared, 0});
  }
  void leave_out(std::size_t begin, std::size_t end) {
    if (begin < end) parts_.push_back({"", false, characters_in(text_.substr(begin, end - begin))});
  }
  void add_shared(std::size_t begin, std::size_t end) {
    const std::size_t head = word_end(text_, forward(text_, begin, longest_shared / 2));
    const std::size_t tail = word_begin(text_, backward(text_, end, longest_shared / 2));
    if (head + 4 * context >= tail) return add(begin, end, true);
    add(begin, head, true);
    leave_out(head, tail);
    add(tail, end, true);
  }
  [[nodiscard]] bool is_full() const { return parts_.size() >= most_parts; }
  std::vector<OverlapPart> take() { return std::move(parts_); }

 private:
  std::string_view text_;
  std::vector<OverlapPart> parts_;
};

std::string result_sentence(const OverlapPage& p) {
  const OverlapCounts& c = p.counts;
  const std::uint64_t good = c.b_records - c.b_rejected;
  if (good == 0) return "B holds no text to look for.";
  if (c.pairs == 0) return fmt::format("A holds no passage of the <strong>{}</strong> of B.", counted(good, "text", "texts"));
  std::string out = fmt::format("Of the {} of B <strong>{} ({})</strong> {} contained in A", counted(good, "text", "texts"),
                                count_text(c.contained), share_text(c.contained, good), c.contained == 1 ? "is" : "are");
  if (c.partial > 0)
    out += fmt::format("; <strong>{}</strong> {} a passage in common with it", count_text(c.partial), c.partial == 1 ? "has" : "have");
  return out + ".";
}

void append_tile(std::string& out, std::string_view name, std::string_view value, std::string_view note) {
  fmt::format_to(std::back_inserter(out), "<div class=\"tile\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, note);
}

void append_warnings(std::string& out, const OverlapPage& p) {
  if (p.warnings.empty()) return;
  out += "<section class=\"warnings\" id=\"warnings\" aria-labelledby=\"warnings-title\">\n<h2 id=\"warnings-title\">";
  out += counted(p.warnings.size(), "warning", "warnings") + "</h2>\n<ul>\n";
  const std::size_t shown = std::min(p.warnings.size(), most_warnings);
  for (std::size_t i = 0; i < shown; ++i) out += "<li dir=\"auto\">" + text_html(shortened(p.warnings[i], 600)) + "</li>\n";
  if (p.warnings.size() > shown) out += "<li>… and " + count_text(p.warnings.size() - shown) + " more, in summary.json</li>\n";
  out += "</ul>\n</section>\n";
}

void append_summary(std::string& out, const OverlapPage& p) {
  const OverlapCounts& c = p.counts;
  const std::uint64_t good_a = c.a_records - c.a_rejected, good_b = c.b_records - c.b_rejected;
  fmt::format_to(std::back_inserter(out),
                 "<header>\n<p class=\"eyebrow\">Overlap · Leitong <span lang=\"zh\">雷同</span></p>\n<h1 dir=\"auto\">{} "
                 "<span class=\"soft\">(A) holds passages of</span> {} <span class=\"soft\">(B)</span></h1>\n<p class=\"result\">{}</p>\n"
                 "</header>\n",
                 text_html(shortened(p.a_title, most_path)), text_html(shortened(p.b_title, most_path)), result_sentence(p));
  out += "<dl class=\"tiles\" style=\"--columns:4\">\n";
  append_tile(out, "Contained", count_text(c.contained),
              fmt::format("of B: one text of A holds {:.4g} % of it or more", 100 * p.contained));
  append_tile(out, "Partial", count_text(c.partial), fmt::format("of B: less of it, at least {} tokens in a row", p.span));
  append_tile(out, "Texts of A that hold some", count_text(c.holding), share_text(c.holding, good_a) + " of A");
  append_tile(out, "Pairs", count_text(c.pairs), "of texts that share a passage, in matches.jsonl" + p.packed);
  append_tile(out, "A", count_text(good_a), fmt::format("texts, {}", bytes_text(c.a_bytes)));
  append_tile(out, "B", count_text(good_b), fmt::format("texts, {}", bytes_text(c.b_bytes)));
  append_tile(out, "Too short to tell", count_text(c.too_short),
              fmt::format("of B, below {} tokens: not looked for", std::min(p.span, 8U)));
  append_tile(out, "Rejected", count_text(c.a_rejected + c.b_rejected),
              fmt::format("{} of A, {} of B, in rejected.jsonl{}", count_text(c.a_rejected), count_text(c.b_rejected), p.packed));
  out += "</dl>\n";
  append_warnings(out, p);
}

// The end of a path says more than its beginning.
std::string heading(const std::string& path) {
  std::size_t begin = backward(path, path.size(), most_heading);
  return begin == 0 ? text_html(path) : "…" + text_html(path.substr(begin));
}

void append_cell(std::string& out, const OverlapPage::Cell& cell, std::uint64_t records, std::string_view kind) {
  if (cell.contained + cell.partial == 0) {
    fmt::format_to(std::back_inserter(out), "<td class=\"heat nothing{}\" style=\"--heat:0\">0</td>", kind);
    return;
  }
  // A partial one weighs a fifth: it is a sign, no finding.
  const double heat =
      records == 0 ? 0 : (static_cast<double>(cell.contained) + 0.2 * static_cast<double>(cell.partial)) / static_cast<double>(records);
  fmt::format_to(std::back_inserter(out), "<td class=\"heat{}\" style=\"--heat:{:.3f}\"><b>{}</b> · {}<small>{} partial</small></td>", kind,
                 std::min(1.0, heat > 0 ? 0.06 + 0.94 * heat : 0), count_text(cell.contained), share_text(cell.contained, records),
                 count_text(cell.partial));
}

void append_matrix(std::string& out, const OverlapPage& p) {
  if (p.rows.empty() || p.columns.empty()) return;
  open_section(out, "matrix", "Matrix",
               "Rows: sources of B. Columns: sources of A. In each cell the number of the row's texts that are contained in a text of the "
               "column, their share, and below it how many have only a part in common. A text may be contained in several columns.");
  out += "<div class=\"scroll\"><table class=\"matrix\">\n<thead><tr><th scope=\"col\">B</th><th scope=\"col\" class=\"n\">Texts</th>";
  const bool several = p.columns.size() > 1;
  if (several) out += "<th scope=\"col\" class=\"n all\">All of A</th>";
  for (const OverlapPage::Column& column : p.columns)
    fmt::format_to(
        std::back_inserter(out), "<th scope=\"col\" class=\"n\" title=\"{}\">{}<br><span class=\"soft\">{} of {} hold some</span></th>",
        attribute_html(shortened(column.path, most_path)), heading(column.path), count_text(column.holding), count_text(column.records));
  out += "</tr></thead>\n<tbody>\n";
  for (const OverlapPage::Row& row : p.rows) {
    fmt::format_to(std::back_inserter(out), "<tr><th scope=\"row\" class=\"path\" dir=\"auto\">{}</th><td class=\"n\">{}</td>",
                   text_html(shortened(row.path, most_path)), count_text(row.records));
    if (several) append_cell(out, row.all, row.records, " all");
    for (const OverlapPage::Cell& cell : row.cells) append_cell(out, cell, row.records, "");
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  close_section(out);
}

void append_side(std::string& out, std::string_view side, std::string_view name, const OverlapPage::Text& text) {
  const std::string id = text.id.empty() ? "<span class=\"soft\">no id</span>" : "<bdi>" + text_html(shortened(text.id, 200)) + "</bdi>";
  fmt::format_to(
      std::back_inserter(out),
      "<div class=\"side {}\"><b class=\"badge {}\">{}</b> {}<span class=\"soft origin\"><bdi>{}</bdi> · record {} · {} · {} of it "
      "shared</span></div>\n",
      side, side == "a" ? "drop" : "keep", name, id, text_html(shortened(text.source, most_path)), count_text(text.record),
      counted(text.tokens, "token", "tokens"), text.covered >= 1 ? "all" : fmt::format("{:.1f} %", 100 * text.covered));
}

void append_parts(std::string& out, std::string_view side, const std::vector<OverlapPart>& parts) {
  fmt::format_to(std::back_inserter(out), "<div class=\"cell {}\" dir=\"auto\">", side);
  for (const OverlapPart& part : parts) {
    if (part.left_out > 0) {
      fmt::format_to(std::back_inserter(out), " <span class=\"left-out\">⋯ {} ⋯</span> ",
                     counted(part.left_out, "character", "characters"));
      continue;
    }
    if (part.shared) out += "<mark>";
    append_text(out, part.text);
    if (part.shared) out += "</mark>";
  }
  out += "</div>\n";
}

std::string first_shared(const OverlapPage::Text& text) {
  for (const OverlapPart& part : text.parts) {
    if (!part.shared) continue;
    std::string line;
    for (const char c : part.text)
      if (const char plain = c == '\n' || c == '\r' || c == '\t' ? ' ' : c; plain != ' ' || (!line.empty() && line.back() != ' '))
        line += plain;
    return text_html(shortened(line, 160));
  }
  return "";
}

void append_pair(std::string& out, const OverlapPage::Pair& pair, bool open) {
  fmt::format_to(std::back_inserter(out),
                 "<details class=\"sample\"{}><summary><span class=\"facts\"><span class=\"who\"><bdi>{}</bdi> <span class=\"excerpt\" "
                 "lang=\"\" dir=\"auto\">{}</span></span><b class=\"badge holds{}\">{}</b><span><b>{}</b> of B</span>"
                 "<span><b>{}</b> in {}</span></span></summary>\n<div class=\"diff\" lang=\"\">\n",
                 open ? " open" : "", text_html(shortened(pair.b.id, 60)), first_shared(pair.b), pair.contained ? "" : " part",
                 pair.contained ? "contained" : "partial", pair.b.covered >= 1 ? "all" : fmt::format("{:.1f} %", 100 * pair.b.covered),
                 counted(pair.tokens, "token", "tokens"), counted(pair.spans, "passage", "passages"));
  append_side(out, "b", "B", pair.b);
  append_side(out, "a", "A", pair.a);
  append_parts(out, "b", pair.b.parts);
  append_parts(out, "a", pair.a.parts);
  out += "</div>\n</details>\n";
}

void append_pairs(std::string& out, const OverlapPage& p) {
  if (p.pairs.empty()) return;
  open_section(
      out, "pairs", "Pairs",
      "Texts of B beside a text of A that holds a part of them, the best of each cell of the matrix. <mark>Marked</mark>: what stands "
      "in both, word by word; letter case, width and punctuation do not count as differences.");
  append_filter(out);
  std::size_t shown = 0;
  for (; shown < p.pairs.size() && out.size() < samples_limit; ++shown) append_pair(out, p.pairs[shown], shown == 0);
  if (p.counts.pairs > shown)
    out += "<p class=\"soft\">… and " + counted(p.counts.pairs - shown, "more pair", "more pairs") + ", in matches.jsonl" + p.packed +
           ".</p>\n";
  close_section(out);
}

void append_passages(std::string& out, const OverlapPage& p) {
  if (p.passages.empty()) return;
  open_section(
      out, "common", "Common passages",
      "These stand in so many places of B that only the first ones were held against A: boilerplate, most likely. A text of B that "
      "has nothing else in common with A may be missing among the pairs.");
  out +=
      "<div class=\"scroll\"><table class=\"passages\">\n<thead><tr><th scope=\"col\">Passage</th><th scope=\"col\" class=\"n\">Places in "
      "B</th><th scope=\"col\" class=\"n\">Met in A</th></tr></thead>\n<tbody>\n";
  for (const OverlapPassage& passage : p.passages)
    fmt::format_to(std::back_inserter(out), "<tr><td lang=\"\" dir=\"auto\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                   text_html(passage.text), count_text(passage.places), count_text(passage.met));
  out += "</tbody></table></div>\n";
  close_section(out);
}

void append_foot(std::string& out, const OverlapPage& p) {
  fmt::format_to(std::back_inserter(out),
                 "</main>\n<footer><p>Leitong {} · runs of at least {} tokens (a word, or one Han character){} · contained from {:.4g} % "
                 "on</p>\n<p>The same inputs and options give this page byte for byte.</p></footer>\n<script>\n",
                 text_html(p.version), p.span, p.fold_traditional ? " · traditional characters as simplified ones" : "", 100 * p.contained);
  out += page_script();
  out += "</script>\n</body>\n</html>\n";
}

}  // namespace

std::vector<OverlapPart> overlap_parts(std::string_view text, const std::vector<std::pair<std::size_t, std::size_t>>& ranges) {
  Parts parts(text);
  std::size_t shown = 0;  // up to there
  for (std::size_t i = 0; i < ranges.size();) {
    auto [begin, end] = ranges[i];
    for (; i < ranges.size() && ranges[i].first <= end; ++i) end = std::max(end, ranges[i].second);
    begin = std::min(begin, text.size()), end = std::min(end, text.size());
    if (parts.is_full()) break;
    // A little that would be left out is shown.
    std::size_t before = std::max(shown, std::min(begin, word_begin(text, backward(text, begin, context))));
    if (before <= forward(text, shown, context)) before = shown;
    parts.leave_out(shown, before);
    parts.add(before, begin, false);
    parts.add_shared(begin, end);
    shown = std::max(end, word_end(text, forward(text, end, context)));
    if (i < ranges.size()) shown = std::min(shown, std::max(end, ranges[i].first));
    parts.add(end, shown, false);
  }
  if (forward(text, shown, context) >= text.size())
    parts.add(shown, text.size(), false);
  else
    parts.leave_out(shown, text.size());
  return parts.take();
}

std::string render_overlap(const OverlapPage& p) {
  std::string out;
  append_page_head(out, shortened(p.b_title, 80) + " in " + shortened(p.a_title, 80) + " – overlap – Leitong", style);
  out += "<body>\n<main>\n";
  append_summary(out, p);
  append_matrix(out, p);
  append_pairs(out, p);
  append_passages(out, p);
  append_foot(out, p);
  return out;
}

}  // namespace leitong::report
