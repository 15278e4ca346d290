// leitong search: an index of fingerprints built, checked, and asked.
#include <fmt/format.h>

#include <filesystem>
#include <thread>

#include "cli/fingerprint_input.h"
#include "cli/run.h"
#include "cli/signals.h"
#include "cli/target.h"
#include "leitong/error.h"
#include "leitong/hamming_index.h"
#include "leitong/near_fingerprints.h"

namespace leitong::cli {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

unsigned threads_of(const Settings& s) { return s.job.threads != 0 ? s.job.threads : std::max(1U, std::thread::hardware_concurrency()); }

void check_build(const Invocation& invocation) {
  const Settings& s = invocation.settings;
  if (!invocation.operands.empty()) refuse("search --build FILE takes no other operand: \"" + invocation.operands[0] + "\"");
  if (s.output.empty()) refuse("search --build needs --output INDEX");
  if (s.check || !s.queries.empty() || s.nearest)
    refuse("--build makes an index; --query, --nearest and --check are for one that is there");
  check_target(s.output);
  check_no_input(s.output, s.build);
  if (!s.overwrite && std::filesystem::exists(s.output))
    refuse(s.output + " is there already: give another --output, or --overwrite to replace it");
}

int build(const Settings& s, Output& output) {
  const FingerprintFile file = read_fingerprints(s.build, s, KeepIds::numbers);
  const bool numbers = !file.numbers().empty();
  std::vector<std::uint64_t> rows;
  if (!numbers && file.has_gaps())
    for (std::uint64_t i = 0; i < file.size(); ++i) rows.push_back(file.row(i));
  end_at_first_signal();
  const HammingIndex index(file.values(), numbers ? file.numbers() : std::span<const std::uint64_t>(rows),
                           {.words = file.words(), .k = s.k.value_or(3), .threads = threads_of(s)});
  index.save(s.output);
  if (s.quiet) return exit_code(file);
  std::string ids = numbers ? "ids are those of the records" : "ids are the rows";
  if (const auto row = file.row_without_number(); row && file.format() == "jsonl")
    ids += fmt::format(", for line {} has no unsigned integer as its id", *row + 1);
  output.write(fmt::format("{} fingerprints of {} bits; {}\n", human_count(file.size()), 64 * file.words(), ids));
  return exit_code(file);
}

int check(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  if (invocation.operands.size() != 1 || !s.queries.empty() || s.nearest || s.k) refuse("search --check takes INDEX and nothing else");
  end_at_first_signal();
  HammingIndex::check(invocation.operands[0]);
  const HammingIndex index = HammingIndex::map(invocation.operands[0]);
  if (!s.quiet)
    output.write(fmt::format("whole: {} fingerprints of {} bits, built for k = {}\n", human_count(index.rows()), 64 * index.options().words,
                             index.options().k));
  return 0;
}

int look_up(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const std::vector<std::string>& operands = invocation.operands;
  if (operands.empty()) refuse("search needs INDEX and QUERIES, or --build FILE --output INDEX (leitong search --help)");
  if (operands[0] == "-") refuse("an index is mapped, so it is not read from standard input");
  if (operands.size() == 2 && !s.queries.empty()) refuse("--query replaces the file of queries: give one of them");
  if (operands.size() == 1 && s.queries.empty()) refuse("search needs what to look for: QUERIES (- is standard input) or --query HEX");
  const HammingIndex index = HammingIndex::map(operands[0]);
  const FingerprintFile queries = s.queries.empty() ? read_fingerprints(operands[1], s, KeepIds::none) : FingerprintFile::of_hex(s.queries);
  LookupOptions options;
  options.k = s.k;
  options.nearest = s.nearest;
  options.job = s.job;
  options.job.stop = stop_flag();
  write_matches(index, queries, options, [&](std::string_view lines) { output.write(lines); });
  return exit_code(queries);
}

}  // namespace

int run_search(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  if (!s.build.empty()) {
    check_build(invocation);
    return build(s, output);
  }
  if (!s.output.empty() || s.overwrite) refuse("--output and --overwrite are for --build; matches go to standard output");
  return s.check ? check(invocation, output) : look_up(invocation, output);
}

}  // namespace leitong::cli
