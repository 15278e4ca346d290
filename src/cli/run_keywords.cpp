// leitong keywords: records to the words that tell most of them.
#include <fmt/format.h>

#include "cli/progress.h"
#include "cli/run.h"
#include "leitong/jieba.h"
#include "leitong/records.h"

namespace leitong::cli {

int run_keywords(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  InputOptions input = s.input;
  input.paths = invocation.operands;
  ProgressLine line(!s.quiet && !is_terminal(1));
  const JobOptions job = line.watch(s.job);
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
  const Counts counts =
      map_records(input, job, command_info(invocation.command).name, make_worker, [&](std::string_view lines) { output.write(lines); });
  line.erase();
  return end_of_records(counts, s);
}

}  // namespace leitong::cli
