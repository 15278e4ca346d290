// SIGINT and SIGTERM ask the job to stop; a second one ends the program at once. SIGPIPE is ignored: writing says so.
#pragma once

#include <atomic>

namespace leitong::cli {

void install_signal_handlers();
[[nodiscard]] const std::atomic<bool>* stop_flag();
// For work that does not look at the flag and leaves nothing half done: from now on the first signal ends the program.
void end_at_first_signal();
// No longer: what follows is quick and would leave something half done. A second signal still ends the program.
void finish_before_signals();

}  // namespace leitong::cli
