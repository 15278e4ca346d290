// The first screen of the page: what was kept, what was removed, what to look at.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/html.h"
#include "report/numbers.h"
#include "report/sections.h"

namespace leitong::report {
namespace {

constexpr std::size_t most_warnings = 50;

// Shares are of the records that could be read, here as in summary.json: a bad record is neither kept nor removed.
std::uint64_t readable(const Report& r) { return r.records - std::min(r.rejected, r.records); }

std::string result_sentence(const Report& r) {
  if (r.records == 0) return "There were no records in the input.";
  std::string out;
  if (r.removed == 0) {
    out = r.records == 1 ? "The only record stays: there is nothing that it could repeat"
                         : fmt::format("None of the {} repeats another; <strong>{}</strong>", counted(r.records, "record", "records"),
                                       r.kept == r.records ? "all stay" : fmt::format("{} stay", count_text(r.kept)));
  } else {
    out =
        fmt::format("Of {} <strong>{} ({})</strong> {} another and {} removed; <strong>{}</strong> {}",
                    r.rejected > 0 ? counted(readable(r), "readable record", "readable records") : counted(r.records, "record", "records"),
                    count_text(r.removed), share_text(r.removed, readable(r)), r.removed == 1 ? "repeats" : "repeat",
                    r.removed == 1 ? "was" : "were", count_text(r.kept), r.kept == 1 ? "stays" : "stay");
  }
  if (r.removed_for_old > 0) out += fmt::format("; {} of the removed in favour of an old one", count_text(r.removed_for_old));
  if (r.rejected > 0) out += fmt::format("; {} could not be read", count_text(r.rejected));
  return out + ".";
}

struct Share {
  std::string_view name, style;
  std::uint64_t count;
};

// One bar of the whole collection, with its legend.
void append_share_bar(std::string& out, const Report& r) {
  if (r.records == 0) return;
  const std::uint64_t equal = std::min(r.exact_removed, r.removed);
  const Share shares[] = {{"kept", "kept", r.kept},
                          {"removed, near-duplicate", "near", r.removed - equal},
                          {"removed, equal text", "equal", equal},
                          {"rejected", "rejected", r.rejected}};
  auto put = std::back_inserter(out);
  out += "<div class=\"shares\" aria-hidden=\"true\">";
  for (const Share& share : shares) {
    if (share.count > 0) fmt::format_to(put, "<span class=\"{}\" style=\"flex-grow:{}\"></span>", share.style, share.count);
  }
  out += "</div>\n<ul class=\"legend\">";
  for (const Share& share : shares) {
    if (share.count == 0) continue;
    fmt::format_to(put, "<li><i class=\"{}\"></i>{} <b>{}</b> <span class=\"soft\">{}</span></li>", share.style, share.name,
                   count_text(share.count), share_text(share.count, r.records));
  }
  out += "</ul>\n";
}

void append_tile(std::string& out, std::string_view name, std::string_view value, std::string_view note) {
  fmt::format_to(std::back_inserter(out), "<div class=\"tile\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, note);
}

void append_tiles(std::string& out, const Report& r) {
  const int tiles = 8 + static_cast<int>(r.rejected > 0) + static_cast<int>(r.bounded > 0);
  fmt::format_to(std::back_inserter(out), "<dl class=\"tiles\" style=\"--columns:{}\">\n", (tiles + 1) / 2);
  const std::string of = r.rejected > 0 ? " of the readable records" : " of the records";
  append_tile(out, "Records", count_text(r.records), bytes_text(r.text_bytes) + " of text");
  append_tile(out, "Kept", count_text(r.kept), share_text(r.kept, readable(r)) + of);
  append_tile(out, "Removed", count_text(r.removed), share_text(r.removed, readable(r)) + of);
  append_tile(out, "Text removed", bytes_text(r.removed_bytes), share_text(r.removed_bytes, r.text_bytes) + " of the text");
  append_tile(out, "Groups", count_text(r.clusters), "of two records or more");
  append_tile(out, "Equal texts", count_text(r.exact_removed), "removed, the same after normalisation");
  append_tile(out, "Pairs compared", count_text(r.candidates),
              fmt::format("{} near-duplicates{}", count_text(r.edges),
                          r.other_facts == 0 ? "" : fmt::format("; {} refused for other facts", count_text(r.other_facts))));
  append_tile(out, "Without features", count_text(r.featureless), "no word to compare by: kept unless equal");
  if (r.rejected > 0) append_tile(out, "Rejected", count_text(r.rejected), "listed in rejected.jsonl" + r.packed);
  if (r.bounded > 0) append_tile(out, "Bounded", count_text(r.bounded), "records with more candidates than were looked at");
  out += "</dl>\n";
}

void append_warnings(std::string& out, const Report& r) {
  if (r.warnings.empty()) return;
  out += "<section class=\"warnings\" id=\"warnings\" aria-labelledby=\"warnings-title\">\n<h2 id=\"warnings-title\">";
  out += counted(r.warnings.size(), "warning", "warnings") + "</h2>\n<ul>\n";
  std::size_t shown = 0;
  for (; shown < std::min(r.warnings.size(), most_warnings) && out.size() < warnings_limit; ++shown) {
    out += "<li dir=\"auto\">" + text_html(shortened(r.warnings[shown], 600)) + "</li>\n";
  }
  if (r.warnings.size() > shown) out += "<li>… and " + count_text(r.warnings.size() - shown) + " more, in summary.json</li>\n";
  out += "</ul>\n</section>\n";
}

}  // namespace

void open_section(std::string& out, std::string_view id, std::string_view title, std::string_view explanation) {
  fmt::format_to(std::back_inserter(out), "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n", id, title);
  if (!explanation.empty()) fmt::format_to(std::back_inserter(out), "<p class=\"explain\">{}</p>\n", explanation);
}

void append_filter(std::string& out) {
  out +=
      "<p class=\"tools\" id=\"tools\" hidden><label>Filter <input type=\"search\" id=\"filter\" placeholder=\"id, source, text "
      "…\"></label> "
      "<button type=\"button\" id=\"open\">Open all</button> <button type=\"button\" id=\"close\">Close all</button> <span class=\"soft\" "
      "id=\"found\" role=\"status\"></span></p>\n";
}

void close_section(std::string& out) { out += "</section>\n"; }

void append_bar(std::string& out, std::uint64_t part, std::uint64_t whole) {
  const double percent = whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  fmt::format_to(std::back_inserter(out), "<span class=\"bar\" aria-hidden=\"true\"><i style=\"width:{:.2f}%\"></i></span>",
                 std::min(percent, 100.0));
}

void append_summary(std::string& out, const Report& r) {
  out += "<header>\n<p class=\"eyebrow\">Near-duplicates · Leitong <span lang=\"zh\">雷同</span></p>\n<h1 dir=\"auto\">";
  out += text_html(shortened(r.title.empty() ? "Deduplication" : r.title, 200)) + "</h1>\n";
  if (!r.against.empty()) out += "<p class=\"against soft\" dir=\"auto\">held against " + text_html(shortened(r.against, 200)) + "</p>\n";
  out += "<p class=\"result\">" + result_sentence(r) + "</p>\n";
  append_share_bar(out, r);
  out += "</header>\n";
  append_warnings(out, r);
  append_tiles(out, r);
}

}  // namespace leitong::report
