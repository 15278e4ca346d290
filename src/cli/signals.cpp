#include "cli/signals.h"

#include <unistd.h>

#include <csignal>

namespace leitong::cli {
namespace {

std::atomic<bool> stop{false}, at_once{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) {
  if (stop.exchange(true) || at_once) ::_exit(130);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // a blocked read of standard input returns, so that the job can end
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>* stop_flag() { return &stop; }

void end_at_first_signal() {
  at_once = true;
  if (stop) ::_exit(130);  // it came before
}

void finish_before_signals() { at_once = false; }

}  // namespace leitong::cli
