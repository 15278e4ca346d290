#include "cli/keys.h"

#include <termios.h>
#include <unistd.h>

#include <cerrno>

#include "cli/signals.h"
#include "cli/terminal.h"

namespace leitong::cli {

struct Keys::Terminal {
  termios before{};
};

Keys::Keys() {
  if (!is_terminal(STDIN_FILENO)) return;
  auto terminal = std::make_unique<Terminal>();
  if (::tcgetattr(STDIN_FILENO, &terminal->before) != 0) return;
  termios changed = terminal->before;
  changed.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  if (::tcsetattr(STDIN_FILENO, TCSANOW, &changed) == 0) terminal_ = std::move(terminal);
}

Keys::~Keys() {
  if (terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &terminal_->before);
}

std::optional<char> Keys::next() const {
  constexpr char end_of_transmission = 4;
  while (!*stop_flag()) {
    char key = 0;
    const ssize_t n = ::read(STDIN_FILENO, &key, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || key == end_of_transmission) return std::nullopt;
    if (key == ' ' || key == '\n' || key == '\r' || key == '\t') continue;
    return key >= 'A' && key <= 'Z' ? static_cast<char>(key - 'A' + 'a') : key;
  }
  return std::nullopt;
}

}  // namespace leitong::cli
