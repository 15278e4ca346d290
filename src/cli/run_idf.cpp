// leitong idf: inputs to a table of inverse document frequencies.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "leitong/idf.h"

namespace leitong::cli {
namespace {

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

}  // namespace

constexpr CommandInfo idf_command{
    .command = cmd_idf,
    .name = "idf",
    .purpose = "Count in how many documents each word occurs, and write a table of inverse document frequencies",
    .usage = "INPUT... --output FILE [--profile P | --words SEGMENTER] [--smoothing FORMULA] [FLAG...]",
    .description =
        "Writes a line \"word idf\" for each word of the inputs, in the order of their bytes: the table that --weights tfidf, the "
        "profile java-hanlp-tfidf and its Java program read (--idf FILE). Words are those into which the profile cuts a text, so make "
        "the table with the profile that will use it. Words without a letter or digit are left out, and words that hold white space, "
        "because a line has two fields. What does not fit --memory is sorted on disk, beside the output.",
    .examples =
        "leitong idf news.jsonl --words jieba -o idf.txt\n"
        "leitong idf news.jsonl --profile java-hanlp-tfidf --min-df 2 -o idf.txt\n"
        "leitong fingerprint news.jsonl --profile java-hanlp-tfidf --idf idf.txt --stop-words stopwords.txt",
    .exit_codes = exits_done_or_stopped,
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .run = run_idf};

}  // namespace leitong::cli
