// The program: argv in, exit code out. The only place where exceptions end.
#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <new>

#include "cli/help.h"
#include "cli/run.h"
#include "cli/signals.h"
#include "cli/unread.h"
#include "leitong/error.h"
#include "leitong/version.h"

namespace leitong::cli {
namespace {

constexpr unsigned widest = 100;

int show_help(const Invocation& invocation, Output& output) {
  const unsigned width = terminal_width(STDOUT_FILENO, widest);
  if (invocation.settings.man) {
    output.write(man_page(version()));
  } else if (invocation.command != cmd_help || invocation.settings.help) {
    output.write(command_help(command_info(invocation.command), width));
  } else if (invocation.operands.empty()) {
    output.write(general_help(width));
  } else {
    std::string name;
    for (const std::string& word : invocation.operands) name += (name.empty() ? "" : " ") + word;
    const CommandInfo* info = find_command(name);
    if (info == nullptr) throw Error(ErrorCode::usage, "unknown command \"" + name + "\" (leitong --help lists them)");
    output.write(command_help(*info, width));
  }
  return 0;
}

int dispatch(const Invocation& invocation, const std::vector<std::string>& command_line, Output& output) {
  if (invocation.settings.help) return show_help(invocation, output);
  if (invocation.settings.version || invocation.command == cmd_version) {
    output.write("leitong " + version() + "\n");
    return 0;
  }
  switch (invocation.command) {
    case cmd_dedup:
      return run_dedup(invocation, command_line, output);
    case cmd_join:
      return run_join(invocation, output);
    case cmd_search:
      return run_search(invocation, output);
    case cmd_restore:
      return run_restore(invocation, output);
    case cmd_fingerprint:
    case cmd_segment:
    case cmd_normalize:
      return run_records(invocation, output);
    case cmd_keywords:
      return run_keywords(invocation, output);
    case cmd_idf:
      return run_idf(invocation, output);
    case cmd_copy:
      return run_copy(invocation, output);
    case cmd_parity:
      return run_parity(invocation, output);
    case cmd_data:
      return run_data(invocation, output);
    case cmd_compare:
      return run_compare(invocation, output);
    case cmd_calibrate:
      return run_calibrate(invocation, output);
    case cmd_explain:
      return run_explain(invocation, output);
    case cmd_overlap:
      return run_overlap(invocation, output);
    case cmd_profiles:
      return run_profiles(invocation, output);
    case cmd_rules:
      return run_rules(invocation, output);
    case cmd_help:
      return show_help(invocation, output);
    case cmd_completions:
      output.write(completions(invocation.operands[0]));
      return 0;
    default:
      return action_name(command_info(invocation.command)).empty() ? run_stage(invocation, output) : run_collection(invocation, output);
  }
}

int guarded(const std::vector<std::string>& command_line) {
  Output output;
  try {
    static_cast<void>(instruction_set());  // a mistyped LEITONG_ISA is an error of every command, not of those that meet it
    const Invocation invocation = parse({command_line.begin() + 1, command_line.end()});
    const int code = dispatch(invocation, command_line, output);
    output.finish();
    return end_with_unread(code);
  } catch (const BrokenPipe&) {
    return 0;
  } catch (const Error& error) {
    print_error(error.what());
    return error.code() == ErrorCode::interrupted || *stop_flag() ? 130 : 2;
  } catch (const std::bad_alloc&) {
    print_error("out of memory; --memory SIZE makes the job use less");
    return 2;
  } catch (const std::exception& error) {
    print_error(std::string("unexpected: ") + error.what());
    return 2;
  }
}

// A standard stream that the caller closed must not become the number of the next file that is opened: what is printed would end up in it.
// Taken by /dev/null opened the wrong way round, it stays what it was: an error to read or write.
void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) ::_exit(2);
}

}  // namespace
}  // namespace leitong::cli

int main(int argc, char** argv) {
  leitong::cli::occupy_standard_descriptors();
  leitong::cli::install_signal_handlers();
  std::vector<std::string> command_line(argv, argv + argc);
  if (command_line.empty()) command_line.emplace_back("leitong");
  return leitong::cli::guarded(command_line);
}
