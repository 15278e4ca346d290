#include "cli/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/diff.h"

namespace leitong::cli {
namespace {

constexpr std::size_t longest_feature = 48;  // bytes that are shown of one

// A whole number as it is, a fraction by four digits.
std::string number(double value) { return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.4f}", value); }
std::string signed_number(double value) { return (value < 0 ? "" : "+") + number(value + 0.0); }
std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value + 0.0) : "null"; }

// On one line, and not too long.
std::string readable(const MovedFeature& feature) {
  std::string text = feature.text;
  for (char& c : text)
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  if (text.size() > longest_feature) {
    std::size_t end = longest_feature;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text = text.substr(0, end) + "…";
  }
  if (text.find_first_not_of(' ') == std::string::npos) text = "\"" + text + "\"";
  return harmless(text) + (feature.part_of_speech.empty() ? "" : "/" + harmless(feature.part_of_speech));
}

// Red: less of it in B; green: more of it.
std::string colored(const MovedFeature& feature, const std::string& text, bool color) {
  return color ? (feature.b > feature.a ? "\x1b[32;1m" : "\x1b[31m") + text + "\x1b[0m" : text;
}

// -only in A, +only in B, 2>1 of other weight.
std::string marked(const MovedFeature& feature, bool color) {
  std::string text = readable(feature);
  if (feature.b == 0) {
    text = "-" + text;
  } else if (feature.a == 0) {
    text = "+" + text;
  } else {
    text += fmt::format(" {}>{}", number(feature.a), number(feature.b));
  }
  return colored(feature, text, color);
}

std::size_t shown_over_all(const Explanation& e, const ExplainSettings& s) {
  return std::min<std::size_t>(e.moved.size(), std::size_t{features_over_all} * s.top);
}

void show_moved(const Explanation& e, const ExplainSettings& s, bool color, Output& output) {
  output.write(fmt::format("\nfeatures       {} in A, {} in B; {} with the same weight in both\n", human_count(e.a_features),
                           human_count(e.b_features), human_count(e.unmoved)));
  const std::size_t shown = shown_over_all(e, s);
  if (shown == 0) return;
  const bool bits = !e.bits.empty();
  output.write(fmt::format("  {:>8} {:>8}{}  what moved most{}\n", "in A", "in B", bits ? fmt::format(" {:>8}", "pull") : "",
                           bits ? "; pull: bits that went its way, less those that went the other" : ""));
  for (std::size_t i = 0; i < shown; ++i) {
    const MovedFeature& f = e.moved[i];
    output.write(fmt::format("  {:>8} {:>8}{}  {}\n", number(f.a), number(f.b), bits ? fmt::format(" {:>+8}", f.pull) : "",
                             colored(f, readable(f), color)));
  }
  if (shown < e.moved.size()) output.write(fmt::format("  and {} more (--top N shows more)\n", human_count(e.moved.size() - shown)));
}

void show_bits(const Explanation& e, bool color, Output& output) {
  if (e.bits.empty()) return;
  output.write(
      fmt::format("\nbits           {} differ{}. A bit is set if its counter is {}: the weights of the features\n"
                  "               whose hash has it, less those of the others\n",
                  e.bits.size(), e.bits.size() == 1 ? "s" : "", e.tie_sets_bit ? "0 or more" : "above 0"));
  output.write(fmt::format("  {:>4} {:>8} {:>8}  {}\n", "bit", "A", "B", "-only in A  +only in B, what moved the counter most"));
  for (const DifferingBit& bit : e.bits) {
    std::string line = fmt::format("  {:>4} {:>8} {:>8}", bit.bit, signed_number(bit.a), signed_number(bit.b));
    for (const std::uint32_t i : bit.features) line += "  " + marked(e.moved[i], color);
    if (bit.left_out > 0 && !bit.features.empty()) line += fmt::format("  and {} more", human_count(bit.left_out));
    output.write(line + "\n");
  }
}

std::string feature_json(const MovedFeature& f) {
  return fmt::format("{{\"text\":{},\"part_of_speech\":{},\"a\":{},\"b\":{},\"pull\":{},\"hash\":\"{}\"}}", json_string(f.text),
                     f.part_of_speech.empty() ? "null" : json_string(f.part_of_speech), json_number(f.a), json_number(f.b), f.pull,
                     to_hex(f.hash));
}

