#include "cli/fingerprint_input.h"

#include <fmt/format.h>

#include "cli/signals.h"
#include "cli/terminal.h"

namespace leitong::cli {
namespace {

void say_what_is_missing(const FingerprintFile& file, bool quiet) {
  for (const FingerprintFile::BadLine& bad : file.bad_lines()) print_note(fmt::format("{}:{}: {}", file.path(), bad.line, bad.reason));
  const std::uint64_t lines = file.bad() + file.without() + file.size();
  if (file.bad() > 0) {
    const std::string listed =
        file.bad() > file.bad_lines().size() ? fmt::format("; the first {} are listed", file.bad_lines().size()) : "";
    print_note(
        fmt::format("{}: {} of {} lines were bad and are left out{}", file.path(), human_count(file.bad()), human_count(lines), listed));
  }
  if (!file.broken_off().empty()) print_note(fmt::format("{}: was not read to its end: {}", file.path(), file.broken_off()));
  if (file.without() > 0 && !quiet)
    print_note(fmt::format("{}: {} of {} records have no fingerprint (null) and are left out", file.path(), human_count(file.without()),
                           human_count(lines)));
}

}  // namespace

FingerprintFile read_fingerprints(const std::string& path, const Settings& settings, KeepIds ids) {
  FingerprintFileOptions options;
  if (!settings.values_format.empty()) options.format = settings.values_format;
  options.field = settings.values_field;
  options.id_field = settings.input.id_field;
  options.ids = ids;
  options.strict = settings.input.strict;
  options.most_memory = settings.job.memory;
  options.max_line_bytes = settings.input.max_document_bytes;
  options.max_expansion = settings.input.max_expansion;
  options.stop = stop_flag();
  FingerprintFile file(path, options);
  say_what_is_missing(file, settings.quiet);
  return file;
}

int exit_code(const FingerprintFile& file) { return file.size() == 0 && file.bad() > 0 ? 1 : 0; }

}  // namespace leitong::cli
