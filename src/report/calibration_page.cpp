#include "report/calibration_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/curve_plot.h"
#include "report/html.h"
#include "report/numbers.h"
#include "report/page_style.h"
#include "report/sections.h"

namespace leitong::report {
namespace {

constexpr std::string_view style = R"css(
.findings { margin: 0; padding-inline-start: 20px; max-width: 60em; }
.findings li { margin: 6px 0; }
.curve polyline { fill: none; stroke: var(--hue); stroke-width: 2; }
.curve polygon { fill: var(--hue); opacity: .16; }
.curve circle { fill: var(--hue); stroke: var(--panel); stroke-width: 1.2; }
.curve .bar { stroke: var(--hue); stroke-width: 1.6; display: inline; }
.one { --hue: var(--blue); } .two { --hue: var(--orange); } .three { --hue: var(--grey); }
.target { stroke: var(--ink); stroke-dasharray: 2 4; }
.mark { stroke: var(--ink); stroke-width: 1.4; }
.point:hover circle { stroke: var(--ink); }
.keys { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 8px 0 0; padding: 0; font-size: 14px; color: var(--soft); }
.keys i { display: inline-block; width: 12px; height: 12px; border-radius: 50%; background: var(--hue); margin-inline-end: 7px; vertical-align: -1px; }
tr.best { background: var(--blue-soft); }
tr.best th, tr.best td { border-bottom-color: var(--blue); }
td small { display: block; white-space: nowrap; }
tbody th { white-space: nowrap; }
@media (max-width: 720px) { tr.best th:first-child { padding-inline-start: 6px; } }
)css";

std::string percent(double share) {
  if (share > 0.999 && share < 1) return ">\u00A099.9\u00A0%";
  if (share < 0.001 && share > 0) return "<\u00A00.1\u00A0%";
  return fmt::format("{:.1f}\u00A0%", 100 * share);
}

std::string range_text(const Share& share) {
  return fmt::format("{:.1f} – {:.1f} %", std::floor(1000 * share.low) / 10, std::ceil(1000 * share.high) / 10);
}

std::string share_cell(const Share& share) {
  if (!share.known) return "<td class=\"n soft\">unknown</td>";
  return fmt::format("<td class=\"n\">{}<small>{}</small></td>", text_html(percent(share.value)), range_text(share));
}

std::string labels_cell(const LabelledPart& part) {
  if (part.labels() == 0) return "<td class=\"n soft\">none</td>";
  return fmt::format("<td class=\"n\">{} / {} / {}</td>", part.yes, part.no, part.unsure);
}

const CalibratedThreshold* recommended(const Calibration& c) {
  for (const CalibratedThreshold& t : c.thresholds)
    if (c.recommended && t.threshold == *c.recommended) return &t;
  return nullptr;
}

std::string result_sentence(const Calibration& c) {
  const CalibratedThreshold* best = recommended(c);
  if (best == nullptr)
    return c.labelled == 0 ? std::string("No labels yet.")
                           : fmt::format("No threshold can be recommended: none shows a precision of <strong>{}</strong> with confidence.",
                                         percent(c.target));
  std::string out = fmt::format("Take threshold <strong>{:.2f}</strong>: of the pairs that it takes <strong>{}</strong> are right",
                                best->threshold, text_html(percent(best->taken.precision.value)));
  if (best->recall.known)
    out += fmt::format(", and it finds <strong>{}</strong> of the right ones", text_html(percent(best->recall.value)));
  return out + ".";
}

void append_findings(std::string& out, const Calibration& c) {
  out += "<ul class=\"findings\">\n";
  for (std::string finding : c.findings) {
    if (!finding.empty() && finding[0] >= 'a' && finding[0] <= 'z') finding[0] = static_cast<char>(finding[0] - 'a' + 'A');
    out += "<li>" + text_html(finding) + ".</li>\n";
  }
  out += "</ul>\n";
}

void append_tile(std::string& out, std::string_view name, std::string_view value, std::string_view note) {
  fmt::format_to(std::back_inserter(out), "<div class=\"tile\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, note);
}

void append_share_tile(std::string& out, std::string_view name, const Share& share, std::string_view note) {
  append_tile(out, name, share.known ? text_html(percent(share.value)) : "unknown",
              share.known ? range_text(share) + ", " + std::string(note) : note);
}

void append_summary(std::string& out, const Calibration& c) {
  out += "<header>\n<p class=\"eyebrow\">Calibration · Leitong <span lang=\"zh\">雷同</span></p>\n<h1 dir=\"auto\">";
  out += text_html(shortened(c.title, 200)) + "</h1>\n<p class=\"result\">" + result_sentence(c) + "</p>\n";
  append_findings(out, c);
  out += "</header>\n<dl class=\"tiles\" style=\"--columns:3\">\n";
  append_tile(out, "Labelled", count_text(c.labelled),
              fmt::format("of {} pairs that were drawn; {} unsure", count_text(c.pairs), c.unsure));
  append_tile(
      out, "Pairs", count_text(c.population),
      fmt::format("of different texts, similarity {:.2f} and more, in {}", c.least_similarity, counted(c.records, "record", "records")));
  append_tile(out, "Equal texts", count_text(c.equal), "pairs that differ in no word: right without a label, and counted nowhere else");
  append_share_tile(out, "Precision now", c.current.taken.precision, "of what the rule as it is takes");
  append_share_tile(out, "Recall now", c.current.recall, "of the right pairs that were sampled from");
  if (const CalibratedThreshold* best = recommended(c); best != nullptr)
    append_share_tile(out, fmt::format("Precision at {:.2f}", best->threshold), best->taken.precision, "of what it would take");
  else
    append_tile(out, "Labels wanted", c.more_labels > 0 ? "about " + count_text(c.more_labels) : "–",
                c.more_labels > 0 ? "more, to show the precision asked for" : "more of them would not help");
  out += "</dl>\n";
}

std::vector<std::pair<double, std::string>> similarity_ticks(double least) {
  std::vector<std::pair<double, std::string>> ticks;
  for (int tenth = static_cast<int>(std::ceil(least * 10 - 1e-9)); tenth <= 10; ++tenth)
    ticks.emplace_back(tenth / 10.0, fmt::format("{:.1f}", tenth / 10.0));
  return ticks;
}

void append_figure(std::string& out, std::string_view title, std::string_view explanation, const CurvePlot& plot) {
  fmt::format_to(std::back_inserter(out), "<figure class=\"card\"><figcaption><h3>{}</h3><p class=\"explain\">{}</p></figcaption>\n", title,
                 explanation);
  out += curve_plot_svg(plot) + "<ul class=\"keys\">";
  for (const Curve& curve : plot.curves)
    fmt::format_to(std::back_inserter(out), "<li><i class=\"{}\"></i>{}</li>", curve.style, curve.name);
  out += "</ul></figure>\n";
}

CurvePoint point_of(double x, const Share& share, std::string_view what) {
  return {x, share.value, share.low, share.high, fmt::format("{}: {} ({})", what, percent(share.value), range_text(share))};
}

CurvePlot band_plot(const Calibration& c) {
  CurvePlot plot;
  plot.x_min = c.least_similarity, plot.x_max = 1.03;
  plot.x_ticks = similarity_ticks(plot.x_min);
  plot.x_label = "similarity", plot.y_label = "pairs that are right";
  plot.summary = "Share of right pairs by similarity, with 95 % intervals";
  Curve taken{c.has_further_rules ? "with the words in order" : "pairs", "one", false, {}}, refused{"without: refused", "two", false, {}};
  for (const CalibratedBand& band : c.bands) {
    const double middle = (band.from + band.to) / 2, apart = c.has_further_rules && band.refused.labels() > 0 ? 0.012 : 0;
    const std::string what =
        band.from == band.to ? std::string("similarity 1") : fmt::format("similarity {:.2f} to {:.2f}", band.from, band.to);
    if (band.taken.precision.known) taken.points.push_back(point_of(middle - apart, band.taken.precision, what));
    if (band.refused.precision.known) refused.points.push_back(point_of(middle + apart, band.refused.precision, what + ", refused"));
  }
  plot.curves.push_back(taken);
  if (!refused.points.empty()) plot.curves.push_back(refused);
  plot.target = c.target;
  return plot;
}

CurvePlot threshold_plot(const Calibration& c) {
  CurvePlot plot;
  plot.x_min = c.least_similarity, plot.x_max = 1.03;
  plot.x_ticks = similarity_ticks(plot.x_min);
  plot.x_label = "threshold", plot.y_label = "precision, recall";
  plot.summary = "Precision and recall of each threshold, with 95 % intervals";
  Curve precision{"precision", "one", true, {}}, recall{"recall", "two", true, {}};
  for (const CalibratedThreshold& t : c.thresholds) {
    const std::string what = fmt::format(" at threshold {:.2f}", t.threshold);
    if (t.taken.precision.known) precision.points.push_back(point_of(t.threshold, t.taken.precision, "precision" + what));
    if (t.recall.known) recall.points.push_back(point_of(t.threshold, t.recall, "recall" + what));
  }
  plot.curves = {precision, recall};
  plot.target = c.target;
  plot.mark = c.recommended;
  return plot;
}

void append_plots(std::string& out, const Calibration& c) {
  if (c.labelled == 0) return;
  open_section(out, "curves", "Curves",
               "Points are estimates, bars and bands 95 % intervals; the dotted line is the precision asked for, the upright one the "
               "threshold to take.");
  out += "<div class=\"cards\">\n";
  append_figure(out, "How right pairs are",
                c.has_further_rules ? "By similarity, and by whether enough words stand in the same order, which the rule also asks for."
                                    : "By similarity.",
                band_plot(c));
  append_figure(out, "What a threshold gives", "Precision of the pairs that it takes, and its share of the right ones.", threshold_plot(c));
  out += "</div>\n";
  close_section(out);
}

void append_threshold_row(std::string& out, const Calibration& c, const CalibratedThreshold& t) {
  const bool best = c.recommended && t.threshold == *c.recommended;
  fmt::format_to(std::back_inserter(out), "<tr{}><th scope=\"row\">{}</th><td class=\"n\">{}</td>", best ? " class=\"best\"" : "",
                 t.threshold > 0 ? fmt::format("{:.2f}", t.threshold) : "now", count_text(t.taken.population));
  out += labels_cell(t.taken) + share_cell(t.taken.precision) + share_cell(t.taken.precision_if_unsure_right) + share_cell(t.recall);
  if (c.predicts_recall) out += share_cell(t.recall_of_all);
  out += "</tr>\n";
}

void append_thresholds(std::string& out, const Calibration& c) {
  open_section(
      out, "thresholds", "Thresholds",
      "What dedup would take with a threshold, and all else that the rule asks for unchanged; now: the rule as it is. Recall is the "
      "share of the right pairs of the similarities sampled; of all: also of those that the candidate stage would miss, as many "
      "as its model predicts.");
  out +=
      "<div class=\"scroll\"><table>\n<thead><tr><th>Threshold</th><th class=\"n\">Pairs</th><th class=\"n\">Yes / no / unsure</th>"
      "<th class=\"n\">Precision</th><th class=\"n\">if unsure is yes</th><th class=\"n\">Recall</th>";
  if (c.predicts_recall) out += "<th class=\"n\">Recall of all</th>";
  out += "</tr></thead>\n<tbody>\n";
  append_threshold_row(out, c, c.current);
  for (const CalibratedThreshold& t : c.thresholds) append_threshold_row(out, c, t);
  out += "</tbody></table></div>\n";
  close_section(out);
}

void append_part_row(std::string& out, std::string_view name, const LabelledPart& part) {
  fmt::format_to(std::back_inserter(out), "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td>", name, count_text(part.population));
  out += labels_cell(part) + share_cell(part.precision) + share_cell(part.precision_if_unsure_right) + "</tr>\n";
}

void open_parts(std::string& out, std::string_view first) {
  fmt::format_to(std::back_inserter(out),
                 "<div class=\"scroll\"><table>\n<thead><tr><th>{}</th><th class=\"n\">Pairs</th><th class=\"n\">Yes / no / unsure</th><th "
                 "class=\"n\">Precision</th><th class=\"n\">if unsure is yes</th></tr></thead>\n<tbody>\n",
                 first);
}

void append_bands(std::string& out, const Calibration& c) {
  open_section(out, "bands", "By similarity", "Multiset Jaccard similarity of words and word pairs.");
  open_parts(out, "Similarity");
  for (const CalibratedBand& band : c.bands) {
    const std::string name = band.from == band.to ? std::string("1") : fmt::format("{:.2f} – {:.2f}", band.from, band.to);
    append_part_row(out, name, band.all);
    if (band.refused.population == 0 || band.taken.population == 0) continue;
    append_part_row(out, "– taken", band.taken);
    append_part_row(out, "– refused", band.refused);
  }
  out += "</tbody></table></div>\n";
  close_section(out);
}

void append_distances(std::string& out, const Calibration& c) {
  open_section(out, "distances", "By distance", "Differing bits of the two SimHash fingerprints.");
  open_parts(out, "Bits");
  for (const CalibratedDistance& distance : c.distances) {
    std::string name = "no distance";
    if (distance.from)
      name = distance.to ? fmt::format("{} – {}", *distance.from, *distance.to) : fmt::format("{} and more", *distance.from);
    append_part_row(out, name, distance.all);
  }
  out += "</tbody></table></div>\n";
  close_section(out);
}

void append_foot(std::string& out, const Calibration& c) {
  fmt::format_to(
      std::back_inserter(out),
      "</main>\n<footer><p>Leitong {} · profile {} · <code class=\"id\">{}</code> · rule {} · <code class=\"id\">{}</code> · sample "
      "<code>{}</code></p>\n"
      "<p>The intervals speak of collections like this one, labelled by the same person; they do not know whether the labels are "
      "right. The same inputs, options and labels give this page byte for byte.</p></footer>\n</body>\n</html>\n",
      text_html(c.version), text_html(shortened(c.profile, 200)), text_html(shortened(c.profile_id, 100)),
      text_html(shortened(c.rule, 200)), text_html(shortened(c.rule_id, 100)), text_html(c.sample));
}

}  // namespace

std::string render_calibration(const Calibration& c) {
  std::string out;
  append_page_head(out, shortened(c.title, 200) + " – calibration – Leitong", style, false);
  out += "<body>\n<main>\n";
  append_summary(out, c);
  append_plots(out, c);
  append_thresholds(out, c);
  append_bands(out, c);
  append_distances(out, c);
  append_foot(out, c);
  return out;
}

}  // namespace leitong::report
