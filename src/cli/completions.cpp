// Completion scripts.
#include <array>

#include "cli/help.h"
#include "leitong/error.h"

namespace leitong::cli {
namespace {

bool completes_files(const Flag& flag) {
  const std::string_view argument = flag.argument;
  return argument == "FILE" || argument == "OUT" || argument == "DIR" || argument == "NAME|FILE";
}

std::string operand_words(const CommandInfo& info) {
  const std::string_view operands = info.operands;
  std::string out;
  if (operands == "shells") out = "bash zsh fish";
  if (operands == "data") out = "add jieba hanlp ik";
  if (operands == "commands")
    for (const CommandInfo& other : commands())
      if (action_name(other).empty()) out += (out.empty() ? "" : " ") + std::string(other.name);
  for (const CommandInfo* action : actions(info)) out += (out.empty() ? "" : " ") + std::string(action_name(*action));
  return out;
}

std::string flag_words(Commands command) {
  std::string out;
  for (const Flag& flag : flags())
    if ((flag.commands & command) != 0) out += (out.empty() ? "" : " ") + std::string(flag.name[1] == '\0' ? "-" : "--") + flag.name;
  return out;
}

// A case of the word before the cursor: what may follow this flag.
std::string bash_arguments() {
  std::string out;
  for (const Flag& flag : flags()) {
    if (flag.kind == Kind::boolean) continue;
    std::string pattern = "--" + std::string(flag.name);
    if (flag.letter != 0) pattern += std::string("|-") + flag.letter;
    std::string words;
    if (flag.kind == Kind::choice) {
      words = "COMPREPLY=($(compgen -W '" + std::string(flag.choices) + "' -- \"$cur\"))";
    } else if (const std::string_view name = flag.name; name == "profile" || name == "rule") {
      words = "COMPREPLY=($(compgen -W \"$(leitong " + std::string(name) +
              "s 2>/dev/null | tail -n +2 | cut -d' ' -f1)\" -- \"$cur\") $(compgen -f -- "
              "\"$cur\"))";
    } else if (completes_files(flag)) {
      words = "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); compopt -o filenames 2>/dev/null";
    } else {
      words = ":";
    }
    out += "    " + pattern + ") " + words + "; return ;;\n";
  }
  return out;
}

std::string bash_script() {
  std::string names, acting, cases;
  for (const CommandInfo& info : commands()) {
    if (action_name(info).empty()) names += (names.empty() ? "" : " ") + std::string(info.name);
    if (!actions(info).empty()) acting += (acting.empty() ? "" : "|") + std::string(info.name);
    cases += "    '" + std::string(info.name) + "') flags='" + flag_words(info.command) + "' operands='" + operand_words(info) + "' ;;\n";
  }
  return "# bash completion for leitong; made by `leitong completions bash`\n"
         "_leitong() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev= command= flags= operands=\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD <= 1)); then\n"
         "    COMPREPLY=($(compgen -W '" +
         names +
         " --help --version' -- \"$cur\"))\n"
         "    return\n"
         "  fi\n"
         "  prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  case $prev in\n" +
         bash_arguments() +
         "  esac\n"
         "  command=${COMP_WORDS[1]}\n"
         "  case $command in\n    " +
         acting +
         ") ((COMP_CWORD > 2)) && command+=\" ${COMP_WORDS[2]}\" ;;\n  esac\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "  if [[ $cur == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\"))\n"
         "  elif [[ -n $operands ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$operands\" -- \"$cur\"))\n"
         "  else\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); compopt -o filenames 2>/dev/null\n"
         "  fi\n"
         "}\n"
         "complete -F _leitong leitong\n";
}

// In single quotes of zsh and fish.
std::string quoted(std::string_view text, std::string_view escape_with_backslash, bool fish) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += fish ? "\\'" : "'\\''";
    } else {
      if (escape_with_backslash.find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zsh_flag(const Flag& flag) {
  const std::string name = (flag.name[1] == '\0' ? "-" : "--") + std::string(flag.name);
  const std::string text = quoted(flag.help, "[]:\\", false);
  std::string action;
  if (flag.kind == Kind::choice) {
    action = ":" + quoted(flag.argument, ":", false) + ":(" + flag.choices + ")";
  } else if (flag.kind != Kind::boolean) {
    action = ":" + quoted(flag.argument, ":", false) + ":" + (completes_files(flag) ? "_files" : " ");
  }
  std::string out = std::string("        '") + (flag.kind == Kind::list ? "*" : "") + name + "[" + text + "]" + action + "' \\\n";
  if (flag.letter != 0 && flag.name[1] != '\0') out += std::string("        '-") + flag.letter + "[" + text + "]" + action + "' \\\n";
  return out;
}

std::string zsh_name(std::string_view name, std::string_view purpose) {
  return "    '" + std::string(name) + ":" + quoted(purpose, ":\\", false) + "'\n";
}

// A case of a command that has actions: they are offered, or join the command's name.
std::string zsh_actions(const CommandInfo& info) {
  std::string names;
  for (const CommandInfo* action : actions(info)) names += zsh_name(action_name(*action), action->purpose);
  if (names.empty()) return names;
  return "    " + std::string(info.name) + ")\n      if (( CURRENT == 2 )); then\n        local -a actions\n        actions=(\n" + names +
         "        )\n        _describe action actions\n        return\n      fi\n"
         "      command+=\" $words[2]\"\n      shift words\n      (( CURRENT-- )) ;;\n";
}

std::string zsh_script() {
  std::string names, acting, cases;
  for (const CommandInfo& info : commands()) {
    acting += zsh_actions(info);
    if (action_name(info).empty()) names += zsh_name(info.name, info.purpose);
    cases += "    '" + std::string(info.name) + "')\n      _arguments \\\n";
    for (const Flag& flag : flags())
      if ((flag.commands & info.command) != 0) cases += zsh_flag(flag);
    const std::string words = operand_words(info);
    cases += words.empty() ? "        '*:file:_files' ;;\n" : "        '1:word:(" + words + ")' ;;\n";
  }
  return "#compdef leitong\n# zsh completion for leitong; made by `leitong completions zsh`\n"
         "_leitong() {\n  local -a commands\n  commands=(\n" +
         names +
         "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
         "  case $command in\n" +
         acting + "  esac\n  case $command in\n" + cases +
         "  esac\n}\nif [ \"$funcstack[1]\" = \"_leitong\" ]; then\n  _leitong \"$@\"\nelse\n  compdef _leitong leitong\nfi\n";
}

std::string fish_script() {
  std::string out =
      "# fish completion for leitong; made by `leitong completions fish`\n"
      "function __leitong_is\n  set -l words (commandline -opc)\n"
      "  contains -- \"$words[2]\" $argv; or contains -- \"$words[2] $words[3]\" $argv\nend\n";
  for (const CommandInfo& info : commands()) {
    if (action_name(info).empty())
      out += "complete -c leitong -n __fish_use_subcommand -f -a " + std::string(info.name) + " -d '" + quoted(info.purpose, "\\", true) +
             "'\n";
    for (const CommandInfo* action : actions(info))
      out += "complete -c leitong -n '__leitong_is " + std::string(info.name) + "; and test (count (commandline -opc)) -eq 2' -f -a " +
             std::string(action_name(*action)) + " -d '" + quoted(action->purpose, "\\", true) + "'\n";
    if (const std::string words = operand_words(info); !words.empty() && actions(info).empty())
      out += "complete -c leitong -n '__leitong_is \"" + std::string(info.name) + "\"' -f -a '" + words + "'\n";
  }
  for (const Flag& flag : flags()) {
    std::string takers;
    for (const CommandInfo& info : commands())
      if ((flag.commands & info.command) != 0) takers += " \"" + std::string(info.name) + "\"";
    out += "complete -c leitong -n '__leitong_is" + takers + "'";
    if (flag.letter != 0) out += std::string(" -s ") + flag.letter;
    if (flag.name[1] != '\0') out += std::string(" -l ") + flag.name;
    if (flag.kind == Kind::choice) out += " -x -a '" + std::string(flag.choices) + "'";
    if (flag.kind != Kind::choice && flag.kind != Kind::boolean) out += completes_files(flag) ? " -r -F" : " -x";
    out += " -d '" + quoted(flag.help, "\\", true) + "'\n";
  }
  return out;
}

}  // namespace

std::string completions(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  throw Error(ErrorCode::usage, "completions are made for bash, zsh and fish, not for \"" + std::string(shell) + "\"");
}

}  // namespace leitong::cli
