#include "cli/collection_lines.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "leitong/records.h"

namespace leitong::cli {
namespace {

std::string kept(const CollectionOptions& options) {
  std::string out = "fingerprints";
  if (!options.fingerprints_only) out += ", second sketches";
  if (options.texts) out += ", texts";
  if (options.metadata) out += ", metadata";
  return out;
}

}  // namespace

void CollectionLines::append_id(std::string_view id, std::string& out) const {
  if (options_.ids == CollectionIds::number) {
    out += id;
  } else {
    append_json_string(out, id);
  }
}

void CollectionLines::append_measures(const CollectionMatch& match, std::string& out) const {
  out += match.distance ? fmt::format(",\"distance\":{}", *match.distance) : ",\"distance\":null";
  out += match.similarity ? fmt::format(",\"similarity\":{:.4f}", *match.similarity) : ",\"similarity\":null";
  if (!match.verified) out += ",\"unverified\":true";
  out += "}\n";
}

void CollectionLines::append_match(const CollectionMatch& match, std::string& out) const {
  append_id(match.id, out += ",\"id\":");
  append_measures(match, out);
}

void CollectionLines::append_outcome(std::string_view id, const CollectionOutcome& outcome, std::string& out) const {
  append_id(id, out += "{\"id\":");
  if (!outcome.match) {
    out += ",\"result\":\"new\"";
    if (outcome.replaced) out += ",\"replaced\":true";
    if (outcome.truncated) out += ",\"truncated\":true";
    out += "}\n";
    return;
  }
  if (outcome.present) {
    out += ",\"result\":\"present\"";
    append_measures(*outcome.match, out);
    return;
  }
  append_id(outcome.match->id, out += ",\"result\":\"duplicate\",\"of\":");
  append_measures(*outcome.match, out);
}

void CollectionLines::append_query_end(std::string_view query, const CollectionAnswer& answer, std::string& out) {
  out += fmt::format("{{\"query\":{},\"matches\":{}{}}}\n", query, answer.matches.size(), answer.truncated ? ",\"truncated\":true" : "");
}

void CollectionLines::append_added(std::string_view id, std::string& out) const {
  append_id(id, out += "{\"id\":");
  out += ",\"result\":\"added\"}\n";
}

void CollectionLines::append_bad(std::uint64_t line, std::string_view reason, std::string& out) {
  append_json_string(out += fmt::format("{{\"line\":{},\"error\":", line), reason);
  out += "}\n";
}

void CollectionLines::append_entry(const CollectionEntry& entry, std::string& out) const {
  append_id(entry.id, out += "{\"id\":");
  out += fmt::format(",\"sequence\":{},\"fingerprint\":", entry.sequence);
  out += entry.fingerprint ? "\"" + to_hex(*entry.fingerprint) + "\"" : "null";
  out += ",\"metadata\":";
  out += entry.metadata.empty() ? "null" : entry.metadata;
  out += ",\"text\":";
  if (options_.texts && !entry.unverified) {
    append_json_string(out, entry.text);
  } else {
    out += "null";
  }
  out += entry.unverified ? ",\"unverified\":true}\n" : "}\n";
}

std::string inspection_for_people(const StoreInspection& found) {
  std::string out = found.layout.empty() ? "layout    none fits\n" : "layout    " + found.layout + "\n";
  for (const std::string& sentence : found.evidence) out += "evidence  " + harmless(sentence) + "\n";
  for (const std::string& sentence : found.doubts) out += "doubt     " + harmless(sentence) + "\n";
  return out;
}

std::string inspection_as_json(const StoreInspection& found) {
  std::string out = "{\"layout\":" + (found.layout.empty() ? "null" : found.layout);
  const auto append = [&out](const char* name, const std::vector<std::string>& sentences) {
    out += fmt::format(",\"{}\":[", name);
    for (std::size_t i = 0; i < sentences.size(); ++i) append_json_string(out += i == 0 ? "" : ",", sentences[i]);
    out += "]";
  };
  append("evidence", found.evidence);
  append("doubts", found.doubts);
  return out + "}\n";
}

std::string stats_for_people(const Collection& collection) {
  const CollectionStats stats = collection.stats();
  const CollectionOptions& options = collection.options();
  std::string out = fmt::format("documents      {}\n", human_count(stats.documents));
  out += fmt::format("profile        {}, {} bits, id {}\n", harmless(options.profile.name), options.profile.bits, collection.profile_id());
  out += fmt::format("keeps          {}\n", kept(options));
  out += fmt::format("ids            {}\n", options.ids == CollectionIds::number ? "numbers" : "text");
  out += fmt::format("k              {}\n", options.k);
  if (!stats.server.empty()) {
    out += fmt::format("layout         {}\nserver         {}, {}\n", options.layout, stats.server,
                       human_bytes(static_cast<double>(stats.bytes)));
    return out;
  }
  out += fmt::format("next sequence  {}\n", human_count(stats.next_sequence));
  out += fmt::format("rows           {} in {} run{}, {} in memory\n", human_count(stats.rows), stats.runs, stats.runs == 1 ? "" : "s",
                     human_count(stats.memory_rows));
  out += fmt::format("on disk        {} in runs, {} in logs\n", human_bytes(static_cast<double>(stats.bytes)),
                     human_bytes(static_cast<double>(stats.log_bytes)));
  return out;
}

std::string stats_as_json(const Collection& collection) {
  const CollectionStats stats = collection.stats();
  const CollectionOptions& options = collection.options();
  std::string out = fmt::format("{{\"documents\":{},\"profile\":", stats.documents);
  append_json_string(out, options.profile.name);
  out += fmt::format(",\"profile_id\":\"{}\",\"bits\":{},\"k\":{},\"ids\":\"{}\",\"texts\":{},\"metadata\":{},\"fingerprints_only\":{}",
                     collection.profile_id(), options.profile.bits, options.k, options.ids == CollectionIds::number ? "number" : "text",
                     options.texts, options.metadata, options.fingerprints_only);
  if (!stats.server.empty()) {
    append_json_string(out += ",\"server\":", stats.server);
    return out + fmt::format(",\"layout\":{},\"bytes\":{}}}\n", options.layout, stats.bytes);
  }
  out += fmt::format(",\"next_sequence\":{},\"runs\":{},\"rows\":{},\"memory_rows\":{},\"bytes\":{},\"log_bytes\":{}}}\n",
                     stats.next_sequence, stats.runs, stats.rows, stats.memory_rows, stats.bytes, stats.log_bytes);
  return out;
}

}  // namespace leitong::cli
