// leitong idf: inputs to a table of inverse document frequencies.
#include <fmt/format.h>

#include <array>

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
  options.profile = effective_profile(s.profile);
  options.output = s.output.file;
  options.formula = s.idf.smoothing;
  options.least_documents = s.idf.least_documents;
  ProgressLine line(!s.face.quiet);
  options.job = line.watch(s.job);
  const IdfCounts counts = make_idf(options);
  line.erase();
  if (s.face.quiet) return 0;
  output.write(fmt::format("{} words of {} documents", human_count(counts.words), human_count(counts.documents)));
  if (counts.rare > 0) output.write(fmt::format(", {} rarer left out", human_count(counts.rare)));
  output.write(fmt::format(", {} bad\n", human_count(counts.records.rejected)));
  return 0;
}

constexpr std::array own_flags{
    Flag{.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .kind = Kind::text,
         .help = "The table; it appears under this name only when it is whole",
         .group = Group::output,
         .required = cmd_idf,
         .set = [](Settings& s, const Value& v) { s.output.file = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.output.file == "some/file"; }},
    Flag{.name = "smoothing",
         .argument = "FORMULA",
         .kind = Kind::choice,
         .fallback = "standard",
         .help =
             "idf of a word that df of N documents hold: standard log(N / (df + 1)), plain log(N / df), plus-one log(N / df) + 1, add-one "
             "log((N + 1) / (df + 1)) + 1, probabilistic log((N - df) / df), bm25 log(1 + (N - df + 0.5) / (df + 0.5)); natural "
             "logarithms, and 0 instead of a negative value",
         .group = Group::output,
         .choices = "standard plain plus-one add-one probabilistic bm25",
         .set = [](Settings& s, const Value& v) { s.idf.smoothing = v.text; },
         .example = "bm25",
         .took = [](const Settings& s) { return s.idf.smoothing == "bm25"; }},
    Flag{.name = "min-df",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "1",
         .help = "Leave out words that fewer documents hold",
         .group = Group::output,
         .low = 1,
         .set = [](Settings& s, const Value& v) { s.idf.least_documents = v.number; },
         .example = "7",
         .took = [](const Settings& s) { return s.idf.least_documents == 7U; }},
};

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
    .own_flags = own_flags,
    .run = run_idf};

}  // namespace leitong::cli
