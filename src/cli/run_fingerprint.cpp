#include <fmt/format.h>

#include "cli/progress.h"
#include "cli/run.h"
#include "cli/signals.h"
#include "leitong/error.h"

namespace leitong::cli {

int run_fingerprint(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  InputOptions input = s.input;
  input.paths = invocation.operands;
  // Where the fingerprints themselves go to the terminal, a progress line would only be in their way.
  ProgressLine line(!s.quiet && !is_terminal(1));
  JobOptions job = s.job;
  job.stop = stop_flag();
  job.progress = [&](const Progress& progress) { line.show(progress); };
  job.note = [&](const std::string& sentence) {
    line.erase();
    print_note(sentence);
  };
  std::string text;
  const Counts counts = fingerprint_inputs(input, effective_profile(s), job, [&](const FingerprintedRecord& record) {
    text = "{\"id\":";
    text += record.has_id ? record.id : "null";  // a JSON value already
    text += record.fingerprint.empty() ? ",\"fp\":null,\"features\":" : ",\"fp\":\"" + record.fingerprint + "\",\"features\":";
    text += std::to_string(record.features);
    text += "}\n";
    output.write(text);
  });
  line.erase();
  if (counts.rejected > 0 && !s.quiet)
    print_note(fmt::format("{} of {} records were bad and have no line (--strict names the first one)", human_count(counts.rejected),
                           human_count(counts.records)));
  return 0;
}

}  // namespace leitong::cli
