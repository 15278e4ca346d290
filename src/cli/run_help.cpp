// leitong help, version, completions: what is made of the tables.
#include <unistd.h>

#include <array>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/parse.h"
#include "cli/terminal.h"
#include "leitong/error.h"
#include "leitong/version.h"

namespace leitong::cli {
namespace {

constexpr unsigned widest = 100;

// The words behind "help" name a command, or a command and its action.
const CommandInfo& named(const std::vector<std::string>& words) {
  std::string name;
  for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
  if (const CommandInfo* info = find_command(name); info != nullptr) return *info;
  throw Error(ErrorCode::usage, "unknown command \"" + name + "\" (leitong --help lists them)");
}

int run_help(const Invocation& invocation, Output& output) {
  const unsigned width = terminal_width(STDOUT_FILENO, widest);
  if (invocation.settings.face.man) {
    output.write(man_page(version()));
  } else if (invocation.operands.empty()) {
    output.write(general_help(width));
  } else {
    output.write(command_help(named(invocation.operands), width));
  }
  return 0;
}

int run_version(const Invocation& /*invocation*/, Output& output) {
  output.write("leitong " + version() + "\n");
  return 0;
}

int run_completions(const Invocation& invocation, Output& output) {
  output.write(completions(invocation.operands[0]));
  return 0;
}

constexpr std::array help_flags{
    Flag{.name = "man",
         .help = "The whole manual as a man page (roff)",
         .group = Group::output,
         .set = [](Settings& s, const Value& v) { s.face.man = v.on; },
         .took = [](const Settings& s) { return s.face.man; }},
};

}  // namespace

int show_help(const CommandInfo& info, Output& output) {
  output.write(command_help(info, terminal_width(STDOUT_FILENO, widest)));
  return 0;
}

constexpr CommandInfo help_command{.command = cmd_help,
                                   .name = "help",
                                   .purpose = "Show help, of one command or of all",
                                   .usage = "[COMMAND] [--man]",
                                   .description = "leitong COMMAND --help says the same.",
                                   .examples = "leitong help dedup\nleitong help collection add\nleitong help --man | man -l -",
                                   .exit_codes = exits_done,
                                   .most = 2,
                                   .operands = "commands",
                                   .own_flags = help_flags,
                                   .run = run_help};

constexpr CommandInfo version_command{.command = cmd_version,
                                      .name = "version",
                                      .purpose = "Show the version",
                                      .usage = "",
                                      .description = "leitong --version says the same.",
                                      .exit_codes = "0 done",
                                      .run = run_version};

constexpr CommandInfo completions_command{.command = cmd_completions,
                                          .name = "completions",
                                          .purpose = "Print a completion script for a shell",
                                          .usage = "bash|zsh|fish",
                                          .description = "Put the output where the shell looks for completions.",
                                          .examples =
                                              "leitong completions bash > ~/.local/share/bash-completion/completions/leitong\n"
                                              "leitong completions zsh > ~/.zfunc/_leitong\n"
                                              "leitong completions fish > ~/.config/fish/completions/leitong.fish",
                                          .exit_codes = exits_done,
                                          .least = 1,
                                          .most = 1,
                                          .operands = "shells",
                                          .run = run_completions};

}  // namespace leitong::cli
