// leitong data: dictionaries added, listed, checked.

#include <fmt/format.h>

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
  check_output(target_of(kind, invocation.settings.add_data), {operands.begin() + 2, operands.end()}, OutputForm::data);
  const std::string before = content_before(kind, invocation.settings.add_data);
  const DataInfo info = add_data(kind, operands.size() < 3 ? "" : operands[2], invocation.settings.add_data);
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
    .run = run_data};

}  // namespace leitong::cli
