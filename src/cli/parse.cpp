#include "cli/parse.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/commands.h"
#include "leitong/error.h"
#include "leitong/file_name.h"

namespace leitong::cli {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

std::vector<std::string> flag_names(Command command) {
  std::vector<std::string> names;
  for (const Flag& flag : flags()) {
    if ((flag.commands & command) == 0) continue;
    names.emplace_back(flag.name);
    for (const std::string_view alias : split_words(flag.aliases)) names.emplace_back(alias);
  }
  return names;
}

std::string takers(const Flag& flag) {
  std::string list;
  for (const CommandInfo& info : commands())
    if ((flag.commands & info.command) != 0) list += (list.empty() ? "" : ", ") + std::string(info.name);
  return list;
}

const Flag& need_flag(std::string_view name, Command command) {
  const std::string command_name = command_info(command).name;
  const Flag* flag = find_flag(name, command);
  if (flag != nullptr && (flag->commands & command) != 0) return *flag;
  if (const std::string_view why = refusal(name); !why.empty())
    refuse("--" + std::string(name) + " is not a flag here: " + std::string(why));
  if (flag != nullptr) refuse("--" + std::string(name) + " is not a flag of " + command_name + " but of " + takers(*flag));
  refuse("unknown flag --" + std::string(name) + suggestion_note(canonical_name(name), flag_names(command), "--") + " (leitong " +
         command_name + " --help lists the flags)");
}

const Flag& need_letter(char letter, Command command) {
  const std::string command_name = command_info(command).name;
  if (const Flag* flag = find_letter(letter, command); flag != nullptr) return *flag;
  refuse(std::string("unknown flag -") + letter + " (leitong " + command_name + " --help lists the flags)");
}

// What stands after the command: flags and operands.
class Words {
 public:
  Words(const std::vector<std::string>& words, std::size_t at, Command command) : words_(words), at_(at), command_(command) {}

  void read(std::vector<Assignment>& assignments, std::vector<std::string>& operands) {
    for (bool flags_ended = false; at_ < words_.size();) {
      const std::string& word = words_[at_++];
      if (flags_ended || word.size() < 2 || word[0] != '-') {
        operands.push_back(word);
      } else if (word == "--") {
        flags_ended = true;
      } else if (word[1] == '-') {
        assignments.push_back(long_flag(word));
      } else {
        letters(word, assignments);
      }
    }
  }

 private:
  Assignment long_flag(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    const Flag& flag = need_flag(name, command_);
    const std::string origin = "--" + name;
    if (equals != std::string::npos) return {&flag, word.substr(equals + 1), origin};
    if (flag.kind == Kind::boolean) return {&flag, "true", origin};
    return {&flag, argument(origin, flag), origin};
  }

  void letters(const std::string& word, std::vector<Assignment>& assignments) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const Flag& flag = need_letter(word[i], command_);
      const std::string origin = std::string("-") + word[i];
      if (flag.kind == Kind::boolean) {
        assignments.push_back({&flag, "true", origin});
        continue;
      }
      std::string rest = word.substr(i + 1);
      if (!rest.empty() && rest[0] == '=') rest.erase(0, 1);
      assignments.push_back({&flag, rest.empty() ? argument(origin, flag) : rest, origin});
      return;
    }
  }

  std::string argument(const std::string& origin, const Flag& flag) {
    if (at_ == words_.size()) refuse(origin + " needs an argument: " + origin + " " + flag.argument);
    return words_[at_++];
  }

  const std::vector<std::string>& words_;
  std::size_t at_;
  Command command_;
};

bool given(const std::vector<Assignment>& assignments, const Flag& flag) {
  return std::any_of(assignments.begin(), assignments.end(), [&](const Assignment& a) { return a.flag == &flag; });
}

void apply(const Assignment& assignment, Settings& settings) {
  const Value value = check_value(*assignment.flag, assignment.text, assignment.origin);
  try {
    assignment.flag->set(settings, value);
  } catch (const Error& error) {
    throw Error(error.code(), assignment.origin + ": " + error.what());
  }
}

std::vector<Assignment> config_of(const std::vector<Assignment>& assignments, Command command) {
  const Assignment* config = nullptr;
  for (const Assignment& assignment : assignments)
    if (std::string_view(assignment.flag->name) == "config") config = &assignment;
  if (config == nullptr) return {};
  std::ifstream in(config->text, std::ios::binary);
  std::ostringstream bytes;
  const bool empty = in.peek() == std::ifstream::traits_type::eof() && !in.bad() && in.is_open();  // to stream nothing is an error
  if (!empty && (!in || !(bytes << in.rdbuf()))) throw Error(ErrorCode::io, config->text + ": cannot read the configuration file");
  return read_config(bytes.str(), config->text, command);
}

