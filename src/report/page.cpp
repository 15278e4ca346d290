// The page of a run: its sections in order.

#include <fmt/format.h>

#include <iterator>

#include "report/html.h"
#include "report/numbers.h"
#include "report/page_style.h"
#include "report/report.h"
#include "report/sections.h"

namespace leitong::report {
namespace {

void append_foot(std::string& out, const Report& r) {
  fmt::format_to(
      std::back_inserter(out),
      "</main>\n<footer><p>Leitong {} · profile {} · <code class=\"id\">{}</code> · rule {} · <code "
      "class=\"id\">{}</code></p>\n"
      "<p>The same input, profile, rule and options give this page byte for byte. Fingerprints are comparable only under one profile "
      "id.</p></footer>\n",
      text_html(r.version), text_html(shortened(r.profile, 200)), text_html(shortened(r.profile_id, 100)),
      text_html(shortened(r.rule, 200)), text_html(shortened(r.rule_id, 100)));
  out += "<script>\n";
  out += page_script();
  out += "</script>\n</body>\n</html>\n";
}

}  // namespace

std::string render_html(const Report& r) {
  std::string out;
  append_page_head(out, fmt::format("{}: {}, {} removed – Leitong", shortened(r.title.empty() ? "Deduplication" : r.title, 120),
                                    counted(r.records, "record", "records"), count_text(r.removed)));
  out += "<body>\n<main>\n";
  append_summary(out, r);
  append_sources(out, r);
  append_domains(out, r);
  append_old_sources(out, r);
  append_plots(out, r);
  append_clusters(out, r);
  append_samples(out, r);
  append_method(out, r);
  append_foot(out, r);
  return out;
}

}  // namespace leitong::report
