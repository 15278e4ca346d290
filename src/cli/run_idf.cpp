// leitong idf: inputs to a table of inverse document frequencies.
#include <fmt/format.h>

#include "cli/progress.h"
#include "cli/run.h"
#include "leitong/idf.h"

namespace leitong::cli {

int run_idf(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  IdfOptions options;
  options.input = s.input;
  options.input.paths = invocation.operands;
  options.profile = effective_profile(s);
  options.output = s.output;
  options.formula = s.smoothing;
  options.least_documents = s.least_documents;
  ProgressLine line(!s.quiet);
  options.job = line.watch(s.job);
  const IdfCounts counts = make_idf(options);
  line.erase();
  if (s.quiet) return 0;
  output.write(fmt::format("{} words of {} documents", human_count(counts.words), human_count(counts.documents)));
  if (counts.rare > 0) output.write(fmt::format(", {} rarer left out", human_count(counts.rare)));
  output.write(fmt::format(", {} bad\n", human_count(counts.records.rejected)));
  return 0;
}

}  // namespace leitong::cli
