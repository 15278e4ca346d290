// dedup and restore.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/commands.h"
#include "cli/output_path.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "leitong/dedup.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

DedupOptions dedup_options(const Invocation& invocation) {
  const Settings& s = invocation.settings;
  DedupOptions options;
  options.input = s.input;
  options.input.paths = invocation.operands;
  options.against = s.match.against;
  options.profile = effective_profile(s.profile);
  options.rule = effective_rule(s.rule);
  options.output_dir = s.output.directory;
  options.verify = s.match.verify;
  options.k = s.match.k;
  options.goal = s.match.goal;
  options.threshold = s.rule.threshold;
  options.keep = s.match.keep;
  options.annotate = s.output.annotate;
  options.annotate_key = s.output.annotate_key;
  options.giant_cluster = s.match.giant_cluster;
  options.compression = s.output.compression;
  options.layout = s.output.layout;
  options.format = s.output.format;
  options.resume = s.output.resume;
  options.overwrite = s.output.overwrite;
  options.command = invocation.command_line;
  return options;
}

// Before anything is read: the join itself comes after hours of sketching, and with --overwrite after the old results are gone.
void check_distance(const DedupOptions& options) {
  constexpr unsigned most = 12;
  if (options.k && *options.k > most && options.profile.bits == 64)
    throw Error(ErrorCode::usage,
                fmt::format("-k: {} is beyond what fingerprints of 64 bits allow; use 0 to {}, or --bits 128", *options.k, most));
}

std::string about(std::uint64_t n, bool exact) { return (exact ? "" : "about ") + human_count(n); }

int show_plan(const DedupOptions& options, Output& output) {
  const Plan plan = leitong::plan(options);
  const auto bytes = [](std::uint64_t n) { return human_bytes(static_cast<double>(n)); };
  output.write(fmt::format("input       {}\n", bytes(plan.input_bytes)));
  output.write(fmt::format("records     {}{}\n", about(plan.records, plan.exact),
                           plan.exact ? "" : fmt::format(" (from a sample of {})", human_count(plan.sampled_records))));
  output.write(fmt::format("candidates  about {} pairs\n", human_count(plan.candidates)));
  output.write(fmt::format("memory      {} at most\n", bytes(plan.memory_bytes)));
  output.write(fmt::format("disk        about {}{}\n", bytes(plan.disk_bytes),
                           plan.spool_bytes > 0 ? fmt::format(", {} of it spooled input", bytes(plan.spool_bytes)) : ""));
  output.write(fmt::format("time        about {}\n", human_time(plan.seconds)));
  for (const std::string& sentence : plan.basis) output.write(fmt::format("basis       {}\n", sentence));
  output.write(options.output_dir.empty() ? "Nothing was written. A run needs --output-dir DIR.\n" : "Nothing was written.\n");
  return 0;
}

// "79.8 % at 0.5, 99.4 % at 0.6, over 99.99 % from 0.7 on"
std::string recall_line(const std::vector<std::pair<double, double>>& recall) {
  std::string line;
  for (const auto& [similarity, share] : recall) {
    line += line.empty() ? "" : ", ";
    if (share >= 0.9999) return line + fmt::format("over 99.99 % from {} on", similarity);
    line += fmt::format("{:.1f} % at {}", 100 * share, similarity);
  }
  return line;
}

// `rejected`: the file that lists the bad ones.
std::string held_against(const Counts& counts, const std::string& rejected) {
  const std::uint64_t bad = counts.old_rejected, good = counts.old_records - counts.old_met - bad;
  const std::string stores = fmt::format("{}, {} of whose documents {} near the input",
                                         counts.old_stores == 1 ? "a store" : fmt::format("{} stores", counts.old_stores),
                                         human_count(counts.old_met), counts.old_met == 1 ? "is" : "are");
  if (counts.old_records == counts.old_met) return stores;
  return fmt::format("{} old records{}{}", human_count(good),
                     bad > 0 ? fmt::format(", {} more bad (see {})", human_count(bad), rejected) : "",
                     counts.old_stores > 0 ? " and " + stores : "");
}

void show_counts(const Counts& counts, const OutputSettings& s, Output& output) {
  const std::uint64_t good = counts.records - counts.rejected;
  const double share = good > 0 ? 100.0 * static_cast<double>(counts.removed) / static_cast<double>(good) : 0;
  std::string notes;
  if (counts.rejected > 0) notes += fmt::format(", {} bad (see {})", human_count(counts.rejected), lines_path(s, "rejected"));
  if (counts.featureless > 0) notes += fmt::format(", {} without any word", human_count(counts.featureless));
  output.write(fmt::format("{} records read{}\n", human_count(counts.records), notes));
  if (counts.old_records > 0 || counts.old_stores > 0)
    output.write(fmt::format("held against {}: {} removed in favour of one of them\n",
                             held_against(counts, lines_path(s, "rejected-against")), human_count(counts.removed_for_old)));
  output.write(fmt::format("{} kept, {} removed ({:.1f} %) as near-duplicates in {} {}\n", human_count(counts.kept),
                           human_count(counts.removed), share, human_count(counts.clusters), counts.clusters == 1 ? "group" : "groups"));
  if (!counts.recall.empty() && good > 1)
    output.write(fmt::format("predicted recall of the candidates by similarity: {}\n", recall_line(counts.recall)));
  output.write(fmt::format("report: {}/report.html\n", s.directory));
}

