// leitong keywords: records to the words that tell most of them.
#include <fmt/format.h>

#include <array>

#include "cli/commands.h"
#include "cli/run_records.h"
#include "leitong/jieba.h"

namespace leitong::cli {
namespace {

int run_keywords(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  const auto make_worker = [&]() -> RecordWorker {
    const auto jieba = std::make_shared<Jieba>(s.profile.words.data);
    for (const std::string& path : s.keywords.user_words) jieba->load_userdict(path);
    if (!s.profile.words.stop_words.empty()) jieba->add_stop_words(s.profile.words.stop_words);
    return [jieba, most = s.keywords.most](const RecordView& record, std::string& out) {
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

constexpr std::array own_flags{
    Flag{.name = "data",
         .argument = "NAME|FILE",
         .kind = Kind::text,
         .fallback = "jieba",
         .help = "Jieba's compiled dictionary, as `leitong data` lists it",
         .group = Group::profile,
         .set = [](Settings& s, const Value& v) { s.profile.words.data = v.text; },
         .example = "mine.toml",
         .took = [](const Settings& s) { return s.profile.words.data == "mine.toml"; }},
    Flag{.name = "stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Words that are no keywords, one a line, beside the dictionary's own (jieba.analyse.set_stop_words)",
         .group = Group::profile,
         .set = [](Settings& s, const Value& v) { s.profile.words.stop_words = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.profile.words.stop_words == "some/file"; }},
    Flag{.name = "user-words",
         .argument = "FILE",
         .kind = Kind::list,
         .help = "Words that jieba is to know, \"word [frequency] [tag]\" a line (jieba.load_userdict). May be repeated",
         .group = Group::profile,
         .aliases = "userdict",
         .set = [](Settings& s, const Value& v) { s.keywords.user_words.push_back(v.text); },
         .example = "some/file",
         .took = [](const Settings& s) { return is_only(s.keywords.user_words, "some/file"); }},
    Flag{.name = "top",
         .argument = "N",
         .kind = Kind::number,
         .fallback = "20",
         .help = "Keywords of each record; 0: all",
         .group = Group::output,
         .high = 1'000'000,
         .set = [](Settings& s, const Value& v) { s.keywords.most = static_cast<std::uint32_t>(v.number); },
         .example = "7",
         .took = [](const Settings& s) { return s.keywords.most == 7U; }},
};

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
    .own_flags = own_flags,
    .run = run_keywords};

}  // namespace leitong::cli
