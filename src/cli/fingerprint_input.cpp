#include "cli/fingerprint_input.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/signals.h"
#include "cli/terminal.h"

namespace leitong::cli {
namespace {

constexpr std::size_t most_before_doubt = 10;

// So many bad lines before the first good one that it is not they that are wrong, but what the file was taken for.
bool is_doubtful(const FingerprintFile& file) {
  const auto bad = file.bad_lines();
  return bad.size() > most_before_doubt && (file.size() == 0 || file.row(0) >= bad[most_before_doubt - 1].line);
}

void say_what_is_bad(const FingerprintFile& file) {
  if (file.bad() == 0) return;
  const bool doubtful = is_doubtful(file);
  const std::size_t listed = doubtful ? most_before_doubt : file.bad_lines().size();
  for (const FingerprintFile::BadLine& bad : file.bad_lines().first(listed))
    print_note(fmt::format("{}:{}: {}", file.path(), bad.line, bad.reason));
  std::string more = file.bad() > listed ? fmt::format("; the first {} are listed", listed) : "";
  if (doubtful) more += fmt::format("; is it really {}? --format says what it is", file.format());
  print_note(fmt::format("{}: {} of {} {} left out{}", file.path(), human_count(file.bad()), counted(file.lines(), "line"),
                         file.bad() == 1 ? "was bad and is" : "were bad and are", more));
}

void say_what_is_missing(const FingerprintFile& file, bool quiet) {
  say_what_is_bad(file);
  if (!file.broken_off().empty()) print_note(fmt::format("{}: was not read to its end: {}", file.path(), file.broken_off()));
  if (file.without() > 0 && !quiet)
    print_note(fmt::format("{}: {} of {} no fingerprint (null) and {} left out", file.path(), human_count(file.without()),
                           counted(file.bad() + file.without() + file.size(), "record") + (file.without() == 1 ? " has" : " have"),
                           file.without() == 1 ? "is" : "are"));
  if (file.guessed() && !quiet)
    print_note(fmt::format("{}: taken as u64, for nothing says what it is; --format does (u64, u128, u256, hex, jsonl)", file.path()));
}

}  // namespace

FingerprintFile read_fingerprints(const std::string& path, const Settings& settings, KeepIds ids) {
  FingerprintFileOptions options;
  if (!settings.near.format.empty()) options.format = settings.near.format;
  options.field = settings.near.field;
  options.id_field = settings.input.id_field;
  options.ids = ids;
  options.strict = settings.input.strict;
  options.most_memory = settings.job.memory;
  options.max_line_bytes = settings.input.max_document_bytes;
  options.max_expansion = settings.input.max_expansion;
  options.stop = stop_flag();
  FingerprintFile file(path, options);
  say_what_is_missing(file, settings.face.quiet);
  return file;
}

bool has_only_bad(const FingerprintFile& file) { return file.size() == 0 && (file.bad() > 0 || !file.broken_off().empty()); }

int exit_code(const FingerprintFile& file) { return has_only_bad(file) || !file.broken_off().empty() ? 1 : 0; }

bool is_other_kind(const std::string& path, std::string_view magic) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  std::string first(magic.size(), '\0');
  in.read(first.data(), static_cast<std::streamsize>(first.size()));
  return first != magic;
}

std::string counted(std::uint64_t n, std::string_view what) { return fmt::format("{} {}{}", human_count(n), what, n == 1 ? "" : "s"); }

}  // namespace leitong::cli
