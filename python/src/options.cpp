#include "options.h"

#include <nanobind/stl/pair.h>

#include <utility>

#include "leitong/error.h"

namespace leitong::python {
namespace {

bool is_toml(const std::string& text) { return text.find('\n') != std::string::npos; }

template <class T>
T choice(const nb::dict& options, const char* name, T value, std::initializer_list<std::pair<const char*, T>> choices) {
  std::string given;
  set_option(options, name, given);
  if (given.empty()) return value;
  std::string all;
  for (const auto& [word, meaning] : choices) {
    if (given == word) return meaning;
    all += (all.empty() ? "" : ", ") + std::string(word);
  }
  throw Error(ErrorCode::usage, std::string(name) + ": '" + given + "' is none of " + all);
}

std::optional<Compression> compression_of(const nb::dict& options) {
  if (!options.contains("compression") || nb::object(options["compression"]).is_none()) return std::nullopt;
  return choice<Compression>(options, "compression", Compression::none,
                             {{"none", Compression::none}, {"gz", Compression::gzip}, {"zst", Compression::zstd}});
}

}  // namespace

Profile profile_of(const std::string& text) { return is_toml(text) ? parse_profile(text, "profile") : load_profile(text); }
Rule rule_of(const std::string& text) { return is_toml(text) ? parse_rule(text, "rule") : load_rule(text); }

InputOptions input_of(const nb::dict& options) {
  InputOptions input;
  set_option(options, "paths", input.paths);
  set_option(options, "format", input.format);
  set_option(options, "encoding", input.encoding);
  std::vector<std::string> text;
  set_option(options, "text", text);
  if (!text.empty()) {
    input.text_field = text.front();
    input.more_text_fields.assign(text.begin() + 1, text.end());
  }
  set_option(options, "id", input.id_field);
  set_option(options, "include", input.include);
  set_option(options, "exclude", input.exclude);
  set_option(options, "header", input.header);
  set_option(options, "strict", input.strict);
  set_option(options, "extract", input.extract);
  set_option(options, "html_field", input.html_field);
  set_option(options, "max_document_bytes", input.max_document_bytes);
  return input;
}

void set_job(const nb::dict& options, JobOptions& job) {
  set_option(options, "threads", job.threads);
  set_option(options, "memory", job.memory);
}

DedupOptions dedup_of(const nb::dict& options) {
  DedupOptions dedup;
  dedup.input = input_of(options);
  set_option(options, "against", dedup.against);
  std::string profile = dedup.profile.name, rule = dedup.rule.name;
  set_option(options, "profile", profile);
  set_option(options, "rule", rule);
  dedup.profile = profile_of(profile);
  dedup.rule = rule_of(rule);
  set_option(options, "output_dir", dedup.output_dir);
  dedup.verify =
      choice<Verify>(options, "verify", Verify::text, {{"text", Verify::text}, {"sketch", Verify::sketch}, {"none", Verify::none}});
  set_option(options, "k", dedup.k);
  std::optional<std::pair<double, double>> recall;
  set_option(options, "recall", recall);
  if (recall) dedup.goal = RecallGoal{.similarity = recall->second, .recall = recall->first};
  set_option(options, "threshold", dedup.threshold);
  set_option(options, "keep", dedup.keep);
  set_option(options, "annotate", dedup.annotate);
  set_option(options, "annotate_key", dedup.annotate_key);
  set_option(options, "giant_cluster", dedup.giant_cluster);
  dedup.compression = compression_of(options);
  dedup.layout = choice<OutputLayout>(options, "layout", OutputLayout::one, {{"one", OutputLayout::one}, {"input", OutputLayout::input}});
  set_option(options, "resume", dedup.resume);
  set_option(options, "overwrite", dedup.overwrite);
  set_option(options, "command", dedup.command);
  return dedup;
}

nb::dict dict_of(const Counts& counts) {
  nb::dict out;
  out["records"] = counts.records;
  out["rejected"] = counts.rejected;
  out["featureless"] = counts.featureless;
  out["text_bytes"] = counts.bytes;
  out["candidates"] = counts.candidates;
  out["bounded"] = counts.bounded;
  out["edges"] = counts.edges;
  out["other_facts"] = counts.other_facts;
  out["clusters"] = counts.clusters;
  out["kept"] = counts.kept;
  out["removed"] = counts.removed;
  out["removed_for_old"] = counts.removed_for_old;
  return out;
}

}  // namespace leitong::python