std::string bit_json(const Explanation& e, const DifferingBit& bit) {
  std::string out = fmt::format("{{\"bit\":{},\"a\":{},\"b\":{},\"features\":[", bit.bit, json_number(bit.a), json_number(bit.b));
  for (std::size_t i = 0; i < bit.features.size(); ++i) {
    const MovedFeature& f = e.moved[bit.features[i]];
    out +=
        fmt::format("{}{{\"text\":{},\"contribution\":{}}}", i == 0 ? "" : ",", json_string(f.text), json_number(contribution(f, bit.bit)));
  }
  return out + fmt::format("],\"left_out\":{}}}", bit.left_out);
}

std::string name_of(const RunRecord& r) {
  if (r.stored) return harmless(fmt::format("document {} of {}", r.id, r.source));
  return harmless(fmt::format("record {}{} ({}:{})", r.record, r.id.empty() ? "" : ", id " + r.id, r.source, r.line));
}

// Short, for chains.
std::string short_name(const RunRecord& r) { return harmless(r.id.empty() ? fmt::format("record {}", r.record) : r.id); }

void show_fate(const char* name, const RunFate& fate, unsigned bits, Output& output) {
  output.write(fmt::format("{}              {}\n", name, name_of(fate.self)));
  if (!fate.cluster) return output.write("               kept: it is in no group\n");
  if (fate.is_kept)
    return output.write(
        fmt::format("               kept: the one that group {} keeps of its {} records\n", *fate.cluster, human_count(fate.cluster_size)));
  output.write(fmt::format("               removed: group {} keeps, of its {} records, {}\n", *fate.cluster, human_count(fate.cluster_size),
                           name_of(fate.kept)));
  if (fate.kept.stored)
    return output.write(
        fmt::format("               which it resembles by its fingerprint alone: {} of {} bits differ\n", fate.distance.value_or(0), bits));
  output.write(fmt::format("               which it {} (similarity {:.4f}{})\n", fate.equal ? "equals after normalisation" : "resembles",
                           fate.similarity, fate.distance ? fmt::format(", {} of {} bits differ", *fate.distance, bits) : ""));
}

std::string route_text(const std::string& route) {
  if (route == "equal") return "as equal texts";
  if (route == "bands") return "by bands of their MinHash sketches";
  if (route == "exact") return "by the exact route of short texts";
  return route == "hamming" ? "by the distance of their fingerprints" : "by " + route;
}

bool is_unverified(const RunEdge& edge) { return edge.from.stored || edge.to.stored; }

// Where an earlier equal stood for a record when pairs were nominated.
void show_stand_in(const char* name, const RunFate& fate, Output& output) {
  if (fate.first.record != fate.self.record)
    output.write(fmt::format("               {} equals {}, which stood for it\n", name, name_of(fate.first)));
}

void show_decision(const RunExplanation& run, Output& output) {
  if (run.nominated) {
    output.write(
        fmt::format("nominated      yes, {}{}\n", route_text(*run.nominated),
                    run.estimate > 0 && *run.nominated != "equal" ? fmt::format("; estimated similarity {:.4f}", run.estimate) : ""));
  } else {
    output.write(fmt::format("nominated      no: the pair was never compared. Candidates are found by {}\n", harmless(run.method)));
  }
  show_stand_in("A", run.a, output);
  show_stand_in("B", run.b, output);
  if (!run.nominated) return;
  if (run.unverified) return output.write("accepted       yes, unverified: no text is kept of one of them\n");
  if (run.accepted) {
    output.write(fmt::format("accepted       yes, with similarity {:.4f}", *run.accepted));
  } else {
    output.write(run.comparison && run.comparison->other_facts ? "accepted       no: other facts" : "accepted       no");
  }
  output.write(fmt::format(" (verification: {})\n               asked for: {}\n", run.verification, harmless(run.thresholds)));
  if (run.accepted || !run.comparison) return;
  output.write(
      fmt::format("               found: {:.4f}; {:.4f} of the tokens in the same order\n", run.comparison->jaccard, run.comparison->lcs));
  if (run.beyond_template)
    output.write(fmt::format("               found: {:.4f} where what is common in the collection counts less\n", *run.beyond_template));
  if (run.own_passages) output.write("               found: pages of one template, each with a passage of its own in the same place\n");
}

