// leitong search: an index of fingerprints built, checked, and asked.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <thread>

#include "cli/commands.h"
#include "cli/fingerprint_input.h"
#include "cli/parse.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "leitong/error.h"
#include "leitong/hamming_index.h"
#include "leitong/near_fingerprints.h"
#include "leitong/output.h"

namespace leitong::cli {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

unsigned threads_of(const JobOptions& job) { return job.threads != 0 ? job.threads : std::max(1U, std::thread::hardware_concurrency()); }

void check_build(const Invocation& invocation) {
  const Settings& s = invocation.settings;
  if (!invocation.operands.empty()) refuse("search --build FILE takes no other operand: \"" + invocation.operands[0] + "\"");
  if (s.output.file.empty()) refuse("search --build needs --output INDEX");
  if (s.near.check || !s.near.queries.empty() || s.near.nearest)
    refuse("--build makes an index; --query, --nearest and --check are for one that is there");
  if (s.output.file == "-") refuse("an index is a file that is mapped, so it does not go to standard output: give --output a name");
  check_output(s.output.file, {s.near.build}, OutputForm::index);
  if (!s.output.overwrite && std::filesystem::exists(s.output.file))
    refuse(s.output.file + " is there already: give another --output, or --overwrite to replace it");
}

int build(const Settings& s, Output& output) {
  const FingerprintFile file = read_fingerprints(s.near.build, s, KeepIds::numbers);
  if (!file.broken_off().empty())
    throw Error(ErrorCode::format, file.path() + ": no index is made of a part of it; give a whole file, or one of what is left of it");
  if (has_only_bad(file)) {
    print_note(file.path() + ": there is no fingerprint in it, so no index is made");
    return 1;
  }
  const bool numbers = !file.numbers().empty();
  std::vector<std::uint64_t> rows;
  if (!numbers && file.has_gaps())
    for (std::uint64_t i = 0; i < file.size(); ++i) rows.push_back(file.row(i));
  end_at_first_signal();
  const HammingIndex index(file.values(), numbers ? file.numbers() : std::span<const std::uint64_t>(rows),
                           {.words = file.words(), .k = s.match.k.value_or(3), .threads = threads_of(s.job)});
  finish_before_signals();
  write_whole_index(s.output.file, index);
  if (s.face.quiet) return exit_code(file);
  std::string ids = numbers ? "ids are those of the records" : "ids are the rows";
  if (const auto row = file.row_without_number(); row && file.format() == "jsonl")
    ids += fmt::format(", for line {} has no unsigned integer as its id", *row + 1);
  const std::string width = file.size() == 0 ? "" : fmt::format(" of {} bits", 64 * file.words());
  output.write(fmt::format("{}{}; {}\n", counted(file.size(), "fingerprint"), width, ids));
  return exit_code(file);
}

void check_index(const std::string& path) {
  if (is_other_kind(path, index_magic))
    throw Error(ErrorCode::format, path + ": is no index; leitong search --build FILE --output INDEX makes one");
}

int check(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  if (invocation.operands.size() != 1 || !s.near.queries.empty() || s.near.nearest || s.match.k)
    refuse("search --check takes INDEX and nothing else");
  check_index(invocation.operands[0]);
  end_at_first_signal();
  HammingIndex::check(invocation.operands[0]);
  const HammingIndex index = HammingIndex::map(invocation.operands[0]);
  if (!s.face.quiet)
    output.write(fmt::format("whole: {} of {} bits, built for k = {}\n", counted(index.rows(), "fingerprint"), 64 * index.options().words,
                             index.options().k));
  return 0;
}

int look_up(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const std::vector<std::string>& operands = invocation.operands;
  if (operands.empty()) refuse("search needs INDEX and QUERIES, or --build FILE --output INDEX (leitong search --help)");
  if (operands[0] == "-") refuse("an index is mapped, so it is not read from standard input");
  if (operands.size() == 2 && !s.near.queries.empty()) refuse("--query replaces the file of queries: give one of them");
  if (operands.size() == 1 && s.near.queries.empty()) refuse("search needs what to look for: QUERIES (- is standard input) or --query HEX");
  check_index(operands[0]);
  const HammingIndex index = HammingIndex::map(operands[0]);
  const FingerprintFile queries =
      s.near.queries.empty() ? read_fingerprints(operands[1], s, KeepIds::text) : FingerprintFile::of_hex(s.near.queries);
  LookupOptions options;
  options.k = s.match.k;
  options.nearest = s.near.nearest;
  options.job = s.job;
  options.job.stop = stop_flag();
  write_matches(index, queries, options, [&](std::string_view lines) { output.write(lines); });
  return exit_code(queries);
}

int run_search(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  if (!s.near.build.empty()) {
    check_build(invocation);
    return build(s, output);
  }
  if (!s.output.file.empty() || s.output.overwrite) refuse("--output and --overwrite are for --build; matches go to standard output");
  return s.near.check ? check(invocation, output) : look_up(invocation, output);
}

constexpr std::array own_flags{
    Flag{.name = "build",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Make an index of the fingerprints of FILE (- is standard input) and write it to --output",
         .group = Group::fingerprints,
         .before = "format",
         .set = [](Settings& s, const Value& v) { s.near.build = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.near.build == "some/file"; }},
    Flag{.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .kind = Kind::text,
         .help = "The index that --build makes; it appears under this name only when it is whole",
         .group = Group::fingerprints,
         .before = "format",
         .set = [](Settings& s, const Value& v) { s.output.file = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.output.file == "some/file"; }},
    Flag{.name = "overwrite",
         .help = "Replace the index that stands there",
         .group = Group::fingerprints,
         .before = "format",
         .set = [](Settings& s, const Value& v) { s.output.overwrite = v.on; },
         .took = [](const Settings& s) { return s.output.overwrite; }},
    Flag{.name = "check",
         .help = "Compare every byte of INDEX with its checksums, and say what it holds",
         .group = Group::fingerprints,
         .before = "format",
         .set = [](Settings& s, const Value& v) { s.near.check = v.on; },
         .took = [](const Settings& s) { return s.near.check; }},
    Flag{.name = "query",
         .argument = "HEX",
         .kind = Kind::list,
         .help = "Look up this fingerprint, 16, 32 or 64 digits, instead of a file of them. May be repeated",
         .group = Group::fingerprints,
         .before = "format",
         .set = [](Settings& s, const Value& v) { s.near.queries.push_back(v.text); },
         .example = "0f1e",
         .took = [](const Settings& s) { return is_only(s.near.queries, "0f1e"); }},
    Flag{.name = "k",
         .letter = 'k',
         .argument = "K",
         .kind = Kind::number,
         .fallback = "what INDEX was built for; to build 3",
         .help = "Find what differs in at most K bits; with --build, the largest K that will usually be asked for. Others are exact, too",
         .group = Group::fingerprints,
         .before = "format",
         .aliases = "bit-diff hamming-distance",
         .high = 256,
         .set = [](Settings& s, const Value& v) { s.match.k = static_cast<unsigned>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.match.k == 7U; }},
    Flag{.name = "nearest",
         .argument = "N",
         .kind = Kind::number,
         .help = "Only the N nearest of each query, at any distance unless -k says one",
         .group = Group::fingerprints,
         .before = "format",
         .low = 1,
         .set = [](Settings& s, const Value& v) { s.near.nearest = v.number; },
         .example = "7",
         .took = [](const Settings& s) { return s.near.nearest == 7U; }},
};

}  // namespace

