// The stages of dedup, one by one.
#include "cli/run_stage.h"

#include <fmt/format.h>

#include <array>
#include <sstream>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/terminal.h"

namespace leitong::cli {
namespace {

std::string sketch(const Invocation& invocation, const JobOptions& job) {
  const Settings& s = invocation.settings;
  SketchOptions options;
  options.input = s.input;
  options.input.paths = invocation.operands;
  options.profile = effective_profile(s.profile);
  options.job = job;
  options.output = s.output.file;
  options.rejected = s.output.rejected;
  options.spool = s.output.spool;
  const Counts counts = stage::sketch(options);
  return fmt::format("{} records, {} bad, {} without any word", human_count(counts.records), human_count(counts.rejected),
                     human_count(counts.featureless));
}

std::string verify(const Invocation& invocation, const JobOptions& job) {
  VerifyOptions options;
  options.pairs = invocation.operands[0];
  options.output = invocation.settings.output.file;
  options.verify = invocation.settings.match.verify;
  options.threshold = invocation.settings.rule.threshold;
  options.rule = effective_rule(invocation.settings.rule);
  options.job = job;
  const Counts counts = stage::verify(options);
  return fmt::format("{} of {} candidate pairs are near-duplicates", human_count(counts.edges), human_count(counts.candidates));
}

std::string cluster(const Invocation& invocation, const JobOptions& job) {
  ClusterOptions options;
  options.edges = invocation.operands[0];
  options.output = invocation.settings.output.file;
  options.keep = invocation.settings.match.keep;
  options.job = job;
  const Counts counts = stage::cluster(options);
  return fmt::format("{} groups, {} records to remove", human_count(counts.clusters), human_count(counts.removed));
}

std::string apply(const Invocation& invocation, const JobOptions& job) {
  const Settings& s = invocation.settings;
  ApplyOptions options;
  options.clusters = invocation.operands[0];
  options.output_dir = s.output.directory;
  options.annotate = s.output.annotate;
  options.annotate_key = s.output.annotate_key;
  options.giant_cluster = s.match.giant_cluster;
  options.compression = s.output.compression;
  options.layout = s.output.layout;
  options.format = s.output.format;
  options.job = job;
  const Counts counts = stage::apply(options);
  return fmt::format("{} kept, {} removed\nreport: {}/report.html", human_count(counts.kept), human_count(counts.removed),
                     s.output.directory);
}

int run_sketch(const Invocation& invocation, Output& output) { return run_stage(sketch, invocation, output); }
int run_verify(const Invocation& invocation, Output& output) { return run_stage(verify, invocation, output); }
int run_cluster(const Invocation& invocation, Output& output) { return run_stage(cluster, invocation, output); }
int run_apply(const Invocation& invocation, Output& output) { return run_stage(apply, invocation, output); }

void add_fields(Settings& s, const Value& v) {
  std::istringstream in(v.text);
  for (std::string field; std::getline(in, field, ',');) s.input.fields.push_back(field);
}

constexpr std::array sketch_flags{
    Flag{.name = "fields",
         .argument = "PATH[,PATH]",
         .kind = Kind::list,
         .help = "Further fields to carry along, for the rules of `cluster --keep`. May be repeated",
         .group = Group::input,
         .before = "include",
         .aliases = "field",
         .set = add_fields,
         .example = "a,b.c",
         .took = [](const Settings& s) { return s.input.fields == std::vector<std::string>{"a", "b.c"}; }},
    Flag{.name = "spool",
         .argument = "FILE",
         .kind = Kind::text,
         .fallback = "beside the output",
         .help = "Where standard input is kept, compressed, because verification reads it again",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.output.spool = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.output.spool == "some/file"; }},
};

}  // namespace

int run_stage(std::string (*stage)(const Invocation&, const JobOptions&), const Invocation& invocation, Output& output) {
  ProgressLine line(!invocation.settings.face.quiet);
  const JobOptions job = line.watch(invocation.settings.job);
  const std::string summary = stage(invocation, job);
  line.erase();
  if (!invocation.settings.face.quiet) output.write(summary + "\n");
  return 0;
}

constexpr CommandInfo sketch_command{
    .command = cmd_sketch,
    .name = "sketch",
    .purpose = "Stage 1: inputs to a sketch file",
    .usage = "INPUT... --output FILE [FLAG...]",
    .description =
        "Reads the inputs once and writes, for each record, its position, lengths and sketches. Shards can be sketched "
        "on different machines and joined later, if the profile is the same. verify and apply read the inputs again: relative "
        "paths count from the directory in which sketch was run.",
    .examples = "leitong sketch part-07.jsonl.zst --output part-07.sketch --rejected part-07.rejected.jsonl",
    .exit_codes = exits_done_or_stopped,
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = sketch_flags,
    .run = run_sketch};

constexpr CommandInfo verify_command{
    .command = cmd_verify,
    .name = "verify",
    .purpose = "Stage 3: candidate pairs to pairs that are near-duplicates",
    .usage = "PAIRS --output FILE [FLAG...]",
    .description =
        "Computes the similarity of each candidate pair and keeps those that reach the threshold. With --verify text "
        "the inputs are read again, in order.",
    .examples = "leitong verify all.pairs --output all.edges",
    .exit_codes = exits_done_or_stopped,
    .least = 1,
    .most = 1,
    .operands = "files",
    .run = run_verify};

constexpr CommandInfo cluster_command{
    .command = cmd_cluster,
    .name = "cluster",
    .purpose = "Stage 4: near-duplicate pairs to groups, and the record that each keeps",
    .usage = "EDGES --output FILE [FLAG...]",
    .description =
        "Visits records best first by the rules of --keep; each takes the free records that it is a near-duplicate "
        "of. So every removed record is a near-duplicate of the one that is kept, not of a chain of others.",
    .examples = "leitong cluster all.edges --keep 'length:max,first' --output all.clusters",
    .exit_codes = exits_done_or_stopped,
    .least = 1,
    .most = 1,
    .operands = "files",
    .run = run_cluster};

constexpr CommandInfo apply_command{
    .command = cmd_apply,
    .name = "apply",
    .purpose = "Stage 5: groups to the outputs of a run",
    .usage = "CLUSTERS --output-dir DIR [FLAG...]",
    .description = "Reads the inputs again and writes kept.jsonl, removed.jsonl, clusters.jsonl, summary.json and report.html.",
    .examples = "leitong apply all.clusters --output-dir out",
    .exit_codes = exits_done_or_stopped,
    .least = 1,
    .most = 1,
    .operands = "files",
    .run = run_apply};

}  // namespace leitong::cli
