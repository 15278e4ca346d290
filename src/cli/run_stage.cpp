// The stages of dedup, one by one.
#include <fmt/format.h>

#include "cli/progress.h"
#include "cli/run.h"

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

std::string join(const Invocation& invocation, const JobOptions& job) {
  JoinOptions options;
  options.sketches = invocation.operands;
  options.against = invocation.settings.against;
  options.output = invocation.settings.output;
  options.k = invocation.settings.k;
  options.goal = invocation.settings.goal;
  options.threshold = invocation.settings.threshold;
  options.rule = effective_rule(invocation.settings);
  options.job = job;
  return fmt::format("{} candidate pairs", human_count(stage::join(options).candidates));
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

std::string run(const Invocation& invocation, const JobOptions& job) {
  switch (invocation.command) {
    case cmd_sketch:
      return sketch(invocation, job);
    case cmd_join:
      return join(invocation, job);
    case cmd_verify:
      return verify(invocation, job);
    case cmd_cluster:
      return cluster(invocation, job);
    default:
      return apply(invocation, job);
  }
}

}  // namespace

int run_stage(const Invocation& invocation, Output& output) {
  ProgressLine line(!invocation.settings.quiet);
  const JobOptions job = line.watch(invocation.settings.job);
  const std::string summary = run(invocation, job);
  line.erase();
  if (!invocation.settings.quiet) output.write(summary + "\n");
  return 0;
}

}  // namespace leitong::cli
