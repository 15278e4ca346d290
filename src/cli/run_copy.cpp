// leitong copy: one store into another.
#include <fmt/format.h>

#include <array>

#include "cli/commands.h"
#include "cli/fingerprint_input.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "leitong/copy.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

std::string as_json(const CopyResult& result) {
  return fmt::format("{{\"documents\":{},\"without_fingerprint\":{},\"copied_before\":{},\"others\":{},\"checksum\":\"{:016x}\"}}\n",
                     result.documents, result.without, result.before, result.others, result.checksum);
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string for_people(const CopyResult& result) {
  std::string out = fmt::format("{} copied and compared, checksum {:016x}\n", counted(result.documents, "document"), result.checksum);
  if (result.before > 0) out += fmt::format("{} of them were copied before the last stop\n", human_count(result.before));
  if (result.others > 0) out += fmt::format("{} are there besides\n", counted(result.others, "other document"));
  return out;
}

int run_copy(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  CopyOptions options;
  options.from = invocation.operands[0];
  options.to = invocation.operands[1];
  options.layout = s.collection.create.layout;
  options.key = key_of(s.profile);
  options.progress_file = s.copy.progress_file;
  ProgressLine line(!s.face.quiet);
  options.job = line.watch(s.job);
  CopyResult result;
  try {
    result = copy(options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
    throw Error(ErrorCode::interrupted, "stopped; the same command goes on from here and leaves alone what is there");
  }
  line.erase();
  if (result.without > 0)
    print_note(
        fmt::format("{} no fingerprint and stayed behind", counted(result.without, "document") + (result.without == 1 ? " has" : " have")));
  if (!result.left_behind.empty()) print_note(fmt::format("{} stayed behind: servers keep fingerprints only", joined(result.left_behind)));
  output.write(s.face.json ? as_json(result) : for_people(result));
  return 0;
}

constexpr std::array own_flags{
    Flag{
        .name = "progress",
        .argument = "FILE",
        .kind = Kind::text,
        .help = "Keep in this file how far the copy is, so that the same command goes on from there after a stop; it is removed at the end",
        .group = Group::job,
        .before = "threads",
        .set = [](Settings& s, const Value& v) { s.copy.progress_file = v.text; },
        .example = "some/file",
        .took = [](const Settings& s) { return s.copy.progress_file == "some/file"; }},
};

}  // namespace

constexpr CommandInfo copy_command{
    .command = cmd_copy,
    .name = "copy",
    .purpose = "Copy a collection's fingerprints from any store into any other, and verify them",
    .usage = "FROM TO [--layout L] [--progress FILE] [FLAG...]",
    .description =
        "FROM and TO are stores as leitong collection takes them: directories or addresses of servers. TO is made if it is not there, "
        "with "
        "the profile, the k and the kind of ids of FROM; if it is, its profile must be the same. Then everything is read again from "
        "both "
        "sides and compared, and the count and a checksum are printed.\n\n"
        "Run again after a stop, it writes what is missing; with --progress it also goes on where it was. What servers do not keep, "
        "texts and second sketches, stays behind. A directory is copied into a new one whole, as by collection backup.",
    .examples =
        "leitong copy news 'redis://localhost:6379/0?prefix=news:'\n"
        "leitong copy 'redis://localhost:6379/0?prefix=news:' es+http://localhost:9200/news --progress copy.json",
    .exit_codes = "0 done and verified\n2 error, or the two differ\n130 stopped by a signal",
    .least = 2,
    .most = 2,
    .operands = "files",
    .own_flags = own_flags,
    .run = run_copy};

}  // namespace leitong::cli
