// leitong copy: one store into another.
#include <fmt/format.h>

#include "cli/fingerprint_input.h"
#include "cli/progress.h"
#include "cli/run.h"
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

}  // namespace

int run_copy(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  CopyOptions options;
  options.from = invocation.operands[0];
  options.to = invocation.operands[1];
  options.layout = s.layout;
  options.key = key_of(s);
  options.progress_file = s.progress;
  ProgressLine line(!s.quiet);
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
  output.write(s.json ? as_json(result) : for_people(result));
  return 0;
}

}  // namespace leitong::cli
