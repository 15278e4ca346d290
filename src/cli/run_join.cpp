// leitong join: of fingerprints, or the second stage of dedup.
#include <fmt/format.h>

#include <array>

#include "cli/commands.h"
#include "cli/fingerprint_input.h"
#include "cli/parse.h"
#include "cli/run_stage.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "leitong/error.h"
#include "leitong/near_fingerprints.h"
#include "leitong/output.h"

namespace leitong::cli {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

bool is_of_fingerprints(const NearSettings& s) { return s.count || !s.pairs.empty() || !s.clusters.empty() || !s.format.empty(); }

void check_stage(const Invocation& invocation) {
  const Settings& s = invocation.settings;
  const InputOptions untouched;
  if (s.input.strict || !s.near.field.empty() || s.input.id_field != untouched.id_field ||
      s.input.max_document_bytes != untouched.max_document_bytes || s.input.max_expansion != untouched.max_expansion)
    refuse(
        "--fp-field, --id-field, --strict and the limits of input are for joins of fingerprints: add --count, --pairs OUT or --clusters "
        "OUT");
  if (s.output.file.empty())
    refuse("join needs --output FILE (sketch files, as a stage of dedup), or --count, --pairs OUT or --clusters OUT (fingerprints)");
  for (const std::string& file : invocation.operands)
    if (is_other_kind(file, table_magic))
      refuse(file + ": is no sketch file, as --output joins them; of fingerprints, --pairs " + s.output.file + " writes the pairs");
}

void check_fingerprints(const Invocation& invocation) {
  const Settings& s = invocation.settings;
  if (!s.output.file.empty())
    refuse(
        "--output makes join a stage of dedup, on sketch files; --format, --count, --pairs and --clusters are for fingerprints: give one "
        "or the other");
  if (!s.match.against.empty() || s.match.goal || s.rule.threshold)
    refuse("--against, --recall, --similarity and --threshold are for sketch files (with --output); fingerprints are joined by -k alone");
  const int outputs = (s.near.count ? 1 : 0) + (s.near.pairs.empty() ? 0 : 1) + (s.near.clusters.empty() ? 0 : 1);
  if (outputs == 0) refuse("join of fingerprints: say what to give: --count, --pairs OUT or --clusters OUT");
  if (outputs > 1) refuse("--count, --pairs and --clusters are three different things: give one of them");
  const std::vector<std::string>& files = invocation.operands;
  if (files.size() > 2) refuse("join of fingerprints: one operand too many: \"" + files[2] + "\" (FILE, or FILE and FILE_B)");
  if (files.size() == 2 && !s.near.clusters.empty()) refuse("--clusters: clusters are of one file; --pairs and --count join two");
  if (files.size() == 2 && files[0] == "-" && files[1] == "-") refuse("standard input can be read only once: name one of the two files");
  for (const std::string& out : {s.near.pairs, s.near.clusters}) check_output(out, files, OutputForm::text);
}

// The second stage of dedup.
std::string nominate(const Invocation& invocation, const JobOptions& job) {
  JoinOptions options;
  options.sketches = invocation.operands;
  options.against = invocation.settings.match.against;
  options.output = invocation.settings.output.file;
  options.k = invocation.settings.match.k;
  options.goal = invocation.settings.match.goal;
  options.threshold = invocation.settings.rule.threshold;
  options.rule = effective_rule(invocation.settings.rule);
  options.job = job;
  return fmt::format("{} candidate pairs", human_count(stage::join(options).candidates));
}

// To standard output, or to a file that appears when it is whole.
void write_lines(const std::string& path, Output& output, const std::function<void(const LineSink&)>& write) {
  if (path == "-") {
    write([&](std::string_view lines) { output.write(lines); });
  } else {
    write_whole_file(path, write);
  }
}

void join(const Settings& s, const FingerprintFile& left, const FingerprintFile* right, const NearOptions& options, Output& output) {
  std::string summary;
  if (s.near.count) {
    end_at_first_signal();
    output.write(fmt::format("{}\n", count_near_pairs(left, right, options)));
  } else if (!s.near.pairs.empty()) {
    write_lines(s.near.pairs, output, [&](const LineSink& sink) {
      summary = fmt::format("{}\n", counted(write_near_pairs(left, right, options, sink), "pair"));
    });
  } else {
    write_lines(s.near.clusters, output, [&](const LineSink& sink) {
      const NearClusters counts = write_near_clusters(left, options, sink);
      summary = fmt::format("{} in {}\n", counted(counts.rows, "row"), counted(counts.clusters, "cluster"));
    });
  }
  if (!s.face.quiet && s.near.pairs != "-" && s.near.clusters != "-") output.write(summary);
}

int run_join(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  if (invocation.operands.empty())
    refuse(is_of_fingerprints(s.near) ? "join of fingerprints needs FILE, or - for standard input"
                                      : "join needs SKETCHES... with --output FILE, or FILE with --count, --pairs OUT or --clusters OUT");
  if (!is_of_fingerprints(s.near)) {
    check_stage(invocation);
    return run_stage(nominate, invocation, output);
  }
  check_fingerprints(invocation);
  NearOptions options;
  options.k = s.match.k.value_or(3);
  options.job = s.job;
  options.job.stop = stop_flag();
  const FingerprintFile left = read_fingerprints(invocation.operands[0], s, s.near.clusters.empty() ? KeepIds::none : KeepIds::text);
  std::optional<FingerprintFile> right;
  if (invocation.operands.size() == 2) right.emplace(read_fingerprints(invocation.operands[1], s, KeepIds::none));
  for (const FingerprintFile* file : {&left, right ? &*right : &left}) {
    if (!has_only_bad(*file)) continue;
    print_note(file->path() + ": there is no fingerprint in it, so nothing is joined and nothing written");
    return 1;
  }
  join(s, left, right ? &*right : nullptr, options, output);
  return std::max(exit_code(left), right ? exit_code(*right) : 0);
}

constexpr std::array own_flags{
    Flag{.name = "count",
         .help = "Print the number of pairs of fingerprints, and nothing else. Equal ones are counted, not listed: a million equal rows "
                 "cost nothing",
         .group = Group::fingerprints,
         .before = "format",
         .set = [](Settings& s, const Value& v) { s.near.count = v.on; },
         .took = [](const Settings& s) { return s.near.count; }},
    Flag{.name = "pairs",
         .argument = "OUT",
         .kind = Kind::text,
         .help = "Write a line I,J,DISTANCE for each pair of fingerprints: rows from 0, I < J, or I of FILE and J of FILE_B; - is standard "
                 "output",
         .group = Group::fingerprints,
         .before = "format",
         .set = [](Settings& s, const Value& v) { s.near.pairs = v.text; },
         .example = "out.csv",
         .took = [](const Settings& s) { return s.near.pairs == "out.csv"; }},
    Flag{.name = "clusters",
         .argument = "OUT",
         .kind = Kind::text,
         .help =
             "Write a line {\"cluster\",\"rows\"} for all fingerprints that chains of pairs connect, named by the smallest row; of jsonl "
             "also \"ids\"; - is standard output",
         .group = Group::fingerprints,
         .before = "format",
         .set = [](Settings& s, const Value& v) { s.near.clusters = v.text; },
         .example = "out.csv",
         .took = [](const Settings& s) { return s.near.clusters == "out.csv"; }},
    Flag{.name = "k",
         .letter = 'k',
         .argument = "K",
         .kind = Kind::number,
         .fallback = "the profile's own method; of fingerprints 3",
         .help = "Pairs, or candidates as a stage of dedup, are exactly those whose fingerprints differ in at most K bits; of 64 bits at "
                 "most 12",
         .group = Group::fingerprints,
         .before = "format",
         .aliases = "bit-diff hamming-distance",
         .high = 256,
         .set = [](Settings& s, const Value& v) { s.match.k = static_cast<unsigned>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.match.k == 7U; }},
};

}  // namespace

