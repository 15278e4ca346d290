#include "server/answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "leitong/records.h"

namespace leitong::server {
namespace {

std::string measures(const CollectionMatch& match) {
  return fmt::format("\"distance\":{},\"similarity\":{}", match.distance ? std::to_string(*match.distance) : "null",
                     match.similarity ? fmt::format("{:.4f}", *match.similarity) : "null");
}

const char* unverified(const CollectionMatch& match) { return match.verified ? "" : ",\"unverified\":true"; }
const char* truncated(bool is) { return is ? ",\"truncated\":true" : ""; }

std::string feature_json(const MovedFeature& feature) {
  return fmt::format("{{\"text\":{},\"a\":{},\"b\":{},\"pull\":{},\"hash\":\"{}\"}}", json_text(feature.text), feature.a, feature.b,
                     feature.pull, to_hex(feature.hash));
}

std::string bit_json(const Explanation& explanation, const DifferingBit& bit) {
  std::string out = fmt::format("{{\"bit\":{},\"a\":{},\"b\":{},\"features\":[", bit.bit, bit.a, bit.b);
  for (std::size_t i = 0; i < bit.features.size(); ++i) {
    const MovedFeature& feature = explanation.moved[bit.features[i]];
    out += fmt::format("{}{{\"text\":{},\"contribution\":{}}}", i == 0 ? "" : ",", json_text(feature.text), contribution(feature, bit.bit));
  }
  return out + fmt::format("],\"left_out\":{}}}", bit.left_out);
}

}  // namespace

std::string json_text(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string json_fingerprint(const std::optional<Fingerprint>& fingerprint) {
  return fingerprint ? "\"" + to_hex(*fingerprint) + "\"" : "null";
}

std::string match_json(std::string_view query, const CollectionMatch& match) {
  std::string out = "{";
  if (!query.empty()) out += fmt::format("\"query\":{},", query);
  return out + fmt::format("\"id\":{},{}{}}}", json_text(match.id), measures(match), unverified(match));
}

std::string answer_json(const CollectionAnswer& answer) {
  std::string out = "{\"matches\":[";
  for (std::size_t i = 0; i < answer.matches.size(); ++i) out += (i == 0 ? "" : ",") + match_json({}, answer.matches[i]);
  return out + fmt::format("],\"truncated\":{}}}", answer.truncated);
}

std::string outcome_json(std::string_view id, const CollectionOutcome& outcome) {
  std::string out = "{\"id\":" + json_text(id);
  if (!outcome.match)
    return out + fmt::format(",\"result\":\"new\"{}{}}}", outcome.replaced ? ",\"replaced\":true" : "", truncated(outcome.truncated));
  const CollectionMatch& match = *outcome.match;
  out += outcome.present ? ",\"result\":\"present\"" : ",\"result\":\"duplicate\",\"of\":" + json_text(match.id);
  return out + fmt::format(",{}{}}}", measures(match), unverified(match));
}

std::string verdict_json(std::string_view id, const CollectionAnswer& answer) {
  if (answer.matches.empty())
    return fmt::format("{{\"result\":\"new\",\"of\":null,\"distance\":null,\"similarity\":null,\"verified\":false,\"truncated\":{}}}",
                       answer.truncated);
  const auto own = std::find_if(answer.matches.begin(), answer.matches.end(),
                                [&](const CollectionMatch& match) { return !id.empty() && match.id == id; });
  const CollectionMatch& match = own == answer.matches.end() ? answer.matches.front() : *own;
  return fmt::format("{{\"result\":\"{}\",\"of\":{},{},\"verified\":{},\"truncated\":{}}}",
                     own == answer.matches.end() ? "duplicate" : "present", json_text(match.id), measures(match), match.verified,
                     answer.truncated);
}

std::string entry_json(const CollectionEntry& entry, bool texts, std::string_view place) {
  std::string out = fmt::format("{{\"id\":{},\"sequence\":{},\"fingerprint\":{},\"metadata\":{},\"text\":{}", json_text(entry.id),
                                entry.sequence, json_fingerprint(entry.fingerprint), entry.metadata.empty() ? "null" : entry.metadata,
                                texts && !entry.unverified ? json_text(entry.text) : "null");
  if (entry.unverified) out += ",\"unverified\":true";
  if (!place.empty()) out += ",\"place\":" + json_text(place);
  return out + "}";
}

std::string options_json(std::string_view name, const CollectionOptions& options, std::string_view profile_id) {
  return fmt::format(
      "\"name\":{},\"profile\":{},\"profile_id\":\"{}\",\"bits\":{},\"k\":{},\"ids\":\"{}\",\"texts\":{},\"metadata\":{},\"fingerprints_"
      "only\":{}",
      json_text(name), json_text(options.profile.name), profile_id, options.profile.bits, options.k,
      options.ids == CollectionIds::number ? "number" : "text", options.texts, options.metadata, options.fingerprints_only);
}

std::string stats_json(const CollectionStats& stats) {
  std::string out = fmt::format("\"documents\":{},\"bytes\":{}", stats.documents, stats.bytes);
  if (!stats.server.empty()) return out + ",\"server\":" + json_text(stats.server);
  return out + fmt::format(",\"next_sequence\":{},\"runs\":{},\"rows\":{},\"memory_rows\":{},\"log_bytes\":{}", stats.next_sequence,
                           stats.runs, stats.rows, stats.memory_rows, stats.log_bytes);
}

std::string comparison_json(std::string_view a, std::string_view b, const Comparison& c) {
  std::string out = fmt::format(
      "{{\"near_duplicate\":{},\"other_facts\":{},\"threshold\":{},\"jaccard\":{},\"containment\":{},\"lcs\":{},\"edit_distance\":{},"
      "\"edit_distance_exact\":{},\"cosine\":{},\"edit_similarity\":{},\"distance\":{},\"a\":{},\"b\":{},\"diff\":[",
      c.near_duplicate, c.other_facts, c.threshold, c.jaccard, c.containment, c.lcs, c.edit_distance, c.edit_distance_exact, c.terms.cosine,
      c.characters.similarity, c.distance ? std::to_string(*c.distance) : "null", json_fingerprint(c.a), json_fingerprint(c.b));
  for (std::size_t i = 0; i < c.diff.size(); ++i) {
    const DiffRun& run = c.diff[i];
    out +=
        fmt::format("{}{{\"same\":{},\"a\":{},\"b\":{}}}", i == 0 ? "" : ",", run.same,
                    json_text(a.substr(run.a_begin, run.a_end - run.a_begin)), json_text(b.substr(run.b_begin, run.b_end - run.b_begin)));
  }
  return out + "]}";
}

std::string explanation_json(const Explanation& e, std::size_t most) {
  std::string out = fmt::format("{{\"a\":{},\"b\":{},\"a_features\":{},\"b_features\":{},\"unmoved\":{},\"moved\":[", json_fingerprint(e.a),
                                json_fingerprint(e.b), e.a_features, e.b_features, e.unmoved);
  const std::size_t shown = std::min(e.moved.size(), most);
  for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : ",") + feature_json(e.moved[i]);
  out += fmt::format("],\"moved_left_out\":{},\"bits\":[", e.moved.size() - shown);
  for (std::size_t i = 0; i < e.bits.size(); ++i) out += (i == 0 ? "" : ",") + bit_json(e, e.bits[i]);
  return out + "]}";
}

}  // namespace leitong::server
