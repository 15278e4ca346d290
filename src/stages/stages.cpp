#include "stages/stages.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>

#include "leitong/error.h"
#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/output.h"
#include "leitong/page.h"
#include "leitong/stages.h"
#include "leitong/version.h"
#include "records/json_object.h"

namespace leitong::stages {
namespace {

constexpr std::uint32_t stage_version = 1;

// Paths in metadata are relative to the file that contains them, so that a run's directory can be moved.
std::string relative_to(const std::string& path, const std::string& own_path) {
  std::error_code error;
  const auto base = std::filesystem::absolute(own_path).parent_path();
  const auto relative = std::filesystem::relative(std::filesystem::absolute(path), base, error);
  return error || relative.empty() ? std::filesystem::absolute(path).string() : relative.string();
}

std::string resolve(const std::string& path, const std::string& own_path) {
  if (!path.empty() && path.front() == '/') return path;
  return (std::filesystem::path(own_path).parent_path() / path).lexically_normal().string();
}

std::string numbers_json(const std::vector<std::uint64_t>& numbers) { return fmt::format("[{}]", fmt::join(numbers, ",")); }

std::string counts_json(const Counts& c) {
  records::JsonObject object;
  object.number("records", c.records).number("rejected", c.rejected).number("featureless", c.featureless).number("bytes", c.bytes);
  object.number("candidates", c.candidates)
      .number("bounded", c.bounded)
      .number("edges", c.edges)
      .number("other_facts", c.other_facts)
      .number("clusters", c.clusters);
  object.number("kept", c.kept).number("removed", c.removed);
  if (c.old_records > 0)
    object.number("old_records", c.old_records).number("old_rejected", c.old_rejected).number("removed_for_old", c.removed_for_old);
  if (c.old_stores > 0) object.number("old_stores", c.old_stores).number("old_met", c.old_met);
  return object.str();
}

Counts counts_from(const records::JsonReader& reader, records::JsonValue object) {
  Counts c;
  c.records = reader.number(object, "records");
  c.rejected = reader.number(object, "rejected");
  c.featureless = reader.number(object, "featureless");
  c.bytes = reader.number(object, "bytes");
  c.candidates = reader.number(object, "candidates");
  c.bounded = reader.number(object, "bounded");
  c.edges = reader.number(object, "edges");
  c.other_facts = reader.number(object, "other_facts");
  c.clusters = reader.number(object, "clusters");
  c.kept = reader.number(object, "kept");
  c.removed = reader.number(object, "removed");
  if (object["old_records"]) {
    c.old_records = reader.number(object, "old_records");
    c.old_rejected = reader.number(object, "old_rejected");
    c.removed_for_old = reader.number(object, "removed_for_old");
  }
  if (object["old_stores"]) {
    c.old_stores = reader.number(object, "old_stores");
    c.old_met = reader.number(object, "old_met");
  }
  return c;
}

}  // namespace

storage::Schema pair_schema(const std::string& kind) { return {kind, stage_version, {{"a", 4}, {"b", 4}, {"kind", 1}, {"value", 4}}}; }

storage::Schema cluster_schema() {
  return {"clusters", stage_version, {{"row", 4}, {"kept", 4}, {"cluster", 4}, {"similarity", 4}, {"distance", 2}, {"kind", 1}}};
}

storage::TableReader open_stage_file(const std::string& path, const std::string& kind) {
  return storage::TableReader(storage::posix_vfs(), path, kind, stage_version);
}

std::string to_json(const StageMetadata& m, const std::string& own_path) {
  records::JsonObject object;
  std::vector<std::string> paths;
  for (const std::string& path : m.sketches) paths.push_back(relative_to(path, own_path));
  object.text("leitong", version()).names("sketches", paths).texts("identities", m.identities).text("made_from", m.made_from);
  if (m.old_sketches > 0) object.number("old_sketches", m.old_sketches);
  object.text("rule", to_toml(m.rule)).text("rule_id", m.rule_id);
  object.text("method", m.method)
      .text("verify", m.verify)
      .text("thresholds", m.thresholds)
      .text("keep", m.keep)
      .raw("counts", counts_json(m.counts));
  std::string recall = "[", reasons = "[";
  for (const auto& [similarity, predicted] : m.counts.recall) {
    records::JsonObject entry;
    recall += (recall.size() > 1 ? "," : "") + entry.real("similarity", similarity).real("recall", predicted).str();
  }
  for (const auto& [rule, count] : m.keep_reasons) {
    records::JsonObject entry;
    reasons += (reasons.size() > 1 ? "," : "") + entry.text("rule", rule).number("records", count).str();
  }
  object.raw("recall", recall + "]")
      .raw("keep_reasons", reasons + "]")
      .raw("bounded", numbers_json(m.bounded_records))
      .texts("notes", m.notes);
  return object.str();
}

StageMetadata stage_metadata_from_json(const std::string& json, const std::string& own_path) {
  const records::JsonReader reader(json, own_path);
  const auto root = reader.root();
  StageMetadata m;
  for (const std::string& path : reader.names(root, "sketches")) m.sketches.push_back(resolve(path, own_path));
  if (root["old_sketches"]) m.old_sketches = reader.number(root, "old_sketches");
  if (m.old_sketches > 0 && m.old_sketches >= m.sketches.size())
    throw Error(ErrorCode::format, own_path + ": it names no sketch file but those of the old collection; run join again");
  m.identities = reader.texts(root, "identities");
  m.made_from = reader.text(root, "made_from");
  m.rule = parse_rule(reader.text(root, "rule"), own_path);
  m.rule_id = reader.text(root, "rule_id");
  m.method = reader.text(root, "method");
  m.verify = reader.text(root, "verify");
  m.thresholds = reader.text(root, "thresholds");
  m.keep = reader.text(root, "keep");
  m.counts = counts_from(reader, root["counts"]);
  for (const auto entry : reader.array(root, "recall"))
    m.counts.recall.emplace_back(reader.real(entry, "similarity"), reader.real(entry, "recall"));
  for (const auto entry : reader.array(root, "keep_reasons"))
    m.keep_reasons.emplace_back(reader.text(entry, "rule"), reader.number(entry, "records"));
  m.bounded_records = reader.numbers(root, "bounded");
  m.notes = reader.texts(root, "notes");
  return m;
}

void add_chain(outputs::OutputRule& rule, const std::string& path, const std::string& kind, const JobOptions& job) {
  rule.reads(job.reads);
  rule.reads(std::vector<std::string>{path});
  const StageMetadata metadata = stage_metadata_from_json(open_stage_file(path, kind).metadata(), path);
  rule.reads_run(metadata.sketches, metadata.old_sketches);
}

void refuse_output(const std::string& output, const std::string& path, const std::string& kind, const JobOptions& job) {
  outputs::OutputRule rule;
  add_chain(rule, path, kind, job);
  rule.check(output, OutputForm::table);
}

const char* name_of(Verify verify) {
  switch (verify) {
    case Verify::text:
      return "text";
    case Verify::sketch:
      return "sketch";
    case Verify::none:
      return "none";
  }
  return "";
}

std::string key_of(const std::string& text) {
  const XXH128_hash_t h = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

std::string made_from_sketch(const SketchOptions& options) {
  records::JsonObject object;
  const InputOptions& input = options.input;
  object.text("version", version()).text("profile", profile_id(options.profile)).names("paths", input.paths).text("format", input.format);
  object.text("text", input.text_field).text("id", input.id_field).texts("fields", input.fields).names("include", input.include);
  object.names("exclude", input.exclude)
      .boolean("header", input.header)
      .number("max", input.max_document_bytes)
      .number("expansion", input.max_expansion);
  object.text("encoding", input.encoding).texts("more text", input.more_text_fields);
  // Of inputs without pages, which have the default, the key stays what it was.
  if (input.extract != InputOptions().extract || !input.html_field.empty())
    object.text("extract", input.extract).text("html field", input.html_field).text("page model", page_model());
  return key_of(object.str());
}

std::string made_from_join(const JoinOptions& options) {
  records::JsonObject object;
  std::vector<std::string> identities;
  for (const std::string& path : options.sketches) identities.push_back(open_stage_file(path, "sketch").identity());
  object.text("version", version()).texts("sketches", identities).text("k", options.k ? fmt::format("{}", *options.k) : "");
  object.text("threshold", options.threshold ? fmt::format("{}", *options.threshold) : "").text("rule", rule_id(options.rule));
  std::vector<std::string> old;
  for (const std::string& path : options.against) old.push_back(open_stage_file(path, "sketch").identity());
  if (!old.empty()) object.texts("against", old);
  if (options.goal) object.text("goal", fmt::format("{} {}", options.goal->similarity, options.goal->recall));
  return key_of(object.str());
}

std::string made_from_verify(const VerifyOptions& options) {
  records::JsonObject object;
  object.text("version", version())
      .text("pairs", open_stage_file(options.pairs, "pairs").identity())
      .text("verify", name_of(options.verify));
  object.text("threshold", options.threshold ? fmt::format("{}", *options.threshold) : "").text("rule", rule_id(options.rule));
  return key_of(object.str());
}

std::string made_from_cluster(const ClusterOptions& options) {
  records::JsonObject object;
  object.text("version", version()).text("edges", open_stage_file(options.edges, "edges").identity()).text("keep", options.keep);
  return key_of(object.str());
}

}  // namespace leitong::stages
