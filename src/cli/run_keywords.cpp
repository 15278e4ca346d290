// leitong keywords: records to the words that tell most of them.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/run_records.h"
#include "leitong/jieba.h"

namespace leitong::cli {
namespace {

int run_keywords(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const auto make_worker = [&]() -> RecordWorker {
    const auto jieba = std::make_shared<Jieba>(s.data);
    for (const std::string& path : s.user_words) jieba->load_userdict(path);
    if (!s.stop_words.empty()) jieba->add_stop_words(s.stop_words);
    return [jieba, most = s.keywords](const RecordView& record, std::string& out) {
      out += "{\"id\":";
      out += record.id.empty() ? "null" : record.id;  // a JSON value already
      out += ",\"keywords\":[";
      for (bool first = true; const Jieba::Keyword& keyword : jieba->extract_tags(record.text, most)) {
        out += first ? "[" : ",[";
        append_json_string(out, keyword.word);
        out += fmt::format(",{}]", keyword.weight);
        first = false;
      }
      out += "]}\n";
    };
  };
  return run_on_records(invocation, {}, make_worker, output);
}

}  // namespace

constexpr CommandInfo keywords_command{
    .command = cmd_keywords,
    .name = "keywords",
    .purpose = "Print the keywords of each record as JSON Lines",
    .usage = "INPUT... [--top N] [--stop-words FILE] [--user-words FILE] [FLAG...]",
    .description =
        "Prints {\"id\",\"keywords\":[[word,weight],...]} for each good record, in input order: the words of the greatest weight by "
        "term frequency and inverse document frequency, heaviest first, as jieba.analyse.extract_tags of the Python package jieba "
        "0.42.1 gives them.",
    .examples =
        "leitong keywords news.jsonl --top 5\n"
        "leitong keywords - --lines --stop-words stopwords.txt < titles.txt",
    .exit_codes = exits_of_records,
    .least = 1,
    .most = ~0U,
    .operands = "files",
    .run = run_keywords};

}  // namespace leitong::cli