constexpr CommandInfo search_command{
    .command = cmd_search,
    .name = "search",
    .purpose = "Build an index of fingerprints, and find what is within k bits of a query",
    .usage = "--build FILE --output INDEX | INDEX QUERIES|--query HEX [-k K] [--nearest N] | INDEX --check",
    .description =
        "With --build: makes an index file of the fingerprints of FILE. Their ids are their rows: a value's number in a raw "
        "file, a line's number in the others, from 0; or, if every record of a jsonl file has an unsigned integer as its id, "
        "these. It says which.\n\n"
        "With QUERIES (a file as for --build, or - for standard input) or --query: prints {\"query\",\"id\",\"distance\"} for "
        "each fingerprint of the index within K bits of a query, by query, distance and id; query is the query's row, and queries "
        "of a jsonl file with ids have \"query_id\", too. Exact for any K. The index is mapped, so that a few look-ups in a large one "
        "read little of it.",
    .examples =
        "leitong search --build values.u64 -o values.index\n"
        "leitong search values.index new.hex -k 3\n"
        "leitong search values.index --query 8f3a90c15e7d2b64 --nearest 5\n"
        "leitong fingerprint new.jsonl | leitong search values.index -\n"
        "leitong search values.index --check",
    .exit_codes = "0 done\n1 every line was bad, or a file could not be read to its end\n2 error\n130 stopped by a signal",
    .most = 2,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_search};

}  // namespace leitong::cli