constexpr CommandInfo join_command{
    .command = cmd_join,
    .name = "join",
    .purpose = "Stage 2: sketch files to candidate pairs. Or: all pairs of fingerprints within k bits",
    .usage = "SKETCHES... --output FILE [FLAG...] | FILE [FILE_B] [-k K] --count|--pairs OUT|--clusters OUT [FLAG...]",
    .description =
        "With --output it is a stage of dedup: nominates pairs of records that may be near-duplicates. Records are numbered "
        "through all sketch files in the order given.\n\n"
        "With --count, --pairs or --clusters it joins files of fingerprints: finds every pair of FILE, or every pair of a row "
        "of FILE and a row of FILE_B, that differs in at most K bits (3 without -k), exactly. Raw values are mapped and may be "
        "larger than memory; what the join itself needs stays below --memory. A row is a value's number in a raw file and a "
        "line's number in the others, from 0. Bad lines are listed and counted, and leave their numbers unused, and so do "
        "records whose fingerprint is null. Pairs come in the same order whatever the number of threads (not in that of "
        "their rows: sort -t, -k1n,1 -k2n,2).",
    .examples =
        "leitong join part-*.sketch --output all.pairs\nleitong join part-*.sketch -k 3 --output close.pairs\n"
        "leitong join values.u64 -k 3 --count\n"
        "leitong join today.hex archive.hex -k 6 --pairs near.csv\n"
        "leitong fingerprint news.jsonl | leitong join - -k 3 --pairs -",
    .exit_codes = "0 done\n1 every line was bad, or a file could not be read to its end\n2 error\n130 stopped by a signal",
    .most = ~0U,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_join};

}  // namespace leitong::cli
