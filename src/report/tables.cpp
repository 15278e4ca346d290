// Sections that are tables: sources, keep policy, recall of the candidate stage, configuration.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/html.h"
#include "report/numbers.h"
#include "report/sections.h"

namespace leitong::report {
namespace {

constexpr std::size_t first_sources = 21;
constexpr std::size_t most_rows = 250;
constexpr std::size_t most_rules = 40;

// A bad record is neither kept nor removed.
std::uint64_t readable(const Source& source) { return source.records - std::min(source.rejected, source.records); }

void append_source_rows(std::string& out, const Report& r, const std::vector<Source>& sources, std::size_t begin, std::size_t end) {
  const bool rejects = std::any_of(sources.begin(), sources.end(), [](const Source& source) { return source.rejected > 0; });
  const bool for_old = !r.old_sources.empty() && &sources == &r.sources;
  out +=
      "<div class=\"scroll\"><table class=\"sources\">\n<thead><tr><th scope=\"col\">Source</th><th scope=\"col\" class=\"n\">Records</th>"
      "<th scope=\"col\" class=\"n\">Removed</th><th scope=\"col\" class=\"wide\">Share removed</th>";
  if (for_old) out += "<th scope=\"col\" class=\"n\">For an old record</th>";
  if (rejects) out += "<th scope=\"col\" class=\"n\">Rejected</th>";
  out += "</tr></thead>\n<tbody>\n";
  auto put = std::back_inserter(out);
  for (std::size_t i = begin; i < end && out.size() < sources_limit; ++i) {
    const Source& source = sources[i];
    fmt::format_to(put,
                   "<tr><th scope=\"row\" class=\"path\" dir=\"auto\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
                   "class=\"wide\"><span class=\"share\">{}</span>",
                   text_html(shortened(source.path, 200)), count_text(source.records), count_text(source.removed),
                   readable(source) == 0 ? "–" : share_text(source.removed, readable(source)));
    append_bar(out, source.removed, readable(source));
    out += "</td>";
    if (for_old) fmt::format_to(put, "<td class=\"n\">{}</td>", count_text(source.removed_for_old));
    if (rejects) fmt::format_to(put, "<td class=\"n\">{}</td>", source.rejected == 0 ? "–" : count_text(source.rejected));
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
}

void append_keep_reasons(std::string& out, const Report& r) {
  if (r.keep_reasons.empty()) return;
  std::uint64_t total = 0;
  for (const auto& [rule, count] : r.keep_reasons) total += count;
  out +=
      "<div class=\"card\"><h3>Which rule decided</h3>\n<p class=\"explain\">For every removed record, the rule of the keep policy by "
      "which the other "
      "one stayed.</p>\n<table>\n<thead><tr><th scope=\"col\">Rule</th><th scope=\"col\" class=\"n\">Removed</th><th scope=\"col\" "
      "class=\"wide\">Share</th>"
      "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < std::min(r.keep_reasons.size(), most_rules) && out.size() < page_limit; ++i) {
    const auto& [rule, count] = r.keep_reasons[i];
    fmt::format_to(
        std::back_inserter(out),
        "<tr><th scope=\"row\" dir=\"auto\"><code>{}</code></th><td class=\"n\">{}</td><td class=\"wide\"><span class=\"share\">{}</span>",
        text_html(shortened(rule, 300)), count_text(count), share_text(count, total));
    append_bar(out, count, total);
    out += "</td></tr>\n";
  }
  out += "</tbody></table></div>\n";
}

void append_recall(std::string& out, const Report& r) {
  if (r.recall.empty()) return;
  out +=
      "<div class=\"card\"><h3>What the candidate stage finds</h3>\n<p class=\"explain\">Predicted share of the pairs of a given "
      "similarity that "
      "are looked at.</p>\n<table>\n<thead><tr><th scope=\"col\">Similarity</th><th scope=\"col\" "
      "class=\"n\">Recall</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < std::min(r.recall.size(), most_rules) && out.size() < page_limit; ++i) {
    fmt::format_to(std::back_inserter(out), "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td></tr>\n",
                   text_html(shortened(r.recall[i].first, 100)), text_html(shortened(r.recall[i].second, 100)));
  }
  out += "</tbody></table></div>\n";
}

void append_configuration(std::string& out, const Report& r) {
  if (r.configuration.empty()) return;
  open_section(out, "configuration", "Effective configuration", "Every setting that decided this result, defaults included.");
  out +=
      "<div class=\"scroll\"><table class=\"settings\">\n<thead><tr><th scope=\"col\">Setting</th><th "
      "scope=\"col\">Value</th></tr></thead>\n<tbody>\n";
  const std::size_t rows = std::min(r.configuration.size(), most_rows);
  for (std::size_t i = 0; i < rows && out.size() < page_limit; ++i) {
    const auto& [name, value] = r.configuration[i];
    fmt::format_to(std::back_inserter(out), "<tr><th scope=\"row\">{}</th><td dir=\"auto\"><code>{}</code></td></tr>\n",
                   text_html(shortened(name, 200)), value.empty() ? "<span class=\"soft\">–</span>" : text_html(shortened(value, 1500)));
  }
  out += "</tbody></table></div>\n";
  close_section(out);
}

}  // namespace

