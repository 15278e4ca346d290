// Sections of single records: the largest groups, and sampled pairs with their differences.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/difference.h"
#include "report/html.h"
#include "report/numbers.h"
#include "report/sections.h"

namespace leitong::report {
namespace {

constexpr std::size_t most_clusters = 50;
constexpr std::size_t most_members = 40;
constexpr std::size_t most_samples = 120;
constexpr std::size_t longest_text = 8'000;  // bytes
constexpr std::size_t longest_rule = 5;
constexpr std::string_view rule_characters = "=-_*#~+.";

std::string distance_text(const Member& member) { return member.distance < 0 ? "–" : std::to_string(member.distance); }

std::string similarity_text(const Member& member) { return member.similarity < 0 ? "–" : ratio_text(member.similarity); }

std::string id_html(const Member& member) {
  if (member.id.empty()) return "<span class=\"soft\">no id</span>";
  return "<bdi>" + text_html(shortened(member.id, 200)) + "</bdi>";
}

// White space counts as one space, and a ruled line ("=====") is cut short: else the first line of a text is all that is seen.
std::string one_line(std::string_view text, std::size_t columns) {
  std::string line;
  std::size_t run = 0;
  for (char c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    run = !line.empty() && line.back() == c ? run + 1 : 1;
    const bool rule = rule_characters.find(c) != std::string_view::npos;
    if (run <= (c == ' ' ? 1 : rule ? longest_rule : text.size())) line += c;
  }
  return text_html(fitted(line, columns));
}

void append_members(std::string& out, const Cluster& cluster, const std::string& packed) {
  out +=
      "<div class=\"scroll\"><table class=\"members\">\n<thead><tr><th scope=\"col\" class=\"n\">Record</th><th scope=\"col\">Id</th><th "
      "scope=\"col\">Source</th>"
      "<th scope=\"col\" class=\"n\">Similarity</th><th scope=\"col\" class=\"n\">Distance</th><th scope=\"col\" "
      "class=\"n\">Length</th></tr></thead>\n<tbody>\n";
  const std::size_t shown = std::min(cluster.members.size(), most_members);
  for (std::size_t i = 0; i < shown; ++i) {
    const Member& member = cluster.members[i];
    fmt::format_to(std::back_inserter(out),
                   "<tr{}><th scope=\"row\" class=\"n\">{}</th><td class=\"path\">{}{}</td><td class=\"path\" dir=\"auto\">{}</td>"
                   "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                   member.kept ? " class=\"keeper\"" : "", member.stored ? "–" : count_text(member.record),
                   member.kept ? "<b class=\"badge keep\">kept</b> " : "", id_html(member), text_html(shortened(member.source, 300)),
                   member.kept ? "–" : similarity_text(member), member.kept ? "–" : distance_text(member),
                   member.stored ? "–" : bytes_text(member.length));
  }
  out += "</tbody></table></div>\n";
  if (cluster.size > shown)
    out +=
        "<p class=\"soft\">… and " + counted(cluster.size - shown, "record", "records") + " more, in clusters.jsonl" + packed + ".</p>\n";
}

void append_cluster(std::string& out, const Cluster& cluster, const std::string& packed, bool open) {
  fmt::format_to(
      std::back_inserter(out),
      "<details class=\"group\"{}><summary><span class=\"size\">{}</span><span class=\"what\"><span class=\"name\">group {}{}</span> "
      "<span class=\"excerpt\" lang=\"\" dir=\"auto\">{}</span></span></summary>\n",
      open ? " open" : "", count_text(cluster.size), count_text(cluster.cluster),
      cluster.giant ? " <b class=\"badge alarm\">giant</b>" : "", one_line(cluster.excerpt, 160));
  append_members(out, cluster, packed);
  out += "</details>\n";
}

void append_side(std::string& out, std::string_view style, std::string_view name, const Member& member) {
  fmt::format_to(
      std::back_inserter(out),
      "<div class=\"side {}\"><b class=\"badge {}\">{}</b> {}<span class=\"soft origin\"><bdi>{}</bdi> · {}</span></div>\n", style,
      style == "a" ? "drop" : "keep", name, id_html(member), text_html(shortened(member.source, 200)),
      member.stored ? "no text is kept there" : fmt::format("record {} · {}", count_text(member.record), bytes_text(member.length)));
}

std::string_view limited(std::string_view text) { return text.substr(0, word_end(text, longest_text)); }

void append_moved(std::string& out, const Sample& sample) {
  if (sample.moved.empty()) return;
  out += "<p class=\"moved\"><span class=\"soft\">Moved the fingerprint most:</span>";
  for (const MovedFeature& f : sample.moved) {
    const std::string text = text_html(shortened(f.text, 60));
    if (f.a == 0 || f.b == 0) {
      fmt::format_to(std::back_inserter(out), " <{0}>{1}</{0}>", f.b == 0 ? "del" : "ins", text);
    } else {
      fmt::format_to(std::back_inserter(out), " <span>{} <span class=\"soft\">{:.4g} → {:.4g}</span></span>", text, f.a, f.b);
    }
  }
  if (sample.moved_in_all > sample.moved.size())
    fmt::format_to(std::back_inserter(out), " <span class=\"soft\">and {} more</span>",
                   count_text(sample.moved_in_all - sample.moved.size()));
  out += "</p>\n";
}

void append_sample(std::string& out, const Sample& sample, bool open) {
  fmt::format_to(
      std::back_inserter(out),
      "<details class=\"sample\"{}><summary><span class=\"facts\"><span class=\"who\"><bdi>{}</bdi> <span class=\"excerpt\" lang=\"\" "
      "dir=\"auto\">{}</span></span><span>similarity <b>{}</b></span><span>distance <b>{}</b></span>"
      "<span>group <b>{}</b></span>{}</span></summary>\n<div class=\"diff\" lang=\"\">\n",
      open ? " open" : "", text_html(shortened(sample.removed.id, 60)), one_line(sample.removed_text, 90), similarity_text(sample.removed),
      distance_text(sample.removed), count_text(sample.cluster),
      sample.reason.empty() ? "" : fmt::format("<span>kept by <code>{}</code></span>", text_html(shortened(sample.reason, 200))));
  append_side(out, "a", "removed", sample.removed);
  append_side(out, "b", "kept", sample.kept);
  const bool cut = sample.cut || sample.removed_text.size() > longest_text || sample.kept_text.size() > longest_text;
  append_difference(out, limited(sample.removed_text), limited(sample.kept_text),
                    cut ? without_open_end(sample.diff) : std::span(sample.diff));
  if (cut) out += "<div class=\"fold\"><span>the texts go on</span></div>\n";
  append_moved(out, sample);
  out += "</div>\n</details>\n";
}

void open_distance(std::string& out, int distance) {
  if (distance < 0) {
    out += "<div class=\"distance\"><h3>Without fingerprint</h3>\n";
  } else {
    fmt::format_to(std::back_inserter(out), "<div class=\"distance\"><h3>Distance {}</h3>\n", distance);
  }
}

}  // namespace

void append_clusters(std::string& out, const Report& r) {
  if (r.largest.empty()) return;
  open_section(out, "groups", "Largest groups",
               "The number of records, and how the kept text begins. Open a group to see its members; similarity and distance are to the "
               "kept record.");
  const std::size_t all = std::min(r.largest.size(), most_clusters);
  std::size_t shown = 0;
  for (; shown < all && out.size() < groups_limit; ++shown) append_cluster(out, r.largest[shown], r.packed, false);
  if (r.clusters > shown)
    out += "<p class=\"soft\">… and " + counted(r.clusters - shown, "group", "groups") + " more, in clusters.jsonl" + r.packed + ".</p>\n";
  close_section(out);
}

void append_samples(std::string& out, const Report& r) {
  if (r.samples.empty()) return;
  open_section(out, "samples", "Sampled pairs",
               "What was removed beside what was kept in its place, at each fingerprint distance. Left, <del>struck through</del>: only in "
               "the removed text. "
               "Right, <ins>underlined</ins>: only in the kept text. Letter case, width and punctuation do not count as differences. "
               "Below each pair: the features that pulled the fingerprints apart most; “#2” is a feature's second copy.");
  append_filter(out);
  std::size_t shown = 0;
  for (; shown < std::min(r.samples.size(), most_samples) && out.size() < samples_limit; ++shown) {
    const Sample& sample = r.samples[shown];
    const bool first = shown == 0 || r.samples[shown - 1].removed.distance != sample.removed.distance;
    if (first) {
      if (shown > 0) out += "</div>\n";
      open_distance(out, sample.removed.distance);
    }
    append_sample(out, sample, first);
  }
  if (shown > 0) out += "</div>\n";
  if (shown < r.samples.size())
    out += "<p class=\"soft\">" + counted(r.samples.size() - shown, "more pair is", "more pairs are") +
           " left out to keep the page small.</p>\n";
  close_section(out);
}

}  // namespace leitong::report