// A mistyped --include or --text-field must not look like a collection without duplicates.
void warn_if_empty(const Counts& counts, const Settings& s) {
  const bool old_files = !s.match.against.empty() && counts.old_stores == 0;  // of a store only what is near the input is counted
  if (old_files && counts.old_records == 0) {
    print_note("--against: the old collection holds no record; do --include and --exclude, which hold for it too, say what was meant?");
  } else if (old_files && counts.old_records == counts.old_rejected) {
    print_note("--against: every record of the old collection was bad, so nothing was held against it: see the reasons in " +
               lines_path(s.output, "rejected-against") + "; --text-field and --format hold for it too");
  }
  if (counts.records == 0) {
    print_note(s.input.include.empty() && s.input.exclude.empty()
                   ? "the inputs hold no record"
                   : "the inputs hold no record; do --include and --exclude say what was meant?");
  } else if (counts.rejected == counts.records) {
    print_note("every record was bad: see the reasons in " + lines_path(s.output, "rejected") +
               "; --text-field and --format say where a text is");
  }
}

int run_dedup(const Invocation& invocation, Output& output) {
  DedupOptions options = dedup_options(invocation);
  check_distance(options);
  ProgressLine line(!invocation.settings.face.quiet);
  options.job = line.watch(invocation.settings.job);
  if (invocation.settings.output.dry_run) {
    line.erase();
    return show_plan(options, output);
  }
  Counts counts;
  try {
    counts = dedup(options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
    // A part of standard input is nothing to go on from.
    const auto& paths = options.input.paths;
    const bool half_read = std::find(paths.begin(), paths.end(), "-") != paths.end() &&
                           !std::filesystem::exists(options.output_dir + "/unfinished/stages/sketch.ltt");
    throw Error(ErrorCode::interrupted, half_read ? "stopped before standard input was read to its end: give the whole of it again"
                                                  : "stopped; the same command with --resume goes on from here");
  }
  line.erase();
  if (!invocation.settings.face.quiet) show_counts(counts, invocation.settings.output, output);
  warn_if_empty(counts, invocation.settings);
  return counts.records == counts.rejected ? 1 : 0;
}

int run_restore(const Invocation& invocation, Output& output) {
  const std::uint64_t count = restore(invocation.operands[0], invocation.settings.match.cluster, [&](std::string_view record) {
    output.write(record);
    if (!record.ends_with('\n')) output.write("\n");
  });
  if (count > 0) return 0;
  if (invocation.settings.match.cluster) {
    print_note(fmt::format("there is no group {}; clusters.jsonl numbers them", *invocation.settings.match.cluster));
  } else {
    print_note("nothing was removed by this run");
  }
  return 1;
}

constexpr std::array restore_flags{
    Flag{.name = "cluster",
         .argument = "ID",
         .kind = Kind::number,
         .help = "Only the records of this group (as numbered in clusters.jsonl)",
         .group = Group::keeping,
         .set = [](Settings& s, const Value& v) { s.match.cluster = v.number; },
         .example = "7",
         .took = [](const Settings& s) { return s.match.cluster == 7U; }},
};

constexpr std::array dedup_flags{
    Flag{.name = "resume",
         .help = "Go on with a stopped run: stages whose file is whole and was made from the same inputs and settings are not run again. "
                 "Standard input is not read again but taken from its copy",
         .group = Group::output,
         .before = "overwrite",
         .aliases = "skip-completed",
         .set = [](Settings& s, const Value& v) { s.output.resume = v.on; },
         .took = [](const Settings& s) { return s.output.resume; }},
    Flag{.name = "dry-run",
         .letter = 'n',
         .help = "Only print what the run would take: records, memory, disk, candidates, time",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.output.dry_run = v.on; },
         .took = [](const Settings& s) { return s.output.dry_run; }},
};

}  // namespace

constexpr CommandInfo dedup_command{
    .command = cmd_dedup,
    .name = "dedup",
    .purpose = "Find near-duplicate texts, keep one of each group, and report what was done",
    .usage = "INPUT... --output-dir DIR [FLAG...]",
    .description =
        "Reads files and directories of texts (- is standard input), groups near-duplicates and keeps one record of each group. A "
        "fingerprint only nominates a pair; the texts are read again to confirm it, and a removed record always resembles the very "
        "record that is kept in its place.\n\n"
        "DIR receives kept.jsonl (input records, untouched, in input order), removed.jsonl (why each was removed), clusters.jsonl, "
        "rejected.jsonl (bad records), summary.json, report.html and run.json (times and host). Same inputs and settings give the "
        "same bytes, except for run.json. A stopped run goes on with --resume. Results of this or other runs that lie in an "
        "input directory are not read as input.",
    .examples =
        "leitong dedup /usr/share/doc --include '*/copyright' --output-dir out\n"
        "leitong dedup news.jsonl.gz --text-field body --keep 'source:gov>news,date:oldest' -o out\n"
        "zcat crawl.jsonl.gz | leitong dedup - --memory 4G --output-dir out\n"
        "leitong dedup today.jsonl --against yesterday/ --output-dir out\n"
        "leitong dedup big/ --dry-run --output-dir out",
    .exit_codes = exits_of_records,
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .own_flags = dedup_flags,
    .run = run_dedup};

constexpr CommandInfo restore_command{
    .command = cmd_restore,
    .name = "restore",
    .purpose = "Give removed records back, as they were in the input",
    .usage = "DIR|CLUSTERS [--cluster ID]",
    .description =
        "Prints the removed records of a finished run to standard output, in input order. DIR is the run's output "
        "directory, CLUSTERS the file that `cluster` wrote; the inputs must be unchanged and where they were.",
    .examples = "leitong restore out > removed-records.jsonl\nleitong restore out --cluster 12",
    .exit_codes = "0 records were printed\n1 nothing was removed, or the group does not exist\n2 error",
    .least = 1,
    .most = 1,
    .operands = "files",
    .own_flags = restore_flags,
    .run = run_restore};

}  // namespace leitong::cli