void append_sources(std::string& out, const Report& r) {
  if (r.sources.empty()) return;
  open_section(
      out, "sources", "Removed by source",
      "A source is an input file or, where there are many, what stands in an input directory under one name or beginning of names, the "
      "largest first. A record counts for the source in which it stands, not for that of the copy that was kept.");
  const std::size_t all = std::min(r.sources.size(), most_rows);
  const std::size_t shown = all <= first_sources + 3 ? all : first_sources;
  append_source_rows(out, r, r.sources, 0, shown);
  if (shown < all) {
    fmt::format_to(std::back_inserter(out), "<details class=\"more\"><summary>{}</summary>\n",
                   counted(all - shown, "more source", "more sources"));
    append_source_rows(out, r, r.sources, shown, all);
    out += "</details>\n";
  }
  close_section(out);
}

void append_domains(std::string& out, const Report& r) {
  if (r.domains.empty()) return;
  open_section(
      out, "domains", "Removed by domain",
      "A domain is the host in a record's address; the largest stand here. A record counts for its own domain, not for that of the "
      "copy that was kept.");
  append_source_rows(out, r, r.domains, 0, std::min(r.domains.size(), most_rows));
  close_section(out);
}

void append_old_sources(std::string& out, const Report& r) {
  if (r.old_sources.empty()) return;
  const std::string all =
      "What the input was held against. Its records were neither removed nor written; an input record that resembles one of them was "
      "removed in its favour.";
  const std::string stores =
      " Of stores, which keep no texts, only the documents that are nearest to some record are counted; what was removed for them "
      "resembles them by its fingerprint.";
  open_section(out, "old-sources", "The old collection", r.old_stores == 0 ? all : all + stores);
  out +=
      "<div class=\"scroll\"><table class=\"sources\">\n<thead><tr><th scope=\"col\">Source</th><th scope=\"col\" class=\"n\">Records</th>"
      "<th scope=\"col\" class=\"n\">Removed for it</th><th scope=\"col\" class=\"wide\">Share of all removed for an old record</th></tr>"
      "</thead>\n<tbody>\n";
  for (std::size_t i = 0; i < std::min(r.old_sources.size(), most_rows) && out.size() < sources_limit; ++i) {
    const Source& source = r.old_sources[i];
    fmt::format_to(std::back_inserter(out),
                   "<tr><th scope=\"row\" class=\"path\" dir=\"auto\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
                   "class=\"wide\"><span class=\"share\">{}</span>",
                   text_html(shortened(source.path, 200)), count_text(source.records), count_text(source.removed),
                   r.removed_for_old == 0 ? "–" : share_text(source.removed, r.removed_for_old));
    append_bar(out, source.removed, r.removed_for_old);
    out += "</td></tr>\n";
  }
  out += "</tbody></table></div>\n";
  close_section(out);
}

void append_method(std::string& out, const Report& r) {
  if (!r.keep_reasons.empty() || !r.recall.empty()) {
    open_section(out, "method", "How it was decided", "");
    out += "<div class=\"cards\">\n";
    append_keep_reasons(out, r);
    append_recall(out, r);
    out += "</div>\n";
    close_section(out);
  }
  append_configuration(out, r);
}

}  // namespace leitong::report
