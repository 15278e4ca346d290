// The stages of dedup, one by one.
#include "cli/run_stage.h"

#include <fmt/format.h>

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
  options.profile = effective_profile(s);
  options.job = job;
  options.output = s.output;
  options.rejected = s.rejected;
  options.spool = s.spool;
  const Counts counts = stage::sketch(options);
  return fmt::format("{} records, {} bad, {} without any word", human_count(counts.records), human_count(counts.rejected),
                     human_count(counts.featureless));
}

std::string verify(const Invocation& invocation, const JobOptions& job) {
  VerifyOptions options;
  options.pairs = invocation.operands[0];
  options.output = invocation.settings.output;
  options.verify = invocation.settings.verify;
  options.threshold = invocation.settings.threshold;
  options.rule = effective_rule(invocation.settings);
  options.job = job;
  const Counts counts = stage::verify(options);
  return fmt::format("{} of {} candidate pairs are near-duplicates", human_count(counts.edges), human_count(counts.candidates));
}

std::string cluster(const Invocation& invocation, const JobOptions& job) {
  ClusterOptions options;
  options.edges = invocation.operands[0];
  options.output = invocation.settings.output;
  options.keep = invocation.settings.keep;
  options.job = job;
  const Counts counts = stage::cluster(options);
  return fmt::format("{} groups, {} records to remove", human_count(counts.clusters), human_count(counts.removed));
}

std::string apply(const Invocation& invocation, const JobOptions& job) {
  const Settings& s = invocation.settings;
  ApplyOptions options;
  options.clusters = invocation.operands[0];
  options.output_dir = s.output_dir;
  options.annotate = s.annotate;
  options.annotate_key = s.annotate_key;
  options.giant_cluster = s.giant_cluster;
  options.compression = s.compression;
  options.layout = s.output_layout;
  options.job = job;
  const Counts counts = stage::apply(options);
  return fmt::format("{} kept, {} removed\nreport: {}/report.html", human_count(counts.kept), human_count(counts.removed), s.output_dir);
}

int run_sketch(const Invocation& invocation, Output& output) { return run_stage(sketch, invocation, output); }
int run_verify(const Invocation& invocation, Output& output) { return run_stage(verify, invocation, output); }
int run_cluster(const Invocation& invocation, Output& output) { return run_stage(cluster, invocation, output); }
int run_apply(const Invocation& invocation, Output& output) { return run_stage(apply, invocation, output); }

}  // namespace

int run_stage(std::string (*stage)(const Invocation&, const JobOptions&), const Invocation& invocation, Output& output) {
  ProgressLine line(!invocation.settings.quiet);
  const JobOptions job = line.watch(invocation.settings.job);
  const std::string summary = stage(invocation, job);
  line.erase();
  if (!invocation.settings.quiet) output.write(summary + "\n");
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