void show_chain(const RunExplanation& run, Output& output) {
  if (run.a.cluster != run.b.cluster || !run.a.cluster) return output.write("chain          none: they are not in one group\n");
  if (run.chain.empty()) return output.write("chain          none: no accepted pairs of their group lead from one to the other\n");
  output.write(fmt::format("chain          {} accepted pair{}\n", run.chain.size(), run.chain.size() == 1 ? "" : "s"));
  for (const RunEdge& edge : run.chain)
    output.write(fmt::format("               {} {:<8} {} - {}\n", is_unverified(edge) ? "-     " : fmt::format("{:.4f}", edge.similarity),
                             edge.route, short_name(edge.from), short_name(edge.to)));
}

std::string json_of(const RunRecord& r) {
  const auto number = [&](std::uint64_t n) { return r.stored ? std::string("null") : std::to_string(n); };
  return fmt::format("{{\"id\":{},\"record\":{},\"source\":{},\"line\":{}}}", r.id.empty() ? "null" : r.id, number(r.record),
                     json_string(r.source), number(r.line));
}

std::string json_of(const RunFate& f) {
  return fmt::format(
      "{{\"record\":{},\"fp\":{},\"cluster\":{},\"cluster_size\":{},\"keep\":{},\"kept\":{},\"similarity\":{},\"equal\":{},"
      "\"distance\":{},\"first_equal\":{}}}",
      json_of(f.self), f.fingerprint ? json_string(to_hex(*f.fingerprint)) : "null", f.cluster ? std::to_string(*f.cluster) : "null",
      f.cluster_size, f.is_kept, json_of(f.kept), f.kept.stored && !f.is_kept ? "null" : fmt::format("{}", f.similarity), f.equal,
      f.distance ? std::to_string(*f.distance) : "null", json_of(f.first));
}

std::string similarity_json(const RunEdge& edge) { return is_unverified(edge) ? "null" : fmt::format("{}", edge.similarity); }

std::string text_or_null(const std::string& text) { return text.empty() ? "null" : json_string(text); }

}  // namespace

void show_explanation(const Explanation& explanation, const ExplainSettings& settings, bool color, Output& output) {
  show_moved(explanation, settings, color, output);
  show_bits(explanation, color, output);
}

std::string explanation_json(const Explanation& e, const ExplainSettings& s) {
  std::string out = fmt::format("\"features\":{{\"a\":{},\"b\":{},\"unmoved\":{},\"moved\":{}}},\"most_moved\":[", e.a_features,
                                e.b_features, e.unmoved, e.moved.size());
  for (std::size_t i = 0; i < shown_over_all(e, s); ++i) out += (i == 0 ? "" : ",") + feature_json(e.moved[i]);
  out += "],\"differing_bits\":[";
  for (std::size_t i = 0; i < e.bits.size(); ++i) out += (i == 0 ? "" : ",") + bit_json(e, e.bits[i]);
  return out + "]";
}

void show_run(const RunExplanation& run, Output& output) {
  show_fate("A", run.a, run.profile.bits, output);
  show_fate("B", run.b, run.profile.bits, output);
  show_decision(run, output);
  show_chain(run, output);
}

std::string run_json(const RunExplanation& run) {
  std::string out = fmt::format(
      "\"run\":{{\"a\":{},\"b\":{},\"nominated\":{},\"estimate\":{},\"beyond_template\":{},\"own_passages\":{},\"accepted\":{},"
      "\"unverified\":{},\"method\":{},"
      "\"verification\":{},\"thresholds\":{},\"no_texts\":{},\"chain\":[",
      json_of(run.a), json_of(run.b), run.nominated ? json_string(*run.nominated) : "null", run.estimate,
      run.beyond_template ? fmt::format("{}", *run.beyond_template) : "null", run.own_passages,
      run.accepted && !run.unverified ? fmt::format("{}", *run.accepted) : "null", run.unverified, json_string(run.method),
      json_string(run.verification), json_string(run.thresholds), text_or_null(run.no_texts));
  for (std::size_t i = 0; i < run.chain.size(); ++i) {
    const RunEdge& edge = run.chain[i];
    out += fmt::format("{}{{\"from\":{},\"to\":{},\"similarity\":{},\"route\":{}}}", i == 0 ? "" : ",", json_of(edge.from),
                       json_of(edge.to), similarity_json(edge), json_string(edge.route));
  }
  return out + "]}";
}

}  // namespace leitong::cli
