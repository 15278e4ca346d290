// The program: argv in, exit code out. The only place where exceptions end.
#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <new>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "cli/unread.h"
#include "leitong/error.h"
#include "leitong/version.h"

namespace leitong::cli {
namespace {

int run(const Invocation& invocation, Output& output) {
  const CommandInfo& info = command_info(invocation.command);
  if (invocation.settings.face.help) return show_help(info, output);
  if (invocation.settings.face.version) return version_command.run(invocation, output);
  return info.run(invocation, output);
}

int guarded(const std::vector<std::string>& command_line) {
  Output output;
  try {
    static_cast<void>(instruction_set());  // a mistyped LEITONG_ISA is an error of every command, not of those that meet it
    Invocation invocation = parse({command_line.begin() + 1, command_line.end()});
    invocation.command_line = command_line;
    const int code = run(invocation, output);
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
