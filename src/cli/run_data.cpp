// leitong data: dictionaries added, listed, checked.

#include <fmt/format.h>

#include <array>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/terminal.h"
#include "leitong/data.h"
#include "leitong/error.h"
#include "leitong/output.h"

namespace leitong::cli {
namespace {

std::string words_of(const DataInfo& info) {
  std::string out;
  for (const auto& [list, count] : info.words) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", human_count(count), list);
  return out;
}

int list(Output& output) {
  const std::vector<DataInfo> all = list_data();
  if (all.empty()) output.write("no compiled dictionaries; `leitong data --help` says how to add one\n");
  for (const DataInfo& info : all) {
    output.write(fmt::format("{:<5}  {:<12}  {:<32}  {}\n", info.content.empty() ? "-" : data_kind_name(info.kind), info.name,
                             info.content.empty() ? "-" : info.content, info.path));
    for (const std::string& warning : info.warnings) print_note(info.path + ": " + warning);
  }
  return 0;
}

std::string target_of(DataKind kind, const AddDataOptions& options) {
  const std::string name = options.name.empty() ? std::string(data_kind_name(kind)) : options.name;
  return options.output.empty() ? data_directory() + "/" + name + ".data" : options.output;
}

// The content id of the file that is about to be replaced; empty if there is none.
std::string content_before(DataKind kind, const AddDataOptions& options) {
  try {
    return content_of_data(target_of(kind, options));
  } catch (const Error&) {
    return {};
  }
}

int run_data(const Invocation& invocation, Output& output) {
  const auto& operands = invocation.operands;
  if (operands.empty()) return list(output);
  if (operands[0] != "add" || operands.size() < 2)
    throw Error(ErrorCode::usage, "data: `leitong data` lists, `leitong data add jieba|hanlp|ik SOURCE` compiles");
  const DataKind kind = parse_data_kind(operands[1]);
  if (operands.size() < 3 && kind != DataKind::jieba)
    throw Error(ErrorCode::usage, fmt::format("data add {}: a SOURCE is missing (`leitong data --help` says which)", operands[1]));
  check_output(target_of(kind, invocation.settings.data), {operands.begin() + 2, operands.end()}, OutputForm::data);
  const std::string before = content_before(kind, invocation.settings.data);
  const DataInfo info = add_data(kind, operands.size() < 3 ? "" : operands[2], invocation.settings.data);
  for (const std::string& warning : info.warnings) print_note(warning);
  if (!before.empty() && before != info.content)
    print_note(
        fmt::format("{} held other words before (content id {}): fingerprints that were made with them belong to another profile id; "
                    "--name keeps dictionaries apart",
                    info.path, before));
  output.write(
      fmt::format("{} ({}): {}, content id {}\n", info.path, human_bytes(static_cast<double>(info.bytes)), words_of(info), info.content));
  return 0;
}

constexpr std::array own_flags{
    Flag{.name = "name",
         .argument = "NAME",
         .kind = Kind::text,
         .fallback = "the segmenter's",
         .help = "What to call the compiled dictionary; --data NAME chooses it",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.data.name = v.text; },
         .example = "mine",
         .took = [](const Settings& s) { return s.data.name == "mine"; }},
    Flag{.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Write the compiled dictionary here",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.data.output = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.data.output == "some/file"; }},
    Flag{.name = "jar",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Where what SOURCE lacks comes from",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.data.jar = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.data.jar == "some/file"; }},
    Flag{.name = "add-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help =
             "Words to add, one a line: for HanLP as CustomDictionary.insert does (\"word nature frequency\"), for IKAnalyzer as ext_dict, "
             "for jieba as load_userdict (\"word frequency tag\")",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.data.add_words = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.data.add_words == "some/file"; }},
    Flag{.name = "remove-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Words to remove, one a line",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.data.remove_words = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.data.remove_words == "some/file"; }},
    Flag{.name = "stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "HanLP: these replace its core stop words; IKAnalyzer: join its stop words, as ext_stopwords does",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.data.stop_words = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.data.stop_words == "some/file"; }},
    Flag{.name = "add-stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Stop words to add to those there are, one a line",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.data.add_stop_words = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.data.add_stop_words == "some/file"; }},
    Flag{.name = "remove-stop-words",
         .argument = "FILE",
         .kind = Kind::text,
         .help = "Stop words to remove, one a line",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.data.remove_stop_words = v.text; },
         .example = "some/file",
         .took = [](const Settings& s) { return s.data.remove_stop_words == "some/file"; }},
};

}  // namespace

constexpr CommandInfo data_command{
    .command = cmd_data,
    .name = "data",
    .purpose = "Compile a segmenter's dictionaries, or list those that are there",
    .usage = "[add jieba|hanlp|ik SOURCE] [FLAG...]",
    .description =
        "Without operands: name, content id and path of each compiled dictionary. `add hanlp` takes the jar of "
        "com.hankcs:hanlp:portable-1.8.1 (Maven Central), a hanlp.properties or a folder with its data; `add ik` the jar of "
        "IKAnalyzer 3.2.8, an IKAnalyzer.cfg.xml or a folder of .dic files; `add jieba` the folder of the Python package. The "
        "result is one file in $LEITONG_DATA, or ~/.local/share/leitong. Its content id enters the id of every profile that "
        "uses it: other words are another profile.",
    .examples =
        "leitong data\n"
        "leitong data add hanlp hanlp-portable-1.8.1.jar\n"
        "leitong data add ik IKAnalyzer.cfg.xml --name ik-shop\n"
        "leitong data add hanlp hanlp.jar --name hanlp-news --add-words names.txt",
    .exit_codes = exits_done_or_stopped,
    .most = 3,
    .operands = "data",
    .own_flags = own_flags,
    .run = run_data};

}  // namespace leitong::cli