void check_complete(const Invocation& invocation) {
  const CommandInfo& info = command_info(invocation.command);
  const std::string call = info.name;
  const std::string usage = " (usage: leitong " + call + (*info.usage == '\0' ? "" : " ") + info.usage + ")";
  const std::size_t count = invocation.operands.size();
  if (!actions(info).empty()) refuse(call + " needs an action (leitong " + call + " --help lists them)");
  if (count < info.least)
    refuse(call + " needs " + std::string(info.usage).substr(0, std::string_view(info.usage).find(info.least == 1 ? " " : " [")) + usage);
  if (count > info.most) refuse(call + ": one operand too many: \"" + invocation.operands[info.most] + "\"" + usage);
}

void check_required(const std::vector<Assignment>& assignments, const Invocation& invocation) {
  if (invocation.settings.output.dry_run) return;
  for (const Flag& flag : flags())
    if ((flag.required & invocation.command) != 0 && !given(assignments, flag))
      refuse(std::string(command_info(invocation.command).name) + " needs --" + flag.name + " " + flag.argument);
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandInfo& info : commands())
    if (action_name(info).empty()) names.emplace_back(info.name);
  return names;
}

const CommandInfo& need_command(const std::string& word) {
  if (const CommandInfo* info = find_command(word); info != nullptr && action_name(*info).empty()) return *info;
  refuse("unknown command \"" + word + "\"" + suggestion_note(word, command_names(), "") + " (leitong --help lists them)");
}

const CommandInfo& need_action(const CommandInfo& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CommandInfo* action : actions(command)) {
    if (action_name(*action) == word) return *action;
    names.emplace_back(action_name(*action));
  }
  refuse("unknown action \"" + word + "\" of " + command.name + suggestion_note(word, names, "") + " (leitong " + command.name +
         " --help lists them)");
}

// Flags before a command: only those that every command has.
bool leading_flag(const std::string& word, Invocation& invocation) {
  if (word == "--help" || word == "-h") {
    invocation.command = cmd_help;
    return true;
  }
  if (word == "--version" || word == "-V") {
    invocation.command = cmd_version;
    return true;
  }
  if (!word.empty() && word[0] == '-')
    refuse("a command comes before its flags: leitong COMMAND " + word + " ... (leitong --help lists the commands)");
  return false;
}

// A file that is there is meant by its bytes; else the one that an output shows in this way.
void find_by_shown_name(std::string& path) {
  std::error_code ignored;
  if (std::string bytes = named_by(path);
      bytes != path && !std::filesystem::exists(path, ignored) && std::filesystem::exists(bytes, ignored))
    path = std::move(bytes);
}

}  // namespace

Invocation parse(const std::vector<std::string>& arguments) {
  Invocation invocation;
  if (arguments.empty()) refuse("a command is missing (leitong --help lists them)");
  if (leading_flag(arguments[0], invocation)) return invocation;
  const CommandInfo* info = &need_command(arguments[0]);
  const bool acts = arguments.size() > 1 && !arguments[1].starts_with('-') && !actions(*info).empty();
  if (acts) info = &need_action(*info, arguments[1]);
  invocation.command = info->command;

  std::vector<Assignment> assignments;
  Words(arguments, acts ? 2 : 1, info->command).read(assignments, invocation.operands);
  std::vector<Assignment> all;
  for (Assignment& assignment : config_of(assignments, info->command))
    if (!given(assignments, *assignment.flag)) all.push_back(std::move(assignment));
  all.insert(all.end(), assignments.begin(), assignments.end());
  for (const Assignment& assignment : all) apply(assignment, invocation.settings);
  for (std::string& operand : invocation.operands) find_by_shown_name(operand);
  for (std::string& path : invocation.settings.match.against) find_by_shown_name(path);
  find_by_shown_name(invocation.settings.explain.run);
  invocation.settings.job.reads = files_read_for(invocation.settings);

  if (invocation.settings.face.help || invocation.settings.face.version) return invocation;
  check_complete(invocation);
  check_required(all, invocation);
  return invocation;
}

}  // namespace leitong::cli
