// leitong overlap: which texts of A hold passages of B.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/commands.h"
#include "cli/output_path.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "leitong/error.h"
#include "leitong/overlap.h"

namespace leitong::cli {
namespace {

OverlapOptions overlap_options(const Invocation& invocation) {
  const Settings& s = invocation.settings;
  OverlapOptions options;
  options.a = options.b = s.input;
  options.a.paths = {invocation.operands[0]};
  options.b.paths = {invocation.operands[1]};
  if (!s.overlap.b_text_field.empty()) {
    options.b.text_field = s.overlap.b_text_field;
    options.b.more_text_fields.clear();
  }
  if (!s.overlap.b_id_field.empty()) options.b.id_field = s.overlap.b_id_field;
  options.output_dir = s.output.directory;
  options.span = s.overlap.span;
  options.contained = s.overlap.contained;
  options.fold_traditional = s.profile.fold_traditional.value_or(false);
  options.overwrite = s.output.overwrite;
  options.compression = s.output.compression.value_or(Compression::none);
  return options;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// The rows with the most contained texts first.
void show_matrix(const OverlapCounts& counts, Output& output) {
  constexpr std::size_t most_rows = 10;
  std::vector<OverlapCounts::Source> rows = counts.matrix;
  std::stable_sort(rows.begin(), rows.end(), [](const OverlapCounts::Source& x, const OverlapCounts::Source& y) {
    return std::pair(x.contained, x.partial) > std::pair(y.contained, y.partial);
  });
  output.write("contained  partial     texts  B\n");
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i)
    output.write(fmt::format("{:>9}{:>9}{:>10}  {}\n", human_count(rows[i].contained), human_count(rows[i].partial),
                             human_count(rows[i].records), harmless(rows[i].path)));
  if (rows.size() > most_rows) output.write(fmt::format("and {} more rows, in summary.json\n", rows.size() - most_rows));
}

void show_counts(const OverlapCounts& c, const OutputSettings& s, Output& output) {
  const std::uint64_t good_a = c.a_records - c.a_rejected, good_b = c.b_records - c.b_rejected;
  const std::uint64_t bad = c.a_rejected + c.b_rejected;
  output.write(fmt::format("{} texts of A searched for passages of {} texts of B", human_count(good_a), human_count(good_b)));
  if (c.too_short > 0) output.write(fmt::format(", {} of them too short to tell", human_count(c.too_short)));
  output.write(bad > 0 ? fmt::format("; {} bad (see {})\n", human_count(bad), lines_path(s, "rejected")) : "\n");
  if (c.pairs > 0) show_matrix(c, output);
  output.write(fmt::format("{} of B ({}) contained in a text of A, {} ({}) in part\n", human_count(c.contained), share(c.contained, good_b),
                           human_count(c.partial), share(c.partial, good_b)));
  output.write(fmt::format("{} of A ({}) hold a passage; {} pairs: {}\n", human_count(c.holding), share(c.holding, good_a),
                           human_count(c.pairs), lines_path(s, "matches")));
  if (c.common_passages > 0)
    output.write(fmt::format("{} passages of A stand so often in B that not all places were looked at: see the report\n",
                             human_count(c.common_passages)));
  output.write(fmt::format("report: {}/report.html\n", s.directory));
}

// Nothing found must not look the same as nothing read.
bool warn_if_empty(const char* name, std::uint64_t records, std::uint64_t rejected, const Settings& s) {
  if (records > rejected) return false;
  if (records > 0)
    print_note(
        fmt::format("every record of {} was bad: see the reasons in {}; --text-field, --b-text-field and --format say where a text is",
                    name, lines_path(s.output, "rejected")));
  else
    print_note(fmt::format("{} holds no record{}", name,
                           s.input.include.empty() && s.input.exclude.empty() ? "" : "; do --include and --exclude say what was meant?"));
  return true;
}

int run_overlap(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  OverlapOptions options = overlap_options(invocation);
  ProgressLine line(!s.face.quiet);
  options.job = line.watch(s.job);
  const OverlapCounts counts = overlap(options);
  line.erase();
  if (!s.face.quiet) show_counts(counts, s.output, output);
  const bool a_empty = warn_if_empty("A", counts.a_records, counts.a_rejected, s);
  const bool b_empty = warn_if_empty("B", counts.b_records, counts.b_rejected, s);
  return a_empty || b_empty ? 1 : 0;
}

constexpr std::array own_flags{
    Flag{.name = "b-text-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "--text-field",
         .help = "Field of the text in B, if it has another name there",
         .group = Group::input,
         .before = "include",
         .set = [](Settings& s, const Value& v) { s.overlap.b_text_field = v.text; },
         .example = "some.path",
         .took = [](const Settings& s) { return s.overlap.b_text_field == "some.path"; }},
    Flag{.name = "b-id-field",
         .argument = "PATH",
         .kind = Kind::text,
         .fallback = "--id-field",
         .help = "Field of the id in B, if it has another name there",
         .group = Group::input,
         .before = "include",
         .set = [](Settings& s, const Value& v) { s.overlap.b_id_field = v.text; },
         .example = "some.path",
         .took = [](const Settings& s) { return s.overlap.b_id_field == "some.path"; }},
    Flag{.name = "span",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "20",
         .help =
             "A passage is in both if they have at least N tokens in a row in common; a shorter text of B must be held whole. A token is a "
             "word, or one Han character",
         .group = Group::matching,
         .low = 5,
         .high = 10'000,
         .set = [](Settings& s, const Value& v) { s.overlap.span = static_cast<std::uint32_t>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.overlap.span == 7U; }},
    Flag{.name = "contained",
         .argument = "R",
         .kind = Kind::real,
         .fallback = "0.5",
         .help =
             "A text of B counts as contained if one text of A holds at least this share of its tokens in such passages; less is partial",
         .group = Group::matching,
         .set = [](Settings& s, const Value& v) { s.overlap.contained = v.real; },
         .example = "0.25",
         .took = [](const Settings& s) { return s.overlap.contained == 0.25; }},
};

}  // namespace

constexpr CommandInfo overlap_command{
    .command = cmd_overlap,
    .name = "overlap",
    .purpose = "Find which texts of A hold passages of B, and where",
    .usage = "A B --output-dir DIR [FLAG...]",
    .description =
        "A is what is searched (a training set, today's crawl), B is what is looked for (benchmarks, an archive); each is a file or "
        "a directory, and one of them may be - for standard input. A match is a run of at least --span equal tokens, wherever it "
        "stands in either text, so that a question is found inside a page of any length. Letter case, width and punctuation do not "
        "count. A text of B below 8 tokens is not looked for, but counted.\n\n"
        "DIR receives matches.jsonl (each pair of texts with its passages, as places in characters), summary.json (counts, and the "
        "matrix of B's sources by A's), report.html (the matrix, and pairs side by side) and rejected.jsonl (bad records). Same "
        "inputs and settings give the same bytes. B is held in memory, in as many parts as --memory asks for; A is read once for "
        "each.",
    .examples =
        "leitong overlap training/ benchmarks/ --output-dir out\n"
        "leitong overlap crawl.jsonl.zst mmlu.jsonl --b-text-field question --span 15 --output-dir out\n"
        "zcat crawl.jsonl.gz | leitong overlap - archive/ --contained 0.8 --output-dir out",
    .exit_codes = "0 done\n1 A or B has not one good record\n2 error\n130 stopped by a signal",
    .least = 2,
    .most = 2,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_overlap};

}  // namespace leitong::cli
