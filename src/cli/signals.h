// SIGINT and SIGTERM ask the job to stop; a second one ends the program at once. SIGPIPE is ignored: writing says so.
#pragma once

#include <atomic>

namespace leitong::cli {

void install_signal_handlers();
[[nodiscard]] const std::atomic<bool>* stop_flag();

}  // namespace leitong::cli
